import { parentPort } from 'node:worker_threads'
import { pack } from '../domain/packed.ts'
import type { Order, Outcome } from './messages.ts'
import { deriveHere } from './run.ts'

function answer({ capture, order, practice }: Order): void {
  try {
    const { bytes } = pack(deriveHere(capture, order))
    if (practice) return
    // Short texts lie in memory that is shared with others and cannot be handed over.
    const packed = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    send({ packed }, packed.buffer instanceof ArrayBuffer ? [packed.buffer] : [])
  } catch (error) {
    if (practice) return
    send({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }, [])
  }
}

function send(outcome: Outcome, handedOver: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(outcome, handedOver)
}

parentPort?.on('message', answer)
