import { once } from '../lib/once.ts'
import type { Contribution, Derivation, Packed, PageFacts } from './derivation.ts'

const lineFeed = 0x0a

/** Facts on the first line, formats on the second: JSON text holds no line feed of its own. */
export function pack(derivation: Derivation): Packed {
  const { fields: made, index, ...rest } = derivation
  const { warning: formatWarning, ...fields } = made
  const facts: PageFacts = { ...rest, ...(formatWarning === undefined ? {} : { formatWarning }) }
  return { ...packed(facts, fields), ...(index === undefined ? {} : { index }) }
}

/** The same with nothing of the page behind it: of each text that was cut out of the page the engine keeps all of the page. */
export function detached({ facts, json, index }: Packed): Packed {
  const written = JSON.stringify(facts)
  return {
    facts: JSON.parse(written) as PageFacts, // as it was written just now
    json,
    bytes: once(() => joined(written, json)),
    fields: () => fieldsOf(json),
    ...(index === undefined ? {} : { index }),
  }
}

/** The same with more in the answer. */
export function extended({ facts, fields }: Packed, more: Contribution): Packed {
  return packed(facts, { ...fields(), ...more })
}

function packed(facts: PageFacts, fields: Contribution): Packed {
  const json = Buffer.from(JSON.stringify(fields))
  return { facts, json, bytes: once(() => joined(JSON.stringify(facts), json)), fields: () => fields }
}

const joined = (facts: string, json: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(`${facts}\n`), json])

const fieldsOf = (json: Uint8Array): Contribution => JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString()) as Contribution // written by `pack`

/** Reads back what `pack` made. */
export function unpack(stored: Uint8Array): Packed {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const json = formatsOf(bytes)
  const facts = JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(lineFeed))) as PageFacts // written by `pack`, verified by its hash
  return { facts, json, bytes: () => bytes, fields: () => fieldsOf(json) }
}

/** What a result keeps of a page that nothing else is kept of: its first line is empty, as nobody asks a result for the facts. */
export function withoutFacts({ json }: Packed): Uint8Array {
  return Buffer.concat([Buffer.of(lineFeed), json])
}

/** The formats of a packed derivation, with its facts or without. */
export function formatsOf(stored: Uint8Array): Uint8Array {
  return stored.subarray(stored.indexOf(lineFeed) + 1)
}
