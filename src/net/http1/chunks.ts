import { Malformed } from './head.ts'

/** Longest chunk-size line with its extensions, most digits of a size, and longest trailer section, in bytes. */
const maxLine = 8 * 1024
const maxDigits = 12
const maxTrailers = 64 * 1024
/** Fewer bytes are copied one by one: a view of them costs more. */
const fewBytes = 64

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const semicolon = 0x3b
const deleted = 0x7f
/** The value of each hexadecimal digit, by its byte; of all other bytes, -1. */
const digits = Int8Array.from({ length: 256 }, (_, byte) => (/[0-9a-f]/i.test(String.fromCharCode(byte)) ? Number.parseInt(String.fromCharCode(byte), 16) : -1))

type Part = 'size' | 'blank' | 'extension' | 'size-end' | 'data' | 'data-end' | 'data-feed' | 'trailer' | 'trailer-feed'

/** The contents of the chunks of one piece: a view of it while there is one chunk, otherwise a copy. */
class Contents {
  readonly #from: Uint8Array
  #only: Uint8Array | null = null
  #copy: Buffer | null = null
  #length = 0

  constructor(from: Uint8Array) {
    this.#from = from
  }

  add(start: number, end: number): void {
    if (this.#only === null) return void (this.#only = this.#from.subarray(start, end))
    if (this.#copy === null) {
      this.#copy = Buffer.alloc(this.#from.length)
      this.#copy.set(this.#only)
      this.#length = this.#only.length
    }
    if (end - start > fewBytes) this.#copy.set(this.#from.subarray(start, end), this.#length)
    else for (let at = start; at < end; at++) this.#copy[this.#length + at - start] = this.#from[at] ?? 0
    this.#length += end - start
  }

  bytes(): Uint8Array | null {
    const [found, of] = this.#copy === null ? [this.#only, this.#from] : [this.#copy.subarray(0, this.#length), this.#copy]
    // What is kept holds no more memory than twice what it says.
    return found !== null && found.length * 2 < of.length ? Buffer.from(found) : found
  }
}

/** What the chunks of some bytes contain (null: nothing), how many of the bytes belong to them, and whether what follows is invalid. */
export interface Unchunked {
  readonly contents: Uint8Array | null
  readonly taken: number
  readonly error: Malformed | null
}

/**
 * Takes chunks apart (RFC 9112 §7.1). It goes through their frames byte by byte and makes nothing of them, as a site may
 * send chunks of one byte and thus two lines for each byte of its page, while everybody else waits.
 */
export class Chunks {
  /** Whether the last chunk and the trailers have arrived. */
  complete = false

  #part: Part = 'size'
  /** The size of the chunk as far as it is known, then how much of it is to come. */
  #left = 0
  #digits = 0
  /** Bytes of the line so far, and of all trailers. */
  #line = 0
  #trailers = 0

  take(bytes: Uint8Array): Unchunked {
    const contents = new Contents(bytes)
    let at = 0
    while (at < bytes.length && !this.complete) {
      if (this.#part === 'data') {
        const end = Math.min(bytes.length, at + this.#left)
        contents.add(at, end)
        this.#left -= end - at
        if (this.#left === 0) this.#part = 'data-end'
        at = end
      } else if (!this.#takeFrame(bytes[at++] ?? 0)) {
        return { contents: contents.bytes(), taken: at, error: new Malformed() }
      }
    }
    return { contents: contents.bytes(), taken: at, error: null }
  }

  /** Takes a byte between the contents of chunks; returns whether it may be there. */
  #takeFrame(byte: number): boolean {
    switch (this.#part) {
      case 'size':
      case 'blank':
      case 'extension':
        return this.#takeSize(byte)
      case 'size-end':
        return byte === lineFeed && this.#begin()
      case 'data-end':
        return byte === carriageReturn && this.#go('data-feed')
      case 'data-feed':
        this.#digits = 0
        return byte === lineFeed && this.#go('size')
      default:
        return this.#takeTrailer(byte)
    }
  }

  #takeSize(byte: number): boolean {
    const digit = this.#part === 'size' ? (digits[byte] ?? -1) : -1
    if (digit >= 0) {
      this.#left = this.#left * 16 + digit
      return ++this.#digits <= maxDigits
    }
    if (this.#digits === 0 || ++this.#line > maxLine) return false
    if (byte === carriageReturn) return this.#go('size-end')
    if (this.#part === 'extension') return byte === tab || (byte >= space && byte !== deleted)
    if (byte === semicolon) return this.#go('extension')
    return (byte === space || byte === tab) && this.#go('blank')
  }

  #begin(): boolean {
    this.#line = 0
    return this.#go(this.#left === 0 ? 'trailer' : 'data')
  }

  #takeTrailer(byte: number): boolean {
    if (this.#part === 'trailer-feed') {
      if (byte !== lineFeed) return false
      this.complete = this.#line === 0
      this.#line = 0
      return this.#go('trailer')
    }
    if (byte === lineFeed) return false
    if (byte === carriageReturn) return this.#go('trailer-feed')
    return ++this.#line <= maxLine && ++this.#trailers <= maxTrailers
  }

  #go(part: Part): boolean {
    this.#part = part
    return true
  }
}
