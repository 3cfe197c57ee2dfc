import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import type { Room } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { type HeaderList, headerValues } from './headers.ts'

/** A body as kept: at most the bytes asked for. */
export interface Body {
  readonly body: Uint8Array
  readonly truncated: boolean
}

/** On whose behalf a body is read: the memory it comes out of, how long it may wait for that, and its length where that is known. */
export interface Reader {
  readonly room: Room | undefined
  readonly signal: AbortSignal
  readonly length?: number | null
}

/** Bodies up to this size are nobody's concern. */
const smallBytes = 2 ** 20

/**
 * Reads up to `maxBytes` and leaves the rest unread. A body that turns out to be large is read on only when there is room for all that it may
 * become, which then stays taken. Rejects with what the source rejects with, and with the signal's reason while it waits.
 */
export async function readBody(chunks: AsyncIterable<Uint8Array>, maxBytes: number, reader?: Reader): Promise<Body> {
  const body = collector(Math.min(maxBytes, reader?.length ?? maxBytes), reader)
  try {
    for await (const chunk of chunks) {
      const left = maxBytes - body.length()
      await body.add(chunk.byteLength > left ? chunk.subarray(0, left) : chunk)
      if (chunk.byteLength > left) return { body: body.whole(), truncated: true }
    }
    return { body: body.whole(), truncated: false }
  } catch (error) {
    body.drop()
    throw error
  }
}

interface Collector {
  length(): number
  add(chunk: Uint8Array): Promise<void>
  whole(): Uint8Array
  /** Gives the room back. */
  drop(): void
}

/** Gathers a small body in parts, a large one in a piece of memory that holds all of it: parts to be joined would take twice as much. */
function collector(mostBytes: number, reader: Reader | undefined): Collector {
  const parts: Uint8Array[] = []
  let length = 0
  let memory: Uint8Array | null = null

  async function enlarge(): Promise<Uint8Array> {
    await reader?.room?.take(mostBytes, reader.signal)
    memory = join(parts.splice(0), mostBytes)
    return memory
  }

  return {
    length: () => length,
    async add(chunk) {
      const end = length + chunk.byteLength
      if (end > mostBytes) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site sends more than it announced.')
      if (memory === null && end <= smallBytes) parts.push(chunk)
      else (memory ?? (await enlarge())).set(chunk, length)
      length = end
    },
    whole() {
      if (memory === null) return join(parts, length)
      // What was never written takes no memory. A copy takes no more than was set aside for it, unless more than half is used.
      if (length > memory.length / 2) return memory.subarray(0, length)
      reader?.room?.give(memory.length - length)
      return memory.slice(0, length)
    },
    drop() {
      if (memory !== null) reader?.room?.give(memory.length)
    },
  }
}

/** Memory of that length that begins with the parts. */
function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** The length of the body itself as its headers tell it; null where they tell that of something else, or nothing that can be relied on. */
export function lengthOf(headers: HeaderList): number | null {
  const [length = '', ...more] = headerValues(headers, 'content-length')
  const certain = more.length === 0 && /^\d{1,15}$/.test(length) && !headers.some(([name]) => unmeasured.includes(name))
  return certain ? Number(length) : null
}

// With these the length is that of something else than what is read.
const unmeasured = ['content-encoding', 'transfer-encoding']

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
