import { expect, it } from 'vitest'
import { memoryBlobs } from '../../test/fakes.ts'
import { ServiceError, StoreAway } from '../domain/errors.ts'
import type { StoredResult } from '../domain/pages/results.ts'
import { workerGone, type Queue, type Task, type TaskOutcome } from '../domain/queue.ts'
import { ScrapeRequest } from '../spec/scrape.ts'
import { delegate, delegateScrape, runDelegated, runDelegatedScrape } from './delegate.ts'

const payload = JSON.stringify({ job: { id: 'j' }, callId: 'c', deadline: 60_000, retention: 'normal' })
const task: Task = { id: 'j', team: 't', kind: 'scrape', priority: 0, runAt: 0, payload, maxAttempts: 3, createdAt: 0, attempt: 1, token: 'of a lease', leaseUntil: 15_000 }

const away = async (): Promise<never> => Promise.reject(new StoreAway(new Error('The blob store answered 503.')))

it('a delegated task is retried while the store is unavailable, and its caller gets that error in the end', async () => {
  const log: unknown[] = []
  const ports = { blobs: memoryBlobs(), now: () => 0, logOf: () => (...line: readonly unknown[]) => void log.push(line), lost: new AbortController().signal }
  for (const attempt of [1, 2]) await expect(runDelegated({ ...task, attempt }, away, ports)).rejects.toBeInstanceOf(StoreAway)
  expect(log).toEqual([])
  const reply: unknown = JSON.parse(await runDelegated({ ...task, attempt: 3 }, away, ports))
  expect([reply, log]).toEqual([{ code: 'OVERLOADED', message: 'What is stored cannot be reached, or cannot be written, at the moment.', retryAfterSeconds: 2 }, [['store-away', { reason: 'The blob store answered 503.' }]]])
})

it('a delegated task is left to another worker when its worker stops; without another attempt, its caller learns of the stop', async () => {
  const stop = new AbortController()
  const ports = { blobs: memoryBlobs(), now: () => 0, logOf: () => () => undefined, lost: stop.signal }
  const broken = async (): Promise<never> => {
    stop.abort(new Error('worker stops'))
    throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED')
  }
  await expect(runDelegated(task, broken, ports)).rejects.toThrow('worker stops')
  expect(JSON.parse(await runDelegated({ ...task, attempt: 3 }, broken, ports))).toEqual({ code: 'SHUTTING_DOWN', message: 'The process is stopping.' })
})

it('a delegated scrape whose former worker stored an answer and was lost replies with that answer; one that stored none is done again', async () => {
  const blobs = memoryBlobs()
  const stored: StoredResult = { id: 'j', team: 't', kind: 'scrape', blob: await blobs.put(Buffer.from('the first')), frame: null, request: '{}', createdAt: 0, expiresAt: 100 }
  const replied = async (attempt: number, result: StoredResult | null): Promise<string> => {
    const ports = { blobs, now: () => 0, logOf: () => () => undefined, lost: new AbortController().signal, results: { find: async () => result } }
    const { blob } = JSON.parse(await runDelegatedScrape({ ...task, attempt }, async () => Buffer.from('another'), ports)) as { readonly blob: string } // the reply of one that succeeds
    return Buffer.from((await blobs.get(blob)) ?? '').toString()
  }
  expect([await replied(2, stored), await replied(2, null), await replied(1, stored)]).toEqual(['the first', 'another', 'another'])
})

