import { parentPort } from 'node:worker_threads'
import { pack } from '../domain/pages/packed.ts'
import { analyses } from '../formats/analysis/index.ts'
import { Inbox } from './inbox.ts'
import type { Analysis, Order, OrderInPieces, Outcome, Piece, Ready } from './messages.ts'
import { deriveHere } from './run.ts'

const inbox = new Inbox()

function derived({ capture, order }: Order): void {
  const page = pack(deriveHere(capture, order))
  const bytes = page.bytes()
  // Small buffers live in a shared pool and cannot be transferred.
  const packed = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
  send({ packed, index: page.index }, packed.buffer instanceof ArrayBuffer ? [packed.buffer] : [])
}

function answer(work: Piece | Order | OrderInPieces | Analysis): void {
  try {
    if ('piece' in work) return inbox.take(work)
    if ('order' in work) return derived({ order: work.order, capture: { ...work.capture, body: work.capture.body ?? inbox.whole() } })
    const analyse = analyses[work.analysis] as (input: unknown) => unknown // the pair was made by `compute`, whose types join them
    send({ value: analyse(work.input) }, [])
  } catch (error) {
    send({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }, [])
  }
}

function send(outcome: Outcome, handedOver: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(outcome, handedOver)
}

parentPort?.on('message', answer)
parentPort?.postMessage({ ready: true } satisfies Ready)
