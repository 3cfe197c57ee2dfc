import { parentPort } from 'node:worker_threads'
import type { Order, Outcome } from './messages.ts'
import { deriveHere } from './run.ts'

function outcomeOf({ capture, order }: Order): Outcome {
  try {
    return { derivation: deriveHere(capture, order) }
  } catch (error) {
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

parentPort?.on('message', (message: Order) => parentPort?.postMessage(outcomeOf(message)))