it.each([
  ['that its workers died with is theirs', workerGone, 'MAP_FAILED'],
  ['that a fault of the service stopped is a fault of the service, whose cause the log has', 'The blob store answered 403.', 'UNKNOWN_ERROR'],
] as const)('the failure of a delegated task %s', async (_, reason, code) => {
  const outcome = async (): Promise<TaskOutcome> => ({ kind: 'failed', reason })
  const queue = { push: async () => undefined, onChange: () => () => undefined, outcome, remove: async () => true } as Partial<Queue> as Queue // the parts that are used
  const call = { id: 'c', team: 't', deadline: 60_000, retention: 'normal', signal: new AbortController().signal, log: () => undefined } as const
  const sent = delegate({ kind: 'map', job: { id: 'j' }, attempts: 3, unfinished: new ServiceError('MAP_FAILED') }, { queue, blobs: memoryBlobs(), now: () => 0, sleep: async () => undefined }, call)
  await expect(sent).rejects.toMatchObject({ code, ...(code === 'UNKNOWN_ERROR' && { cause: { message: reason } }) })
})

it('a delegated task leaves no listener behind when its outcome cannot be read', async () => {
  let listeners = 0
  const onChange: Queue['onChange'] = () => {
    listeners += 1
    return () => void (listeners -= 1)
  }
  const queue = { push: async () => undefined, onChange, outcome: away, remove: async () => true } as Partial<Queue> as Queue // the parts that are used
  const call = { id: 'c', team: 't', deadline: 60_000, retention: 'normal', signal: new AbortController().signal, log: () => undefined } as const
  await expect(delegate({ kind: 'map', job: { id: 'j' }, attempts: 3, unfinished: new ServiceError('MAP_FAILED') }, { queue, blobs: memoryBlobs(), now: () => 0, sleep: async () => undefined }, call)).rejects.toBeInstanceOf(StoreAway)
  expect(listeners).toBe(0)
})

it.each([
  ['is tried by three workers if need be', {}, 3],
  ['with actions is tried by one worker only, as they must not be repeated', { actions: [{ type: 'click', selector: '#buy' }] }, 1],
])('a delegated scrape %s', async (_, options, attempts) => {
  const pushed: number[] = []
  const queue = { push: async (tasks: readonly Pick<Task, 'maxAttempts'>[]) => void pushed.push(...tasks.map(({ maxAttempts }) => maxAttempts)), onChange: () => () => undefined, outcome: async () => ({ kind: 'failed', reason: workerGone }), remove: async () => true } as unknown as Queue // the parts that are used
  const call = { id: 'c', team: 't', deadline: 60_000, retention: 'normal', signal: new AbortController().signal, log: () => undefined } as const
  const job = { id: 'j', request: ScrapeRequest.parse({ url: 'https://site.test/', ...options }), warnings: [], queuedMs: 0, baseUrl: '' }
  await expect(delegateScrape(job, { queue, blobs: memoryBlobs(), now: () => 0, sleep: async () => undefined }, call)).rejects.toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED' })
  expect(pushed).toEqual([attempts])
})

it.each([
  ['whose time is up before a worker had a place for it spent it in the queue', false, 'SCRAPE_TIMEOUT', 'CONCURRENCY_QUEUE_TIMEOUT'],
  ['whose time is up while a worker is at it has timed out', true, 'SCRAPE_TIMEOUT', 'SCRAPE_TIMEOUT'],
  ['that ends for another reason says so, with and without a worker', false, 'SHUTTING_DOWN', 'SHUTTING_DOWN'],
] as const)('a delegated task %s', async (_, wasTaken, reason, code) => {
  const caller = new AbortController()
  const queue = { push: async () => undefined, onChange: () => () => undefined, outcome: async () => ({ kind: 'waiting' }), remove: async () => wasTaken } as Partial<Queue> as Queue // the parts that are used
  const call = { id: 'c', team: 't', deadline: 60_000, retention: 'normal', signal: caller.signal, log: () => undefined } as const
  const sleep = async (): Promise<void> => caller.abort(new ServiceError(reason))
  await expect(delegate({ kind: 'map', job: { id: 'j' }, attempts: 3, unfinished: new ServiceError('MAP_FAILED') }, { queue, blobs: memoryBlobs(), now: () => 0, sleep }, call)).rejects.toMatchObject({ code })
})
