import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StoreAway } from '../domain/errors.ts'
import type { Queue, Task } from '../domain/queue.ts'
import { type TaskHandler, workerLoop } from './loop.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const task: Task = { id: 't1', team: 'a', kind: 'scrape', priority: 0, runAt: 0, payload: '', maxAttempts: 3, createdAt: 0, attempt: 2, token: 'x', leaseUntil: 0 }

/** A queue with one task, and a record of its calls. */
function started(run: TaskHandler, held: readonly string[] = ['t1']) {
  const told: string[] = []
  const waiting = [task]
  let change = (): void => undefined
  const queue: Pick<Queue, 'take' | 'held' | 'renew' | 'done' | 'retry' | 'onChange'> = {
    take: async () => waiting.splice(0),
    held: async (tasks) => (told.push(`held ${tasks.map(({ id }) => id).join(' ')}`), held),
    renew: async () => true,
    done: async (id) => (told.push(`done ${id}`), true),
    retry: async (id, _token, reason, runAt) => (told.push(`retry ${id} in ${runAt - Date.now()}: ${reason}`), true),
    onChange: (listener) => {
      change = listener
      return () => undefined
    },
  }
  const loop = workerLoop(queue as Queue, { worker: 'w', handlers: { scrape: run }, concurrency: 1, leaseMs: 15_000, now: Date.now, log: () => undefined }) // the parts that the loop uses
  loop.start()
  return { told, size: loop.size, change: () => change() }
}

