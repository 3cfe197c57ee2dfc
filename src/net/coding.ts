import { pipeline, type Readable, type Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { ServiceError } from '../domain/errors.ts'
import type { Body } from './body.ts'
import { Gathered } from './gathered.ts'
import { type HeaderList, headerValues } from './headers.ts'

const chunkSize = 64 * 1024
// Browsers show a body that ends inside its last block: flush what is there instead of failing.
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH, chunkSize }
const lenientBrotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize }

/** How a content coding is removed: accepting an incomplete end, and only from what is complete. */
interface Coding {
  readonly decoder: () => Transform
  readonly strict: () => Transform
}

const gzip: Coding = { decoder: () => createGunzip(lenient), strict: () => createGunzip({ chunkSize }) }
const zlib: Coding = { decoder: () => createInflate(lenient), strict: () => createInflate({ chunkSize }) }
const bare: Coding = { decoder: () => createInflateRaw(lenient), strict: () => createInflateRaw({ chunkSize }) }
const brotli: Coding = { decoder: () => createBrotliDecompress(lenientBrotli), strict: () => createBrotliDecompress({ chunkSize }) }

const removable: ReadonlyMap<string, (firstByte: number) => Coding> = new Map([
  ['gzip', () => gzip],
  ['x-gzip', () => gzip],
  // "deflate" means zlib (RFC 9110 §8.4.1.2), but some servers send the raw stream; the first byte tells which.
  ['deflate', (first: number) => ((first & 0x0f) === 8 ? zlib : bare)],
  ['br', () => brotli],
])

/** The codings that `decoded` removes. */
export const decodable: readonly string[] = [...removable.keys()]
const codings = [...decodable, 'zstd', 'compress', 'x-compress']

/**
 * The content coding of an answer; null without one. Unknown names are ignored, as browsers do. Throws `SCRAPE_SITE_ERROR`
 * for more than one coding (R19), or one that was not `offered`.
 */
export function contentCoding(headers: HeaderList, offered: readonly string[]): string | null {
  const words = headerValues(headers, 'content-encoding').join(',').split(',').map((word) => word.trim().toLowerCase())
  const [coding, ...more] = words.filter((word) => codings.includes(word))
  if (coding === undefined) return null
  if (more.length === 0 && offered.includes(coding)) return coding
  throw new ServiceError('SCRAPE_SITE_ERROR', 'The site compressed the page in a way that was not offered.')
}

/** The headers without those that describe the coded body and are wrong for the decoded one. */
export function withoutCoding(headers: HeaderList): HeaderList {
  const coded = headerValues(headers, 'content-encoding').some((value) => codings.some((coding) => value.toLowerCase().includes(coding)))
  return coded ? headers.filter(([name]) => name !== 'content-encoding' && name !== 'content-length') : headers
}

/** A body with its coding removed. */
export interface Decoded {
  /** Destroying this stream destroys the source. */
  readonly chunks: Readable
  /**
   * The body that was read, marked as truncated when the coded data is incomplete: a complete response may contain an
   * incomplete coded body.
   */
  checked(read: Body): Promise<Body>
}

/** Removes the coding from a body. */
export async function decoded(source: Readable, coding: string | null): Promise<Decoded> {
  const codingOf = removable.get(coding ?? '')
  const first = codingOf === undefined ? null : await firstByte(source)
  // There is no coding, or no body: some servers send the header anyway.
  if (codingOf === undefined || first === null) return { chunks: source, checked: async (read) => read }
  const kept = keptOf(source)
  const { decoder, strict } = codingOf(first)
  return {
    // The pipeline reports every failure to the reader of the transform as well.
    chunks: pipeline(source, decoder(), () => {}),
    checked: async (read) => (read.truncated || read.unwanted || (await isWhole(kept(), { strict, length: read.body.byteLength })) ? read : { ...read, truncated: true }),
  }
}

/** Coded bytes that are kept for the check; pages are shorter. */
const maxKept = 2 ** 20

/** Collects the bytes of a source; returns a function that gives them, or their last bytes when there are too many. */
function keptOf(source: Readable): () => { readonly bytes: Buffer; readonly all: boolean } {
  const kept = new Gathered(maxKept)
  let end = Buffer.alloc(0)
  let all = true
  source.on('data', (chunk: Buffer) => {
    all &&= kept.length + chunk.byteLength <= maxKept
    if (all) kept.add(chunk)
    else end = Buffer.concat([end.length === 0 ? kept.bytes() : end, chunk]).subarray(-sizeBytes)
  })
  return () => ({ bytes: all ? bufferOf(kept.bytes()) : end, all })
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A gzip file ends in the length of its content (RFC 1952 §2.3.1). */
const sizeBytes = 4

/**
 * Whether a coded body is complete, apart from its checksum. A body that was too long to keep is judged by its last bytes:
 * only gzip can be.
 */
async function isWhole({ bytes, all }: { readonly bytes: Buffer; readonly all: boolean }, { strict, length }: { readonly strict: Coding['strict']; readonly length: number }): Promise<boolean> {
  const isGzip = strict === gzip.strict
  if (isGzip && bytes.length >= sizeBytes && bytes.readUInt32LE(bytes.length - sizeBytes) === length % 2 ** 32) return true
  if (!all) return !isGzip
  if ((await faultOf(strict(), bytes)) !== 'Z_BUF_ERROR') return true
  // When only the checksum is missing, a false one fails as incorrect.
  return (await faultOf(strict(), Buffer.concat([bytes, Buffer.alloc(8)]))) === 'incorrect data check'
}

/** How decoding fails: its error code, or the message for invalid data; null when it does not fail. What it gives is not kept. */
async function faultOf(decoder: Transform, bytes: Buffer): Promise<string | null> {
  try {
    decoder.on('data', () => undefined).end(bytes)
    await finished(decoder)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return code === 'Z_DATA_ERROR' && error instanceof Error ? error.message : code
  }
}

/** Reads the first byte without consuming it; null at the end of an empty body. */
async function firstByte(source: Readable): Promise<number | null> {
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) break
    source.unshift(chunk)
    return chunk[0] ?? 0
  }
  return null
}
