import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../domain/jobs/job.ts'
import type { PageTask } from '../domain/jobs/pages.ts'
import { type PageHandler, type PagePump, type PagePumpPorts, pagePump } from './pages.ts'

/** Pages that are leased together share a token. */
const page = (seq: number, job = 'j'): PageTask => ({ job, team: 't', seq, token: 'of a lease', attempt: 1, postponed: 0, url: `http://site.test/${seq}`, key: `${seq}`, host: 'site.test', depth: 0, external: false })

type JobsPort = PagePumpPorts['jobs']

/** A store that hands out these pages and records its calls. */
function store(pages: readonly PageTask[], more: Partial<JobsPort> = {}) {
  const waiting = [...pages]
  const told: string[] = []
  let tell = (): void => undefined
  const jobs: JobsPort = {
    beat: async () => undefined,
    take: async ({ limit }) => {
      told.push('take')
      return waiting.splice(0, limit)
    },
    leasedTo: async () => [],
    leave: async () => void told.push('leave'),
    giveBack: async ({ seq }, { runAt, counted }, now) => {
      told.push(`back ${seq} in ${runAt - now}${counted ? ' counted' : ''}`)
      return true
    },
    find: async () => ({ state: 'scraping' }) as Job, // the parts that the pump uses
    ...more,
  }
  return { jobs, waiting, told, onChange: (listener: () => void) => ((tell = listener), () => undefined), changed: () => tell(), takes: () => told.filter((line) => line === 'take').length }
}

let pump: PagePump | null = null
const started = (ports: Pick<PagePumpPorts, 'jobs' | 'onChange'>, run: PageHandler, waitingRoom = 0): string[] => {
  const log: string[] = []
  pump = pagePump({ ...ports, run, busyHosts: () => [], crowdedHosts: () => new Map(), running: () => ({}) }, { worker: 'w', places: 4, waitingRoom, teamPlaces: 4, leaseMs: 15_000, now: Date.now, log: (event) => void log.push(event) })
  pump.start()
  return log
}
const untilStopped = (signal: AbortSignal): Promise<never> => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  const stopping = pump?.stop(0)
  await vi.runAllTimersAsync()
  await stopping
  vi.useRealTimers()
})

