import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { read } from '../content/reading.ts'
import type { Derivation } from '../domain/pages/derivation.ts'
import { fileKind } from '../domain/pages/file-kind.ts'
import { pack } from '../domain/pages/packed.ts'
import { analyses } from '../formats/analysis/index.ts'
import { inSteps } from '../lib/in-steps.ts'
import { Inbox } from './inbox.ts'
import type { Analysis, Order, OrderInPieces, Outcome, Piece, Ready } from './messages.ts'
import { asBase64, deriveFrom, deriveInSteps } from './run.ts'
import { smallBytes, together } from './small.ts'

type Message = Piece | Order | OrderInPieces | Analysis

/** Work to be answered. */
interface Task {
  /** Makes one more step, if it is made in steps; false when there was none left. */
  step(): boolean
  /** Makes what is left. */
  outcome(): Outcome
}

const inbox = new Inbox()

function packed(derivation: Derivation): Outcome {
  const page = pack(derivation)
  return { packed: page.bytes(), index: page.index }
}

const alone = (outcome: () => Outcome): Task => ({ step: () => false, outcome })

/** Small pages are read in steps: those that may take long must not delay others, which would be blamed for it. */
function pageTask({ capture, order }: Order): Task {
  if (fileKind(capture) === 'pdf') return alone(() => packed(asBase64(capture, order)))
  const reading = read(capture, order.read)
  if (capture.body.length > smallBytes || !reading.isSmall()) return alone(() => packed(deriveFrom(reading, order)))
  const derivation = inSteps(() => deriveInSteps(reading, order))
  return { step: derivation.step, outcome: () => packed(derivation.value()) }
}

/** Null for a piece, which needs no answer. */
function taskOf(work: Message): Task | null {
  try {
    if ('piece' in work) {
      inbox.take(work)
      return null
    }
    if ('order' in work) return pageTask({ order: work.order, capture: { ...work.capture, body: work.capture.body ?? inbox.whole() } })
    const analyse = analyses[work.analysis] as (input: unknown) => unknown // the pair was made by `compute`, whose types join them
    return alone(() => ({ value: analyse(work.input) }))
  } catch (error) {
    return alone(() => {
      throw error
    })
  }
}

function stepOf(task: Task): boolean {
  try {
    return task.step()
  } catch {
    // The outcome throws it again.
    return false
  }
}

function answer(task: Task): void {
  try {
    send(task.outcome())
  } catch (error) {
    send({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function send(outcome: Outcome): void {
  if (!('packed' in outcome)) return parentPort?.postMessage(outcome)
  // Small buffers live in a shared pool and cannot be transferred.
  const { packed: bytes } = outcome
  const whole = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
  parentPort?.postMessage({ ...outcome, packed: whole }, whole.buffer instanceof ArrayBuffer ? [whole.buffer] : [])
}

/** A message, and those that arrived after it. */
function arrived(first: Message): Message[] {
  const messages = [first]
  while (messages.length < together) {
    const next = parentPort && receiveMessageOnPort(parentPort)
    if (!next) break
    messages.push(next.message as Message) // what the pool sends
  }
  return messages
}

parentPort?.on('message', (first: Message) => {
  const tasks = arrived(first).flatMap((message) => taskOf(message) ?? [])
  for (let going: readonly Task[] = tasks; going.length > 0; ) going = going.filter(stepOf)
  tasks.forEach(answer)
})
parentPort?.postMessage({ ready: true } satisfies Ready)
