import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { ServiceError } from '../domain/errors.ts'
import { type HeaderList, headerValues } from './headers.ts'

/** A body as kept: at most the bytes asked for. */
export interface Body {
  readonly body: Uint8Array
  readonly truncated: boolean
}

/** Reads up to `maxBytes` and leaves the rest unread. Rejects with what the source rejects with. */
export async function readBody(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Body> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    const room = maxBytes - length
    if (chunk.byteLength > room) {
      parts.push(chunk.subarray(0, room))
      return { body: join(parts, maxBytes), truncated: true }
    }
    parts.push(chunk)
    length += chunk.byteLength
  }
  return { body: join(parts, length), truncated: false }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

const chunkSize = 64 * 1024
// A body cut short inside its last block is still shown by browsers: flush what there is instead of failing.
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH, chunkSize }
const lenientBrotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize }

type Decoder = (firstByte: number) => Transform

const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', () => createGunzip(lenient)],
  ['x-gzip', () => createGunzip(lenient)],
  // "deflate" means zlib (RFC 9110 §8.4.1.2), yet some servers send the bare stream; the first byte tells them apart.
  ['deflate', (first) => ((first & 0x0f) === 8 ? createInflate(lenient) : createInflateRaw(lenient))],
  ['br', () => createBrotliDecompress(lenientBrotli)],
])

/** The codings that `decoded` removes. */
export const decodable: readonly string[] = [...decoders.keys()]
const codings = [...decodable, 'zstd', 'compress', 'x-compress']

/**
 * The content coding of an answer, null when there is none. Unknown words are passed over, as browsers do; more than one coding (R19), or one
 * that is not `offered`, throws `SCRAPE_SITE_ERROR`.
 */
export function contentCoding(headers: HeaderList, offered: readonly string[]): string | null {
  const words = headerValues(headers, 'content-encoding').join(',').split(',').map((word) => word.trim().toLowerCase()) // prettier-ignore
  const [coding, ...more] = words.filter((word) => codings.includes(word))
  if (coding === undefined) return null
  if (more.length === 0 && offered.includes(coding)) return coding
  throw new ServiceError('SCRAPE_SITE_ERROR', 'The site compressed the page in a way that was not offered.')
}

/** The headers without those that describe the coded body and are not true of the decoded one. */
export function withoutCoding(headers: HeaderList): HeaderList {
  const coded = headerValues(headers, 'content-encoding').some((value) => codings.some((coding) => value.toLowerCase().includes(coding)))
  return coded ? headers.filter(([name]) => name !== 'content-encoding' && name !== 'content-length') : headers
}

/** The body with that coding removed. Destroying the answer destroys the source. */
export async function decoded(source: Readable, coding: string | null): Promise<Readable> {
  const decoder = decoders.get(coding ?? '')
  const first = decoder === undefined ? null : await firstByte(source)
  // Without a coding, or without a body, which some servers label all the same.
  if (decoder === undefined || first === null) return source
  // The pipeline reports every failure to the reader of the transform as well.
  return pipeline(source, decoder(first), () => {})
}

/** Looks at the first byte and leaves it in place; null at the end of an empty body. */
async function firstByte(source: Readable): Promise<number | null> {
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) break
    source.unshift(chunk)
    return chunk[0] ?? 0
  }
  return null
}
