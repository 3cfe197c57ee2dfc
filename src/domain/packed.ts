import type { Contribution, Derivation, Packed, PageFacts } from './derivation.ts'

const lineFeed = 0x0a

/** Facts on the first line, formats on the second: JSON text holds no line feed of its own. */
export function pack(derivation: Derivation): Packed {
  const { fields: made, index, ...rest } = derivation
  const { warning: formatWarning, ...fields } = made
  const facts: PageFacts = { ...rest, ...(formatWarning === undefined ? {} : { formatWarning }) }
  const bytes = Buffer.from(`${JSON.stringify(facts)}\n${JSON.stringify(fields)}`)
  return { facts, json: formatsOf(bytes), bytes, ...(index === undefined ? {} : { index }), fields: () => fields }
}

/** The same with more in the answer. */
export function extended({ facts, fields }: Packed, more: Contribution): Packed {
  const all = { ...fields(), ...more }
  const bytes = Buffer.from(`${JSON.stringify(facts)}\n${JSON.stringify(all)}`)
  return { facts, json: formatsOf(bytes), bytes, fields: () => all }
}

/** Reads back what `pack` made. */
export function unpack(stored: Uint8Array): Packed {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const json = formatsOf(bytes)
  const facts = JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(lineFeed))) as PageFacts // written by `pack`, verified by its hash
  return { facts, json, bytes, fields: () => JSON.parse(Buffer.from(json).toString()) as Contribution } // written by `pack`, verified by its hash
}

/** The formats of a packed derivation. */
function formatsOf(bytes: Buffer): Uint8Array {
  return bytes.subarray(bytes.indexOf(lineFeed) + 1)
}
