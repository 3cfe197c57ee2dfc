import { once } from '../../lib/once.ts'
import type { Contribution, Derivation, Packed, PageFacts } from './derivation.ts'

const lineFeed = 0x0a

/** Facts on the first line, formats on the second: serialised JSON contains no line feed. */
export function pack(derivation: Derivation): Packed {
  const { fields: made, index, ...rest } = derivation
  const { warning: formatWarning, ...fields } = made
  const facts: PageFacts = { ...rest, ...(formatWarning === undefined ? {} : { formatWarning }) }
  return { ...packed(facts, Buffer.from(JSON.stringify(fields))), fields: () => fields, ...(index === undefined ? {} : { index }) }
}

/** A copy that keeps nothing of the page alive: in V8, a substring retains the whole text. */
export function detached({ facts, json, index }: Packed): Packed {
  const written = JSON.stringify(facts)
  return {
    facts: JSON.parse(written) as PageFacts, // Serialised just above.
    json,
    bytes: once(() => joined(written, json)),
    fields: () => fieldsOf(json),
    ...(index === undefined ? {} : { index }),
  }
}

/** The same with further members, which are written as JSON objects: nothing of a large page is read again. */
export function extended({ facts, json }: Packed, ...more: readonly Uint8Array[]): Packed {
  const whole = joinedObjects([json, ...more])
  return { ...packed(facts, whole), fields: () => fieldsOf(whole) }
}

/** Joins JSON objects without a member in common into one. */
export function joinedObjects(objects: readonly Uint8Array[]): Uint8Array {
  const members = objects.flatMap((one) => (one.length > 2 ? [one.subarray(1, -1)] : []))
  return Buffer.concat([Buffer.from('{'), ...members.flatMap((one, at) => (at === 0 ? [one] : [Buffer.from(','), one])), Buffer.from('}')])
}

const packed = (facts: PageFacts, json: Uint8Array): Pick<Packed, 'facts' | 'json' | 'bytes'> => ({ facts, json, bytes: once(() => joined(JSON.stringify(facts), json)) })

const joined = (facts: string, json: Uint8Array): Uint8Array => Buffer.concat([Buffer.from(`${facts}\n`), json])

const fieldsOf = (json: Uint8Array): Contribution => JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.length).toString()) as Contribution // written by `pack`

/** Parses what `pack` wrote. */
export function unpack(stored: Uint8Array): Packed {
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length)
  const json = formatsOf(bytes)
  const facts = JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(lineFeed))) as PageFacts // written by `pack`, verified by its hash
  return { facts, json, bytes: () => bytes, fields: () => fieldsOf(json) }
}

/**
 * What to store with a result of which nothing else is stored: with an empty first line, since facts of a result are never
 * read.
 */
export function withoutFacts({ json }: Packed): Uint8Array {
  return Buffer.concat([Buffer.of(lineFeed), json])
}

/** The formats of a stored derivation, with or without facts. */
export function formatsOf(stored: Uint8Array): Uint8Array {
  return stored.subarray(stored.indexOf(lineFeed) + 1)
}
