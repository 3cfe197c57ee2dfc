import { type BrotliDecompress, constants, createBrotliDecompress, createInflateRaw, type InflateRaw } from 'node:zlib'
import { codeOf } from './failures.ts'

/**
 * Decodes the bytes of a source; returns whether the coded data was complete. What comes behind it is left unread, and
 * checksums are not looked at, as in browsers. Throws for data that is invalid, and what the source throws.
 */
export type Decode = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array, boolean>

/** Decodes gzip files, one after another (RFC 1952 §2.2). */
export const gunzip: Decode = (source) => reading(source, async function* (input) {
  let isWhole = false
  let files = 0
  for (; files < mostFiles && (await gzipHead(input)); files++) {
    try {
      isWhole = yield* stream(input, createInflateRaw(zlibOptions))
    } catch (error) {
      if (files === 0 || codeOf(error) !== 'Z_DATA_ERROR') throw error
      return false
    }
    await input.take(gzipChecks)
  }
  if (files === 0) throw new Error('not gzip')
  return isWhole && (files < mostFiles || (await input.peek()).length === 0)
})

/** Decodes "deflate", which means zlib (RFC 9110 §8.4.1.2); but some servers send the raw stream, which the first byte tells. */
export const inflate: Decode = (source) => reading(source, async function* (input) {
  const [first = 0] = await input.peek()
  const isZlib = (first & 0x0f) === 8
  if (isZlib) await input.take(zlibHead)
  const isWhole = yield* stream(input, createInflateRaw(zlibOptions))
  // Where a body is read to its end, its connection can be used again.
  if (isZlib) await input.take(zlibChecks + 1)
  return isWhole
})

/** Decodes Brotli data (RFC 7932). */
export const unbrotli: Decode = (source) => reading(source, (input) => stream(input, createBrotliDecompress(brotliOptions)))

/** Each file takes a decoder of its own, however little it holds: those of 64 KB fill the largest bodies with far fewer. */
const mostFiles = 1_024

const chunkSize = 64 * 1024
// What has come is given at once; an end that is missing is an error.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_FINISH, chunkSize }
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FINISH, chunkSize }

/** Checksum and length behind a gzip stream; head, and checksum behind a zlib stream. In bytes. */
const gzipChecks = 8
const zlibHead = 2
const zlibChecks = 4

/** Runs a decoder over a source, unless that is empty: some servers name a coding without a body. */
async function* reading(source: AsyncIterable<Uint8Array>, decode: (input: Input) => AsyncGenerator<Uint8Array, boolean>): AsyncGenerator<Uint8Array, boolean> {
  const input = new Input(source)
  try {
    return (await input.peek()).length === 0 || (yield* decode(input))
  } finally {
    input.leave()
  }
}

/** Coded bytes as they come; what is not used may be put back. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>
  #left: Uint8Array = none

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The bytes that are there, without using them; none at the end. */
  async peek(): Promise<Uint8Array> {
    while (this.#left.length === 0) {
      const { done, value } = await this.#source.next()
      if (done === true) break
      this.#left = value
    }
    return this.#left
  }

  /** So many bytes; fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    const taken: Uint8Array[] = []
    for (let missing = count; missing > 0;) {
      const part = (await this.peek()).subarray(0, missing)
      if (part.length === 0) break
      this.use(part.length)
      taken.push(part)
      missing -= part.length
    }
    return Buffer.concat(taken)
  }

  /** Takes the bytes up to the next zero. */
  async takeText(): Promise<void> {
    for (let bytes = await this.peek(); bytes.length > 0; bytes = await this.peek()) {
      const end = bytes.indexOf(0)
      this.use(end < 0 ? bytes.length : end + 1)
      if (end >= 0) return
    }
  }

  /** Uses so many of the bytes that are there. */
  use(count: number): void {
    this.#left = this.#left.subarray(count)
  }

  leave(): void {
    // Nobody waits for the rest, nor for its failure.
    void this.#source.return?.()?.catch(() => undefined)
  }
}

const none = new Uint8Array(0)

/** Reads the head of a gzip file (RFC 1952 §2.3); false where there is none. One that is cut off is a head without data. */
async function gzipHead(input: Input): Promise<boolean> {
  const fixed = await input.take(10)
  const flags = fixed[3] ?? 0
  if (fixed.length === 0 || ![0x1f, 0x8b, 8].every((byte, at) => byte === (fixed[at] ?? byte)) || flags >= 0x20) return false
  if ((flags & 0x04) !== 0) {
    const [low = 0, high = 0] = await input.take(2)
    await input.take(low + 256 * high)
  }
  if ((flags & 0x08) !== 0) await input.takeText()
  if ((flags & 0x10) !== 0) await input.takeText()
  if ((flags & 0x02) !== 0) await input.take(2)
  return true
}

/** Decodes one stream; what follows it stays in the input. Returns whether it was complete. */
async function* stream(input: Input, decoder: InflateRaw | BrotliDecompress): AsyncGenerator<Uint8Array, boolean> {
  let passed = 0
  let isFed = false
  let failure: unknown = null
  // A decoder that fails drops what it holds. So it is told of the end, which may come too early, when it holds nothing.
  const close = (): void => {
    if (isFed && decoder.readableLength === 0) decoder.end()
  }
  const use = (): void => {
    input.use(decoder.bytesWritten - passed)
    passed = decoder.bytesWritten
  }
  const feed = async (): Promise<void> => {
    for (let end = 0; passed === end;) {
      const chunk = await input.peek()
      if (chunk.length === 0) return
      end += chunk.length
      // Where the stream ends inside the chunk, the decoder uses no more, and some versions never call back.
      await new Promise<void>((resolve, reject) => void decoder.write(chunk, (error) => (error ? reject(error) : resolve())))
      use()
    }
  }
  const fed = (error: unknown): void => {
    failure = error
    isFed = true
    close()
  }
  feed().then(() => fed(null), fed)
  try {
    for await (const part of decoder) {
      yield part
      close()
    }
  } catch (error) {
    if (failure === null && codeOf(error) === 'Z_BUF_ERROR') return false
    throw failure ?? error
  } finally {
    decoder.destroy()
  }
  if (failure !== null) throw failure
  use()
  return true
}
