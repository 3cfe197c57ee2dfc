import { parentPort } from 'node:worker_threads'
import { pack } from '../domain/packed.ts'
import { analyses } from '../formats/analysis/index.ts'
import type { Analysis, Order, Outcome, Ready } from './messages.ts'
import { deriveHere } from './run.ts'

function derived({ capture, order }: Order): void {
  const page = pack(deriveHere(capture, order))
  const bytes = page.bytes()
  // Short texts lie in memory that is shared with others and cannot be handed over.
  const packed = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
  send({ packed, index: page.index }, packed.buffer instanceof ArrayBuffer ? [packed.buffer] : [])
}

function answer(work: Order | Analysis): void {
  try {
    if ('order' in work) return derived(work)
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
