import type { Worker } from 'node:worker_threads'
import type { Analysis, Order, OrderInPieces, Piece } from './messages.ts'

/** Bytes copied in one turn of the event loop: 50 MB at once blocked it for a quarter of a second where memory is slow to allocate (measured). */
const pieceBytes = 4 * 2 ** 20

/** A message, or a part of one. */
interface Part {
  send(): void
  failed(error: unknown): void
}

/** Messages to a worker, delivered in order. */
export class Outbox {
  readonly #worker: Pick<Worker, 'postMessage'>
  readonly #waiting: Part[] = []

  constructor(worker: Pick<Worker, 'postMessage'>) {
    this.#worker = worker
  }

  /**
   * Sends a message: at once, or, if it is large, in pieces with a turn of the event loop between them. `failed` is told why it
   * cannot be sent; a part of it may have been, so that nothing is sent after that.
   */
  send(work: Order | Analysis, failed: (error: unknown) => void): void {
    const isFirst = this.#waiting.length === 0
    const parts = 'order' in work && work.capture.body.length > pieceBytes ? this.#inPieces(work) : [() => this.#worker.postMessage(work)]
    this.#waiting.push(...parts.map((send) => ({ send, failed })))
    if (isFirst) this.#next()
  }

  #next = (): void => {
    const [part] = this.#waiting
    try {
      part?.send()
    } catch (error) {
      // What is left stays where it is: the next message is not the first then, and does not start it again.
      return part?.failed(error)
    }
    this.#waiting.shift()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }

  #inPieces(work: Order): (() => void)[] {
    const { body, ...capture } = work.capture
    const pieces = Array.from({ length: Math.ceil(body.length / pieceBytes) }, (_, i) => () => {
      // A true copy: `slice` of a Buffer shares its memory.
      const piece = new Uint8Array(body.subarray(i * pieceBytes, (i + 1) * pieceBytes))
      this.#worker.postMessage({ piece, of: body.length } satisfies Piece, [piece.buffer])
    })
    return [...pieces, () => this.#worker.postMessage({ ...work, capture: { ...capture, body: null } } satisfies OrderInPieces)]
  }
}
