/**
 * Bytes copied from pieces into one buffer. Kept as they come, pieces of one byte would take more than a hundred times their
 * size, and a site chooses how small its pieces are.
 */
export class Gathered {
  length = 0
  readonly #most: number
  #buffer = new Uint8Array(0)

  /** For at most `most` bytes in all. */
  constructor(most: number) {
    this.#most = most
  }

  add(piece: Uint8Array): void {
    const end = this.length + piece.byteLength
    if (end > this.#buffer.length) {
      const larger = new Uint8Array(Math.min(this.#most, Math.max(end, 2 * this.#buffer.length)))
      larger.set(this.bytes())
      this.#buffer = larger
    }
    this.#buffer.set(piece, this.length)
    this.length = end
  }

  /** What was gathered so far; it does not change when more is added. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length)
  }

  /** The same in a buffer without spare room. */
  whole(): Uint8Array {
    return this.length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.length)
  }
}
