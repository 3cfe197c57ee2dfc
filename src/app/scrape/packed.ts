import type { Contribution, Derivation } from '../../domain/derivation.ts'
import type { ScrapeData } from '../../spec/scrape.ts'

/** What the answer is decided by: everything of a derivation but the formats themselves. */
export interface PageFacts extends Omit<Derivation, 'fields'> {
  /** What the formats warn of. */
  readonly formatWarning?: string
}

/** A derivation in the form in which it is kept, so that an answer from the cache never parses the formats and writes them again. */
export interface Packed {
  readonly facts: PageFacts
  /** The formats as a JSON object. */
  readonly json: Uint8Array
  /** Facts and formats, as stored. */
  readonly bytes: Uint8Array
  /** The formats, parsed where they come from storage. */
  fields(): Contribution
}

/** The parts of an answer that differ between two answers with the same formats. */
export type Frame = Pick<ScrapeData, 'warning' | 'explain' | 'metadata' | 'screenshot'>

const lineFeed = 0x0a

/** Facts on the first line, formats on the second: JSON text holds no line feed of its own. */
export function pack(derivation: Derivation): Packed {
  const { fields: made, ...rest } = derivation
  const { warning: formatWarning, ...fields } = made
  const facts: PageFacts = { ...rest, ...(formatWarning === undefined ? {} : { formatWarning }) }
  const bytes = Buffer.from(`${JSON.stringify(facts)}\n${JSON.stringify(fields)}`)
  return { facts, json: formatsOf(bytes), bytes, fields: () => fields }
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

/** The bytes of a page as it is served: the formats, then the frame (JSON objects both). */
export function documentOf(json: Uint8Array, frame: string): Uint8Array {
  return Buffer.concat(parts(json, frame))
}

/** The bytes of a response: a page in `data`. */
export function bodyOf(json: Uint8Array, frame: string): Uint8Array {
  return Buffer.concat([Buffer.from('{"success":true,"data":'), ...parts(json, frame), Buffer.from('}')])
}

function parts(json: Uint8Array, frame: string): readonly Uint8Array[] {
  const formats = json.subarray(0, -1)
  const comma = formats.length > 1 ? ',' : ''
  return [formats, Buffer.from(`${comma}${frame.slice(1)}`)]
}