describe('the pump of pages', () => {
  it('gives back a page that could not be stored, as a failed attempt, a little later', async () => {
    const { told, ...ports } = store([page(1)])
    const log = started(ports, async () => Promise.reject(new Error('the store is away')))
    await vi.advanceTimersByTimeAsync(0)
    expect([told.filter((line) => line !== 'take'), log]).toEqual([['back 1 in 1000 counted'], ['page-not-settled']])
  })

  it('leaves pages to others for a while if it has no slot for them', async () => {
    const pages = Array.from({ length: 40 }, (_, i) => page(i))
    const { waiting, ...ports } = store(pages)
    started(ports, (_task, signal) => untilStopped(signal), 30)
    await vi.advanceTimersByTimeAsync(0)
    ports.changed()
    await vi.advanceTimersByTimeAsync(49)
    expect(waiting).toHaveLength(24)
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting).toHaveLength(8)
    await vi.advanceTimersByTimeAsync(50)
    expect(waiting).toHaveLength(6)
  })

  it('takes the next page at once if it has a free slot', async () => {
    const { waiting, ...ports } = store(Array.from({ length: 40 }, (_, i) => page(i)))
    started(ports, async () => null)
    await vi.advanceTimersByTimeAsync(0)
    expect(waiting).toEqual([])
  })

  it('waits longer after each attempt, up to a minute', async () => {
    const { told, ...ports } = store([{ ...page(1), attempt: 3 }, { ...page(2), attempt: 11 }])
    started(ports, async () => Promise.reject(new Error('the store is away')))
    await vi.advanceTimersByTimeAsync(0)
    expect(told.filter((line) => line !== 'take').sort()).toEqual(['back 1 in 4000 counted', 'back 2 in 60000 counted'])
  })

  it('retries giving a page back while the store is unavailable', async () => {
    let away = 3
    const backs: number[] = []
    const { told: _told, ...ports } = store([page(1)], {
      giveBack: async ({ seq }) => {
        if (away-- > 0) throw new Error('the store is away')
        backs.push(seq)
        return true
      },
    })
    const log = started(ports, async () => Promise.reject(new Error('the store is away')))
    await vi.advanceTimersByTimeAsync(2_500)
    expect(backs).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect([backs, log.filter((event) => event === 'page-not-given-back').length]).toEqual([[1], 1])
  })

  it('causes no warning of a leak while many pages wait for the store to be given back', async () => {
    const warn = vi.spyOn(process, 'emitWarning')
    const { told: _told, ...ports } = store(Array.from({ length: 20 }, (_, i) => page(i)), { giveBack: async () => Promise.reject(new Error('the store is away')) })
    const log = started(ports, async () => Promise.reject(new Error('the store is away')), 16)
    await vi.advanceTimersByTimeAsync(500)
    expect([log.filter((event) => event === 'page-not-given-back').length, warn.mock.calls]).toEqual([20, []])
  })

  it('gives back pages of a take whose answer was lost, at once or when they are discovered, and none that it is running', async () => {
    const leased: PageTask[] = []
    let lost = true
    const { told, waiting, changed, ...ports } = store([], {
      take: async ({ limit }) => {
        if (waiting.length === 0) return []
        leased.push(...waiting.splice(0, limit))
        if (lost) throw new Error('the connection was lost before the answer came')
        return leased.slice(-1)
      },
      leasedTo: async () => [...leased],
      giveBack: async ({ seq, token }, { counted }) => {
        leased.splice(leased.findIndex((one) => one.seq === seq && one.token === token), 1)
        told.push(`back ${seq} of ${token}${counted ? ' counted' : ''}`)
        return true
      },
    })
    started(ports, (_task, signal) => untilStopped(signal))
    await vi.advanceTimersByTimeAsync(0)
    waiting.push(page(1), page(2))
    changed()
    await vi.advanceTimersByTimeAsync(5_000)
    expect([told, leased]).toEqual([['back 1 of of a lease', 'back 2 of of a lease'], []])
    lost = false
    waiting.push({ ...page(3), token: 'of another' })
    changed()
    await vi.advanceTimersByTimeAsync(0)
    // The server was late with the commit.
    leased.push({ ...page(3), token: 'of the lost one' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told.slice(2)).toEqual(['back 3 of of the lost one'])
    expect(leased.map(({ token }) => token)).toEqual(['of another'])
  })

  it('gives back pages of a take whose answer was lost however long the store then stays away', async () => {
    const leased: PageTask[] = []
    let away = false
    const orAway = async <T>(answer: T): Promise<T> => (away ? Promise.reject(new Error('the store is away')) : answer)
    const { told, ...ports } = store([], {
      beat: async () => orAway(undefined),
      take: async () => {
        if (told.length > 0 || away) return orAway([])
        leased.push(page(1))
        away = true
        throw new Error('the connection was lost before the answer came')
      },
      leasedTo: async () => orAway([...leased]),
      giveBack: async ({ seq }) => {
        leased.splice(0)
        return told.push(`back ${seq}`) > 0
      },
    })
    started(ports, (_task, signal) => untilStopped(signal))
    await vi.advanceTimersByTimeAsync(40_000)
    expect([told, leased.length]).toEqual([[], 1])
    away = false
    await vi.advanceTimersByTimeAsync(5_000)
    expect([told, leased]).toEqual([['back 1'], []])
  })

  it('aborts the pages of a job that has ended, and no others', async () => {
    const states: Record<string, Job['state']> = { j: 'scraping', k: 'scraping' }
    const { told, changed, ...ports } = store([page(1), page(1, 'k'), page(2)], { find: async (id) => ({ state: states[id] }) as Job }) // the parts that the pump uses
    const broken: string[] = []
    started(ports, async (task, signal) => untilStopped(signal).catch((reason: unknown) => {
      broken.push(`${task.job}${task.seq}`)
      throw reason
    }))
    await vi.advanceTimersByTimeAsync(0)
    states['j'] = 'cancelled'
    for (let i = 0; i < 100; i++) changed()
    await vi.advanceTimersByTimeAsync(500)
    expect([broken, told.filter((line) => line.startsWith('back'))]).toEqual([['j1', 'j2'], ['back 1 in 0', 'back 2 in 0']])
  })

  it('looks again if a page reports that more of its job is due', async () => {
    const { takes, waiting, ...ports } = store([page(1)])
    started(ports, async () => 1_500)
    await vi.advanceTimersByTimeAsync(100)
    const before = takes()
    await vi.advanceTimersByTimeAsync(1_300)
    expect(takes()).toBe(before)
    waiting.push(page(2))
    await vi.advanceTimersByTimeAsync(200)
    expect([takes() > before, waiting]).toEqual([true, []])
  })

  it('stops within its time, and leaves running pages to others', async () => {
    const { told, ...ports } = store([page(1)])
    started(ports, async (_task, signal) => untilStopped(signal))
    await vi.advanceTimersByTimeAsync(0)
    const stopped = pump?.stop(1_000)
    await vi.advanceTimersByTimeAsync(999)
    expect(told).not.toContain('leave')
    await vi.advanceTimersByTimeAsync(1)
    await stopped
    expect(told.at(-1)).toBe('leave')
  })
})
