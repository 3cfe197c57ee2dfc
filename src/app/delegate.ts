import type { Call } from '../domain/call.ts'
import { queueError, ServiceError, StoreAway, storeAwayError } from '../domain/errors.ts'
import type { Blobs } from '../domain/blobs.ts'
import { workerGone, type Queue, type Task, type TaskOutcome } from '../domain/queue.ts'
import type { ErrorCode } from '../spec/errors.ts'
import type { Results } from '../domain/pages/results.ts'
import { namedBlob } from './kept-blobs.ts'
import { answerLeft } from './results.ts'
import { plan } from './scrape/plan.ts'
import type { ScrapePorts } from './scrape/scrape.ts'
import type { ScrapeJob } from './scrape/settlement.ts'
import { anySignal } from '../lib/any-signal.ts'
import { timeLimit } from '../lib/deadline.ts'

/** The kind of task that passes a synchronous scrape from an `api` process to a `worker`. */
export const scrapeTask = 'scrape'

/** Work of one kind for a worker. */
export interface Errand<J> {
  readonly kind: string
  readonly job: J
  /** How many workers may try it, one after another, when they die. */
  readonly attempts: number
  /** What to throw when its workers die. */
  readonly unfinished: ServiceError
}

/** Synchronous requests are leased before pages of jobs. */
const interactivePriority = 0
const lookEveryMs = 500

interface Payload<J> {
  readonly job: J
  readonly callId: string
  readonly key?: Call['key']
  readonly deadline: number
  readonly retention: Call['retention']
}

/** The reply: bytes in a blob, bytes that must not be stored anywhere else, or an error. */
type Reply =
  | { readonly blob: string }
  | { readonly body: string }
  | { readonly code: ErrorCode; readonly message: string; readonly details?: unknown; readonly retryAfterSeconds?: number }

export interface DelegatePorts {
  readonly queue: Queue
  readonly blobs: Blobs
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

async function bytesOf(reply: Reply, blobs: Blobs): Promise<Uint8Array> {
  if ('body' in reply) return Buffer.from(reply.body)
  if ('blob' in reply) return namedBlob(blobs, reply.blob)
  throw new ServiceError(reply.code, reply.message, {
    ...(reply.details === undefined ? {} : { details: reply.details }),
    ...(reply.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: reply.retryAfterSeconds }),
  })
}

async function awaitOutcome(id: string, ports: DelegatePorts, call: Call): Promise<Exclude<TaskOutcome, { kind: 'waiting' }>> {
  for (;;) {
    const woken = new AbortController()
    const unsubscribe = ports.queue.onChange(() => woken.abort())
    try {
      const outcome = await ports.queue.outcome(id)
      if (outcome !== null && outcome.kind !== 'waiting') return outcome
      await ports.sleep(lookEveryMs, anySignal(woken.signal, call.signal)).catch(() => undefined)
    } finally {
      unsubscribe()
    }
    call.signal.throwIfAborted()
  }
}

/**
 * Lets a worker do the work and waits for the bytes it returns. Throws what the work throws,
 * `CONCURRENCY_QUEUE_TIMEOUT` when no worker started in time, and `UNKNOWN_ERROR` when a fault of the service stopped the last
 * attempt; the task is deleted in any case.
 */
export async function delegate<J extends { readonly id: string }>({ kind, job, attempts, unfinished }: Errand<J>, ports: DelegatePorts, call: Call): Promise<Uint8Array> {
  const payload: Payload<J> = { job, callId: call.id, key: call.key, deadline: call.deadline, retention: call.retention }
  const createdAt = ports.now()
  // After its process died, a task may remain under the id that a repeat of the request also uses.
  const id = `${job.id} ${createdAt}`
  await ports.queue.push([{ id, team: call.team, kind, priority: interactivePriority, runAt: createdAt, payload: JSON.stringify(payload), maxAttempts: attempts, createdAt }])
  try {
    const outcome = await awaitOutcome(id, ports, call)
    if (outcome.kind === 'failed') throw outcome.reason === workerGone ? unfinished : new ServiceError('UNKNOWN_ERROR', undefined, { cause: new Error(outcome.reason) })
    const bytes = await bytesOf(JSON.parse(outcome.reply) as Reply, ports.blobs) // written by runDelegated below
    await ports.queue.remove(id)
    return bytes
  } catch (error) {
    // If no worker had a place for it, it spent all its time waiting.
    throw (await ports.queue.remove(id)) ? error : queueError(error)
  }
}

