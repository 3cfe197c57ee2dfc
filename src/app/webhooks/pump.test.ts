import { describe, expect, it, onTestFinished } from 'vitest'
import { addRun, eventOf, type FakeOutbox, fakeOutbox, jobTo } from '../../../test/fake-outbox.ts'
import type { Attempted, Delivery, Outbox } from '../../domain/jobs/outbox.ts'
import { type Attempt, type PumpOptions, webhookPump } from './pump.ts'

/** A manual clock, which jumps to the next alarm on demand. */
function handClock() {
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  let time = 0
  return {
    now: () => time,
    sleep: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        const sleeper = { at: time + ms, wake: () => (sleepers.delete(sleeper), resolve()) }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => (sleepers.delete(sleeper), reject(signal.reason)))
      }),
    /** The times of all alarms, in order. */
    alarms: () => [...sleepers].map(({ at }) => at).sort((a, b) => a - b),
    async goTo(at: number) {
      time = at
      for (const sleeper of sleepers) if (sleeper.at <= at) sleeper.wake()
      await settled()
    },
  }
}

/** Lets everything run that is ready. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

interface Seen {
  readonly delivery: Delivery
  readonly end: (outcome: Attempted) => Promise<void>
  readonly signal: AbortSignal
}

/** A running pump whose attempts end when the test says so. */
function pumpOver(outbox: FakeOutbox, options: Partial<PumpOptions> = {}, port: Outbox = outbox) {
  const clock = handClock()
  const open: Seen[] = []
  const log: string[] = []
  const attempt: Attempt = (delivery, signal) =>
    new Promise((resolve) => {
      const end = async (outcome: Attempted): Promise<void> => {
        open.splice(open.findIndex((one) => one.delivery === delivery), 1)
        resolve(outcome)
        await settled()
      }
      signal.addEventListener('abort', () => void end({ kind: 'again', runAt: clock.now(), reason: 'stopped' }))
      open.push({ delivery, end, signal })
    })
  const pump = webhookPump(port, attempt, {
    worker: 'w', concurrency: 8, perReceiver: 4, leaseMs: 30_000, now: clock.now, sleep: clock.sleep, onChange: outbox.onChange,
    log: (_, event, fields) => void log.push([event, ...Object.values(fields)].join(' ')),
    ...options,
  })
  pump.start()
  onTestFinished(async () => {
    const stopping = pump.stop(0)
    await settled()
    await clock.goTo(clock.now())
    await stopping
  })
  const inFlight = (): string[] => open.map(({ delivery }) => delivery.id)
  return { pump, clock, open, log, inFlight }
}

const done: Attempted = { kind: 'delivered', status: 200 }
const first = (open: readonly Seen[]): Seen => open[0] ?? expect.fail('nothing is in flight')

