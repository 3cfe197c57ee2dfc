import { Malformed, type Framing } from './head.ts'

/** Bytes that are buffered before the connection is paused. */
const enough = 256 * 1024
/** Longest chunk-size line with its extensions, and longest trailer section, in bytes. */
const maxLine = 8 * 1024
const maxTrailers = 64 * 1024

const chunkSize = /^([0-9a-f]{1,12})[ \t]*(?:;[^\0-\x08\n-\x1f\x7f]*)?$/i
const lineFeed = 0x0a
const lineEnd = 2

/** What a body needs of its connection. */
export interface Source {
  pause(): void
  resume(): void
  /** Called when the rest of the body will not be read. */
  leave(): void
}

type Waiting = { readonly resolve: (result: IteratorResult<Uint8Array, undefined>) => void; readonly reject: (error: unknown) => void }

/**
 * The body of an answer. It can be read once, and may be abandoned. Throws the error it failed with, such as `Malformed`
 * for invalid chunks. `take` returns how many of the given bytes belong to the body.
 */
export class AnswerBody implements AsyncIterableIterator<Uint8Array> {
  /** Whether the whole body has arrived. */
  complete = false

  readonly #framing: Framing
  readonly #source: Source
  #left: number
  #chunk: 'size' | 'data' | 'end' | 'trailers' = 'size'
  #line = ''
  #trailers = 0
  /** What the chunks of the bytes that are being taken contain. */
  #parts: Uint8Array[] = []
  readonly #pieces: Uint8Array[] = []
  #bytes = 0
  #isPaused = false
  #error: Error | null = null
  #waiting: Waiting | null = null

  constructor(framing: Framing, source: Source) {
    this.#framing = framing
    this.#source = source
    this.#left = framing.by === 'length' ? framing.bytes : 0
    if (framing.by === 'length' && framing.bytes === 0) this.complete = true
  }

  get hasFailed(): boolean {
    return this.#error !== null
  }

  take(bytes: Uint8Array): number {
    const taken = this.#takeAll(bytes)
    if (!this.complete && !this.#isPaused && this.#bytes >= enough) {
      this.#isPaused = true
      this.#source.pause()
    }
    return taken
  }

  /** Tells the body that the connection has ended, with an error or regularly. */
  end(error: Error | null): void {
    if (this.complete || this.#error !== null) return
    if (error === null && this.#framing.by === 'close') this.#finish()
    else this.fail(error ?? new Error('The connection ended before the answer did.'))
  }

  fail(error: Error): void {
    this.#join()
    this.#error = error
    this.#waiting?.reject(error)
    this.#waiting = null
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const piece = this.#pieces.shift()
    if (piece !== undefined) {
      this.#bytes -= piece.length
      if (this.#bytes < enough) this.#goOn()
      return Promise.resolve({ value: piece, done: false })
    }
    if (this.#error !== null) return Promise.reject(this.#error)
    if (this.complete) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.leave()
    return Promise.resolve({ value: undefined, done: true })
  }

  /** Abandons the rest of the body. */
  leave(): void {
    if (!this.complete) this.#source.leave()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #takeAll(bytes: Uint8Array): number {
    if (this.#framing.by === 'close') {
      if (bytes.length > 0) this.#keep(bytes)
      return bytes.length
    }
    if (this.#framing.by === 'length') {
      const taken = this.#takeData(bytes, 0)
      this.#join()
      if (this.#left === 0) this.#finish()
      return taken
    }
    let at = 0
    while (at < bytes.length && !this.complete && this.#error === null) at = this.#chunk === 'data' ? this.#takeChunk(bytes, at) : this.#takeLine(bytes, at)
    this.#join()
    return at
  }

  #takeData(bytes: Uint8Array, at: number): number {
    const taken = Math.min(this.#left, bytes.length - at)
    if (taken > 0) this.#parts.push(bytes.subarray(at, at + taken))
    this.#left -= taken
    return at + taken
  }

  #takeChunk(bytes: Uint8Array, at: number): number {
    const behind = this.#takeData(bytes, at)
    if (this.#left === 0) this.#chunk = 'end'
    return behind
  }

  /** Consumes a line, or the available part of one. */
  #takeLine(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(lineFeed, at)
    const behind = end < 0 ? bytes.length : end + 1
    if (this.#line.length + behind - at > maxLine) this.fail(new Malformed())
    else this.#line += Buffer.from(bytes.buffer, bytes.byteOffset + at, behind - at).toString('latin1')
    if (end < 0 || this.#error !== null) return behind
    const line = this.#line
    this.#line = ''
    if (line.endsWith('\r\n')) this.#read(line.slice(0, -lineEnd))
    else this.fail(new Malformed())
    return behind
  }

  #read(line: string): void {
    if (this.#chunk === 'size') {
      const size = chunkSize.exec(line)?.[1]
      if (size === undefined) return this.fail(new Malformed())
      this.#left = Number.parseInt(size, 16)
      this.#chunk = this.#left === 0 ? 'trailers' : 'data'
    } else if (this.#chunk === 'end') {
      if (line !== '') this.fail(new Malformed())
      this.#chunk = 'size'
    } else if (line === '') {
      this.#finish()
    } else if ((this.#trailers += line.length) > maxTrailers) {
      this.fail(new Malformed())
    }
  }

  /** Keeps what came at once as one piece: a site may send chunks of one byte, and each piece costs a hundred times as much. */
  #join(): void {
    const [first, ...more] = this.#parts
    if (first === undefined) return
    this.#parts = []
    this.#keep(more.length === 0 ? first : Buffer.concat([first, ...more]))
  }

  #keep(piece: Uint8Array): void {
    if (this.#waiting !== null) {
      this.#waiting.resolve({ value: piece, done: false })
      this.#waiting = null
      return
    }
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }

  #goOn(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#source.resume()
  }

  #finish(): void {
    this.#join()
    this.complete = true
    // The connection is free for the next request, whoever has yet to read this body.
    this.#goOn()
    this.#waiting?.resolve({ value: undefined, done: true })
    this.#waiting = null
  }
}