/** Lets a worker do a scrape and waits for it, as `delegate` does. */
export function delegateScrape(job: ScrapeJob, ports: DelegatePorts, call: Call): Promise<Uint8Array> {
  // Actions in a page must not be repeated by another worker.
  const attempts = (job.request.actions?.length ?? 0) > 0 ? 1 : 3
  return delegate({ kind: scrapeTask, job, attempts, unfinished: new ServiceError('SCRAPE_ALL_ENGINES_FAILED', 'The workers that tried this page did not finish it.') }, ports, call)
}

function errorReply(error: ServiceError): Reply {
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
  }
}

/** What delegated work needs. */
export interface ErrandPorts {
  readonly blobs: Blobs
  readonly now: () => number
  /** The log of a call; the call decides what may be written (R26). */
  readonly logOf: (call: Pick<Call, 'id' | 'team' | 'retention'>) => Call['log']
  /** Aborts when the lease is lost or the worker stops. */
  readonly lost: AbortSignal
}

/**
 * Does delegated work in a worker; returns the reply for `delegate`. Throws only failures that another worker or attempt
 * may not have.
 */
export async function runDelegated<J>(task: Task, run: (job: J, call: Call) => Promise<Uint8Array>, { blobs, now, logOf, lost }: ErrandPorts): Promise<string> {
  const { job, callId, key, deadline, retention } = JSON.parse(task.payload) as Payload<J> // written by delegate above
  const late = timeLimit(deadline - now())
  const expired = new AbortController()
  late.addEventListener('abort', () => expired.abort(new ServiceError('SCRAPE_TIMEOUT')), { once: true })
  const terms = { id: callId, team: task.team, retention }
  const call: Call = { ...terms, key, deadline, log: logOf(terms), signal: anySignal(expired.signal, lost) }
  try {
    const body = await run(job, call)
    return JSON.stringify(retention === 'zero' ? { body: Buffer.from(body).toString() } : { blob: await blobs.put(body) })
  } catch (error) {
    // What failed because of that says nothing about the page.
    if (lost.aborted && task.attempt < task.maxAttempts) throw lost.reason
    if (lost.aborted) return JSON.stringify(errorReply(new ServiceError('SHUTTING_DOWN')))
    if (error instanceof ServiceError && error.code !== 'UNKNOWN_ERROR') return JSON.stringify(errorReply(error))
    // The store may be back for the next attempt; on the last attempt, the page is not to blame.
    if (error instanceof StoreAway && task.attempt >= task.maxAttempts) {
      call.log('store-away', { reason: error.message })
      return JSON.stringify(errorReply(storeAwayError(error)))
    }
    throw error
  }
}

/**
 * Does a delegated scrape, as `runDelegated` does. A worker that was lost before it could reply may have stored its answer,
 * which readers may have seen: then the reply is that one.
 */
export function runDelegatedScrape(task: Task, run: (job: ScrapeJob, call: Call) => Promise<Uint8Array>, ports: ErrandPorts & { readonly results: Pick<Results, 'find'> }): Promise<string> {
  return runDelegated<ScrapeJob>(task, async (job, call) => (task.attempt > 1 ? await answerLeft(job.id, ports, call.team) : null) ?? run(job, call), ports)
}

/**
 * Whether this request can be served without an engine. Throws what planning throws, so that an invalid request costs no
 * task.
 */
export function needsNoEngine(job: ScrapeJob, ports: ScrapePorts, call: Call): boolean {
  return plan(job.request, ports, call.team, ports.now()).cache.read === 'only'
}