const untilAborted: TaskHandler = (_task, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

it('the loop aborts tasks soon after nobody waits for them any more', async () => {
  const { told, change } = started(untilAborted, [])
  await vi.advanceTimersByTimeAsync(0)
  for (let i = 0; i < 10; i++) change()
  await vi.advanceTimersByTimeAsync(250)
  expect(told).toEqual(['held t1', 'retry t1 in 2000: lease lost'])
})

it('the loop continues with tasks that are still wanted', async () => {
  const { told, size, change } = started(untilAborted)
  await vi.advanceTimersByTimeAsync(0)
  change()
  await vi.advanceTimersByTimeAsync(1_000)
  expect([told, size()]).toEqual([['held t1'], 1])
})

it('the loop gives back tasks of a take whose answer was lost, at once or when they are discovered, and none that it is running', async () => {
  const told: string[] = []
  const leased: { readonly id: string; readonly token: string }[] = []
  let change = (): void => undefined
  let lost = true
  const queue: Pick<Queue, 'take' | 'held' | 'renew' | 'leasedTo' | 'giveBack' | 'onChange'> = {
    take: async () => {
      if (!lost) return leased.length === 0 ? (leased.push(task), [task]) : []
      if (leased.length === 0 && told.length === 0) leased.push({ id: 't1', token: 'of the lost one' })
      throw new Error('the connection was lost before the answer came')
    },
    held: async () => ['t1'],
    renew: async () => true,
    leasedTo: async () => [...leased],
    giveBack: async (id, token) => {
      leased.splice(leased.findIndex((one) => one.id === id && one.token === token), 1)
      return told.push(`back ${id} of ${token}`) > 0
    },
    onChange: (listener) => {
      change = listener
      return () => undefined
    },
  }
  const loop = workerLoop(queue as Queue, { worker: 'w', handlers: { scrape: untilAborted }, concurrency: 2, leaseMs: 15_000, now: Date.now, log: () => undefined }) // the parts that the loop uses
  loop.start()
  await vi.advanceTimersByTimeAsync(0)
  change()
  await vi.advanceTimersByTimeAsync(0)
  expect([told, leased]).toEqual([['back t1 of of the lost one'], []])
  lost = false
  change()
  await vi.advanceTimersByTimeAsync(0)
  // The server was late with the commit.
  leased.push({ id: 't2', token: 'of a late one' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect([told.slice(1), leased]).toEqual([['back t2 of of a late one'], [task]])
})

it('the loop keeps a task that was leased to it again before it had noticed that the first lease was lost', async () => {
  const told: string[] = []
  const leased: Task[] = []
  const answers = [async () => [task], async () => Promise.reject(new Error('away')), async () => (leased.push({ ...task, token: 'y' }), leased)]
  const queue: Pick<Queue, 'take' | 'held' | 'renew' | 'done' | 'retry' | 'leasedTo' | 'giveBack' | 'onChange'> = {
    take: async () => (await answers.shift()?.()) ?? [],
    held: async () => ['t1'],
    renew: async (_id, token) => token === 'y',
    done: async () => false,
    retry: async () => false,
    leasedTo: async () => [...leased],
    giveBack: async (id, token) => told.push(`back ${id} of ${token}`) > 0,
    onChange: () => () => undefined,
  }
  const loop = workerLoop(queue as Queue, { worker: 'w', handlers: { scrape: untilAborted }, concurrency: 2, leaseMs: 60_000, now: Date.now, log: () => undefined }) // the parts that the loop uses
  loop.start()
  await vi.advanceTimersByTimeAsync(30_000)
  expect([told, loop.size()]).toEqual([[], 1])
})

it('the loop lets the lease of a completed task expire if its end could not be written, which counts as an attempt', async () => {
  const told: string[] = []
  const waiting = [task]
  const away = async (): Promise<never> => Promise.reject(new Error('away'))
  const queue: Pick<Queue, 'take' | 'done' | 'retry' | 'leasedTo' | 'giveBack' | 'onChange'> = {
    take: async () => (waiting.length > 0 ? waiting.splice(0) : away()),
    done: away,
    retry: away,
    leasedTo: async () => (told.push('leased to'), [task]),
    giveBack: async (id) => told.push(`back ${id}`) > 0,
    onChange: () => () => undefined,
  }
  workerLoop(queue as Queue, { worker: 'w', handlers: { scrape: async () => 'done' }, concurrency: 1, leaseMs: 15_000, now: Date.now, log: () => undefined }).start() // the parts that the loop uses
  await vi.advanceTimersByTimeAsync(12_000)
  expect(told).toEqual(['leased to', 'leased to'])
})

it('the loop writes the end of a task again while the store is away, and does not run the task again', async () => {
  const told: string[] = []
  const waiting = [task]
  const queue: Pick<Queue, 'take' | 'done' | 'renew' | 'onChange'> = {
    take: async () => waiting.splice(0),
    done: async (_id, _token, reply) => {
      if (told.push(`done ${reply}`) < 5) throw new StoreAway(new Error('away'))
      return true
    },
    renew: async () => true,
    onChange: () => () => undefined,
  }
  workerLoop(queue as Queue, { worker: 'w', handlers: { scrape: async () => 'once' }, concurrency: 1, leaseMs: 15_000, now: Date.now, log: () => undefined }).start() // the parts that the loop uses
  await vi.advanceTimersByTimeAsync(10_000)
  expect(told).toEqual(Array.from({ length: 5 }, () => 'done once'))
})

it('the loop retries a failed task after a pause that doubles', async () => {
  const { told } = started(async () => Promise.reject(new Error('the store is away')))
  await vi.advanceTimersByTimeAsync(0)
  expect(told).toEqual(['retry t1 in 2000: the store is away'])
})

it('the loop runs tasks of a take that was pending at the stop, and ends after them', async () => {
  const told: string[] = []
  let bring = (_tasks: readonly Task[]): void => undefined
  let finish = (_reply: string): void => undefined
  const queue: Pick<Queue, 'take' | 'renew' | 'done' | 'onChange'> = {
    take: () => new Promise((resolve) => (bring = resolve)),
    renew: async () => true,
    done: async (id) => (told.push(`done ${id}`), true),
    onChange: () => () => undefined,
  }
  const loop = workerLoop(queue as Queue, { worker: 'w', handlers: { scrape: () => new Promise((resolve) => (finish = resolve)) }, concurrency: 1, leaseMs: 15_000, now: Date.now, log: () => undefined }) // the parts that the loop uses
  loop.start()
  const stopped = loop.stop(10_000).then(() => told.push('stopped'))
  await vi.advanceTimersByTimeAsync(100)
  bring([task])
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toEqual([])
  finish('reply')
  await stopped
  expect(told).toEqual(['done t1', 'stopped'])
})
