import type { Call } from '../domain/call.ts'
import { queueError, ServiceError, StoreAway, storeAwayError } from '../domain/errors.ts'
import type { Blobs } from '../domain/blobs.ts'
import type { Queue, Task, TaskOutcome } from '../domain/queue.ts'
import type { ErrorCode } from '../spec/errors.ts'
import { plan } from './scrape/plan.ts'
import type { ScrapePorts } from './scrape/scrape.ts'
import type { ScrapeJob } from './scrape/settlement.ts'
import { anySignal } from '../lib/any-signal.ts'
import { timeLimit } from '../lib/deadline.ts'

/** Kind of the task that carries a synchronous scrape from an `api` process to a `worker`. */
export const scrapeTask = 'scrape'

/** Work of one kind, to be done by a worker. */
export interface Errand<J> {
  readonly kind: string
  readonly job: J
  /** How many workers may try it one after the other when they die. */
  readonly attempts: number
  /** What is thrown when no worker finishes it. */
  readonly unfinished: ServiceError
}

/** Synchronous requests go before every page of a job. */
const interactivePriority = 0
const lookEveryMs = 500

interface Payload<J> {
  readonly job: J
  readonly callId: string
  readonly key?: Call['key']
  readonly deadline: number
  readonly retention: Call['retention']
}

/** What comes back: bytes in a blob, bytes that must not be kept anywhere else, or an error. */
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
  if ('blob' in reply) {
    const bytes = await blobs.get(reply.blob)
    if (bytes === null) throw new ServiceError('UNKNOWN_ERROR', undefined, { cause: new Error('the reply of a worker is not in the blob store') })
    return bytes
  }
  throw new ServiceError(reply.code, reply.message, {
    ...(reply.details === undefined ? {} : { details: reply.details }),
    ...(reply.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: reply.retryAfterSeconds }),
  })
}

async function awaitOutcome(id: string, ports: DelegatePorts, call: Call): Promise<Exclude<TaskOutcome, { kind: 'waiting' }>> {
  for (;;) {
    const woken = new AbortController()
    const unsubscribe = ports.queue.onChange(() => woken.abort())
    const outcome = await ports.queue.outcome(id)
    if (outcome !== null && outcome.kind !== 'waiting') {
      unsubscribe()
      return outcome
    }
    await ports.sleep(lookEveryMs, anySignal(woken.signal, call.signal)).catch(() => undefined)
    unsubscribe()
    call.signal.throwIfAborted()
  }
}

/** Has a worker do something and waits for the bytes it answers. Throws what doing it throws, and `CONCURRENCY_QUEUE_TIMEOUT` where no worker began it in time; the task is gone afterwards, whatever happened. */
export async function delegate<J extends { readonly id: string }>({ kind, job, attempts, unfinished }: Errand<J>, ports: DelegatePorts, call: Call): Promise<Uint8Array> {
  const payload: Payload<J> = { job, callId: call.id, key: call.key, deadline: call.deadline, retention: call.retention }
  const createdAt = ports.now()
  // The task of a process that died may be there still, under what its caller's repeat has for an id, too.
  const id = `${job.id} ${createdAt}`
  await ports.queue.push([{ id, team: call.team, kind, priority: interactivePriority, runAt: createdAt, payload: JSON.stringify(payload), maxAttempts: attempts, createdAt }])
  try {
    const outcome = await awaitOutcome(id, ports, call)
    if (outcome.kind === 'failed') throw unfinished
    const bytes = await bytesOf(JSON.parse(outcome.reply) as Reply, ports.blobs) // written by runDelegated below
    await ports.queue.remove(id)
    return bytes
  } catch (error) {
    // What no worker had a place for has waited all its time.
    throw (await ports.queue.remove(id)) ? error : queueError(error)
  }
}

/** Has a worker do a scrape and waits for it, as `delegate` does. */
export function delegateScrape(job: ScrapeJob, ports: DelegatePorts, call: Call): Promise<Uint8Array> {
  // What was done on a page must not be done again by another worker.
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

/** What doing delegated work needs. */
export interface ErrandPorts {
  readonly blobs: Blobs
  readonly now: () => number
  /** The log of a call: what of it may be written is the call's to say (R26). */
  readonly logOf: (call: Pick<Call, 'id' | 'team' | 'retention'>) => Call['log']
  /** Aborts when the lease is lost or the worker stops. */
  readonly lost: AbortSignal
}

/** Does delegated work in a worker; answers the reply for `delegate`. Only faults that another worker, or another try, may not have are thrown. */
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
    // Whatever that broke is no word on the page.
    if (lost.aborted && task.attempt < task.maxAttempts) throw lost.reason
    if (lost.aborted) return JSON.stringify(errorReply(new ServiceError('SHUTTING_DOWN')))
    if (error instanceof ServiceError && error.code !== 'UNKNOWN_ERROR') return JSON.stringify(errorReply(error))
    // The next try may find the store back; what the last one fails by is not for the page to answer for.
    if (error instanceof StoreAway && task.attempt >= task.maxAttempts) {
      call.log('store-away', { reason: error.message })
      return JSON.stringify(errorReply(storeAwayError(error)))
    }
    throw error
  }
}

/** Whether this request can be served without an engine. Throws what planning throws, so that a bad request costs no task. */
export function needsNoEngine(job: ScrapeJob, ports: ScrapePorts, call: Call): boolean {
  return plan(job.request, ports, call.team, ports.now()).cache.read === 'only'
}