describe('the pump', () => {
  it('sends started alone, then pages, and the end once every page was tried', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    addRun(outbox, job, 5)
    const { open, inFlight } = pumpOver(outbox)
    await settled()
    expect(inFlight()).toEqual([`${job.id}-event-1`])
    await first(open).end({ kind: 'again', runAt: 60_000, reason: 'no' })
    expect(inFlight()).toEqual([2, 3, 4, 5].map((n) => `${job.id}-event-${n}`))
    await first(open).end({ kind: 'again', runAt: 60_000, reason: 'no' })
    for (let n = 0; n < 3; n++) await first(open).end(done)
    expect(inFlight()).toEqual([`${job.id}-event-6`])
    await first(open).end(done)
    expect(inFlight()).toEqual([`${job.id}-event-7`])
  })

  it('wakes at the time of the next delivery, not before', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    const { open, inFlight, clock } = pumpOver(outbox)
    await settled()
    await first(open).end({ kind: 'again', runAt: 3_000, reason: 'no' })
    expect([inFlight(), clock.alarms()]).toEqual([[], [3_000]])
    await clock.goTo(3_000)
    expect(inFlight()).toEqual([`${job.id}-event-1`])
    await first(open).end(done)
    expect(clock.alarms()).toEqual([8_000])
  })

  it('gives scarce capacity to receivers without a delivery in flight', async () => {
    const outbox = fakeOutbox()
    const jobs = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => jobTo(`http://${name}.test/`))
    for (const job of jobs) for (let n = 1; n <= 9; n++) outbox.add(job, eventOf(job, n, 'page'))
    const { open } = pumpOver(outbox, { concurrency: 8, perReceiver: 3 })
    await settled()
    const hosts = open.map(({ delivery }) => delivery.job.webhook?.url ?? '')
    expect(hosts).toHaveLength(8)
    await first(open).end(done)
    await first(open).end(done)
    await first(open).end(done)
    expect(new Set(open.map(({ delivery }) => delivery.job.webhook?.url)).size).toBeGreaterThan(3)
    expect(open).toHaveLength(8)
  })

  it('does not poll endlessly for deliveries that are due but blocked', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    let looks = 0
    const counted: Outbox = { ...outbox, take: (...args) => (looks++, outbox.take(...args)) }
    addRun(outbox, job, 1)
    const { clock } = pumpOver(outbox, {}, counted)
    for (let n = 0; n < 20; n++) await settled()
    expect([looks, clock.alarms()]).toEqual([1, [1_000]])
    // From now on, nothing is there to be taken either.
    await clock.goTo(1_000)
    for (let n = 0; n < 20; n++) await settled()
    expect([looks, clock.alarms()]).toEqual([2, [2_000]])
  })

  it('notices a new delivery, and checks once for many changes of the store', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    let looks = 0
    const counted: Outbox = { ...outbox, take: (...args) => (looks++, outbox.take(...args)) }
    const { clock, inFlight } = pumpOver(outbox, {}, counted)
    await settled()
    for (let n = 1; n <= 50; n++) {
      outbox.add(job, eventOf(job, n, 'page'))
      await settled()
    }
    expect([looks, clock.alarms()]).toEqual([1, [25]])
    await clock.goTo(25)
    expect(inFlight()).toHaveLength(4)
  })

  it('looks again at once when a delivery ends while it looks', async () => {
    const outbox = fakeOutbox()
    for (const name of ['a', 'b']) addRun(outbox, jobTo(`http://${name}.test/`), 0)
    let looks = 0
    let answer = (): void => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    const port: Outbox = { ...outbox, take: async (...args) => (++looks === 2 ? slow.then(() => []) : outbox.take(...args)) }
    const { open, clock } = pumpOver(outbox, {}, port)
    await settled()
    await first(open).end(done)
    await first(open).end(done)
    answer()
    await settled()
    expect([looks, open.map(({ delivery }) => delivery.event.type), clock.alarms()]).toEqual([3, ['completed', 'completed'], [1_000]])
  })

  it('takes nothing after changes of the store that make nothing due', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    const asked: string[] = []
    const counted: Outbox = { ...outbox, take: (...args) => (asked.push('take'), outbox.take(...args)), next: () => (asked.push('next'), outbox.next()) }
    outbox.add(job, eventOf(job, 1, 'started'))
    const { open, clock, inFlight } = pumpOver(outbox, {}, counted)
    await settled()
    await first(open).end({ kind: 'again', runAt: 60_000, reason: 'no' })
    expect(asked.splice(0)).toEqual(['take', 'take', 'next'])
    for (let n = 1; n <= 5; n++) {
      // Says that something has changed.
      await outbox.redeliver({ id: 'unknown' }, clock.now())
      await settled()
      await clock.goTo(25 * n)
    }
    expect([asked.splice(0), clock.alarms()]).toEqual([['next', 'next', 'next', 'next', 'next'], [5_125]])
    const other = jobTo('http://other.test/')
    outbox.add(other, eventOf(other, 1, 'started'))
    await settled()
    await clock.goTo(150)
    expect([asked, inFlight()]).toEqual([['next', 'take'], [`${other.id}-event-1`]])
  })

  it('continues after store failures, and writes outcomes again', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    const failing = new Set(['take', 'attempted', 'next'])
    const once = <T>(name: string, work: () => Promise<T>): Promise<T> => (failing.delete(name) ? Promise.reject(new Error(`${name} fails`)) : work())
    const port: Outbox = {
      ...outbox,
      take: (...args) => once('take', () => outbox.take(...args)),
      attempted: (...args) => once('attempted', () => outbox.attempted(...args)),
      next: () => once('next', () => outbox.next()),
    }
    const { open, clock, log } = pumpOver(outbox, {}, port)
    await settled()
    expect(log).toEqual(['outbox-unreachable Error: take fails'])
    await clock.goTo(1_000)
    await first(open).end(done)
    expect(outbox.rows()[0]?.state).toBe('waiting')
    await clock.goTo(3_000)
    expect(outbox.rows()[0]?.state).toBe('delivered')
    expect(log).toContain(`webhook-not-recorded ${job.id}-event-1 ${job.id} started 1 Error: attempted fails`)
  })

  it('says of a delivery that cannot be recorded at the first and the last try only', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    const { open, clock, log } = pumpOver(outbox, {}, { ...outbox, attempted: () => Promise.reject(new Error('disk full')) })
    await settled()
    await first(open).end(done)
    for (const at of [1_000, 2_000, 3_000]) await clock.goTo(at)
    const line = `webhook-not-recorded ${job.id}-event-1 ${job.id} started 1 Error: disk full`
    expect(log).toEqual([line])
    await clock.goTo(30_000)
    expect(log).toEqual([line, line])
  })

  it('finishes running deliveries within the grace period and takes nothing more', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    const { pump, open, clock } = pumpOver(outbox)
    await settled()
    const stopping = pump.stop(5_000)
    addRun(outbox, jobTo('http://other.test/'), 0)
    await settled()
    expect(open).toHaveLength(1)
    await first(open).end(done)
    await stopping
    expect(outbox.rows().map(({ state, attempts }) => [state, attempts])).toEqual([['delivered', 1], ['waiting', 0], ['waiting', 0]])
    expect(clock.alarms()).toEqual([])
  })

  it('aborts deliveries that run longer, and makes them due again at once', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    const { pump, clock } = pumpOver(outbox)
    await settled()
    const stopping = pump.stop(5_000)
    await settled()
    await clock.goTo(5_000)
    await stopping
    expect(outbox.rows()).toMatchObject([{ state: 'waiting', attempts: 1, runAt: 5_000 }])
    expect(await outbox.take({ worker: 'x', limit: 1, perReceiver: 1, leaseMs: 1 }, 5_000)).toHaveLength(1)
  })

  it('records what was delivered once more when the grace period ends, or the receiver would get it again', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    let away = true
    const { pump, open, clock, log } = pumpOver(outbox, {}, { ...outbox, attempted: (...args) => (away ? Promise.reject(new Error('away')) : outbox.attempted(...args)) })
    await settled()
    await first(open).end(done)
    const stopping = pump.stop(500)
    await settled()
    away = false
    await clock.goTo(500)
    await stopping
    expect([outbox.rows().map(({ state }) => state), log]).toEqual([['delivered'], [`webhook-not-recorded ${job.id}-event-1 ${job.id} started 1 Error: away`]])
  })

  it.each(['given-up', 'stopped'] as const)('logs what was %s, without the address', async (kind) => {
    const outbox = fakeOutbox()
    const job = jobTo('http://user:hush@r.test/hush', { headers: { Authorization: 'hush' } })
    outbox.add(job, eventOf(job, 1, 'started'))
    const { open, log } = pumpOver(outbox)
    await settled()
    await first(open).end({ kind, reason: 'No answer.' })
    expect(log).toEqual([`webhook-${kind} ${job.id}-event-1 ${job.id} started 1 No answer.`])
  })

  it('logs what the store gave up after too many deaths, and does not try it', async () => {
    const outbox = fakeOutbox()
    const job = jobTo('http://r.test/')
    outbox.add(job, eventOf(job, 1, 'started'))
    const doomed: Outbox = { ...outbox, take: async (...args) => (await outbox.take(...args)).map((delivery) => ({ ...delivery, token: '', givenUp: 'It kills.' })) }
    const { log, inFlight } = pumpOver(outbox, {}, doomed)
    await settled()
    expect([log, inFlight()]).toEqual([[`webhook-given-up ${job.id}-event-1 ${job.id} started 1 It kills.`], []])
  })
})
