import type { Piece } from './messages.ts'

/** Puts together the bodies that arrive in pieces at a worker, one after the other. */
export class Inbox {
  #body = new Uint8Array(0)
  #length = 0
  #error: unknown = null

  /** Takes a piece. Does not throw: the answer to a piece would be taken for that to another page. */
  take({ piece, of }: Piece): void {
    if (this.#error !== null) return
    try {
      if (this.#length === 0) this.#body = new Uint8Array(of)
      this.#body.set(piece, this.#length)
      this.#length += piece.length
    } catch (error) {
      this.#error = error
    }
  }

  /** The body that has arrived; throws what its pieces met, such as a lack of memory. */
  whole(): Uint8Array {
    const [whole, error] = [this.#body, this.#error]
    this.#body = new Uint8Array(0)
    this.#length = 0
    this.#error = null
    if (error !== null) throw error
    return whole
  }
}
