import { Chunks } from './chunks.ts'
import type { Framing } from './head.ts'

/** Bytes that are buffered before the connection is paused. */
const enough = 256 * 1024

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
  readonly #chunks = new Chunks()
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
      const taken = Math.min(this.#left, bytes.length)
      if (taken > 0) this.#keep(bytes.subarray(0, taken))
      this.#left -= taken
      if (this.#left === 0) this.#finish()
      return taken
    }
    // What came at once is kept as one piece: a site may send chunks of one byte, and each piece costs a hundred times as much.
    const { contents, taken, error } = this.#chunks.take(bytes)
    if (contents !== null) this.#keep(contents)
    if (error !== null) this.fail(error)
    else if (this.#chunks.complete) this.#finish()
    return taken
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
    this.complete = true
    // The connection is free for the next request, whoever has yet to read this body.
    this.#goOn()
    this.#waiting?.resolve({ value: undefined, done: true })
    this.#waiting = null
  }
}
