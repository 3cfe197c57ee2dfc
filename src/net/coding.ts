import { pipeline, type Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, gunzip, inflate, inflateRaw } from 'node:zlib'
import { ServiceError } from '../domain/errors.ts'
import type { Body } from './body.ts'
import { type HeaderList, headerValues } from './headers.ts'

const chunkSize = 64 * 1024
// A body cut short inside its last block is still shown by browsers: flush what there is instead of failing.
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH, chunkSize }
const lenientBrotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH, chunkSize }

type Strict = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<unknown>

/** How a coding is removed: from a stream, forgiving an end in the middle, and from the whole of it, not forgiving that. */
interface Coding {
  readonly decoder: () => Transform
  readonly strict: Strict
}

const gzip: Coding = { decoder: () => createGunzip(lenient), strict: promisify(gunzip) }
const zlib: Coding = { decoder: () => createInflate(lenient), strict: promisify(inflate) }
const bare: Coding = { decoder: () => createInflateRaw(lenient), strict: promisify(inflateRaw) }
const brotli: Coding = { decoder: () => createBrotliDecompress(lenientBrotli), strict: promisify(brotliDecompress) }

const removable: ReadonlyMap<string, (firstByte: number) => Coding> = new Map([
  ['gzip', () => gzip],
  ['x-gzip', () => gzip],
  // "deflate" means zlib (RFC 9110 §8.4.1.2), yet some servers send the bare stream; the first byte tells them apart.
  ['deflate', (first: number) => ((first & 0x0f) === 8 ? zlib : bare)],
  ['br', () => brotli],
])

/** The codings that `decoded` removes. */
export const decodable: readonly string[] = [...removable.keys()]
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

/** A body with its coding removed. */
export interface Decoded {
  /** Destroying the answer destroys the source. */
  readonly chunks: Readable
  /** The body that was read of it, truncated where the site broke off: a coded body ends in the middle though its answer is complete. */
  checked(read: Body): Promise<Body>
}

/** The body with that coding removed. */
export async function decoded(source: Readable, coding: string | null): Promise<Decoded> {
  const codingOf = removable.get(coding ?? '')
  const first = codingOf === undefined ? null : await firstByte(source)
  // Without a coding, or without a body, which some servers label all the same.
  if (codingOf === undefined || first === null) return { chunks: source, checked: async (read) => read }
  const kept = keptOf(source)
  const { decoder, strict } = codingOf(first)
  return {
    // The pipeline reports every failure to the reader of the transform as well.
    chunks: pipeline(source, decoder(), () => {}),
    checked: async (read) => (read.truncated || (await isWhole(kept(), { strict, length: read.body.byteLength })) ? read : { ...read, truncated: true }),
  }
}

/** Coded bytes that are kept to be looked at once more; pages are shorter. */
const maxKept = 2 ** 20

/** Keeps what comes of a source; answers it, or what it ends in where that is more than is kept. */
function keptOf(source: Readable): () => { readonly bytes: Buffer; readonly all: boolean } {
  let parts: Buffer[] = []
  let length = 0
  let all = true
  source.on('data', (chunk: Buffer) => {
    parts.push(chunk)
    length += chunk.byteLength
    if (length <= maxKept) return
    all = false
    parts = [Buffer.concat(parts.slice(-2)).subarray(-sizeBytes)]
  })
  return () => ({ bytes: Buffer.concat(parts), all })
}

/** A file of gzip ends in the length of what it holds (RFC 1952 §2.3.1). */
const sizeBytes = 4

/** Whether a coded body is complete but for its checksum, as far as that can be told: what is too long to be looked at again, by its last bytes. */
async function isWhole({ bytes, all }: { readonly bytes: Buffer; readonly all: boolean }, { strict, length }: { readonly strict: Strict; readonly length: number }): Promise<boolean> {
  const isGzip = strict === gzip.strict
  if (isGzip && bytes.length >= sizeBytes && bytes.readUInt32LE(bytes.length - sizeBytes) === length % 2 ** 32) return true
  if (!all) return !isGzip
  const limit = { maxOutputLength: length + chunkSize }
  if ((await faultOf(strict(bytes, limit))) !== 'Z_BUF_ERROR') return true
  // Where only the checksum is missing, any other is a wrong one.
  return (await faultOf(strict(Buffer.concat([bytes, Buffer.alloc(8)]), limit))) === 'incorrect data check'
}

/** How decoding fails, by its code or, of data that is not right, in words; null where it does not. */
async function faultOf(decoding: Promise<unknown>): Promise<string | null> {
  try {
    await decoding
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return code === 'Z_DATA_ERROR' && error instanceof Error ? error.message : code
  }
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
