import { describe, expect, it, vi } from 'vitest'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { every } from '../lib/sleep.ts'
import { type AdmissionOptions, admission, inPlace } from './admission.ts'

const options: AdmissionOptions = { places: 2, teamPlaces: 2, processQueue: 10, teamQueue: 10, slots: null, now: () => 0, sleep: async () => undefined, every: () => () => undefined }

function call(team: string): Call & { abort(reason: unknown): void } {
  const controller = new AbortController()
  return { id: team, team, signal: controller.signal, deadline: 1000, retention: 'normal', log: () => undefined, abort: (reason) => controller.abort(reason) }
}

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error: unknown) => (error instanceof ServiceError ? error.code : error))

/** Lets all work run that only waits for promises. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('admission', () => {
  it('lets teams take turns, however long the queue of one team is', async () => {
    const { enter } = admission({ ...options, places: 1 })
    const order: string[] = []
    const first = await enter(call('a'))
    const queued = ['a', 'a', 'a', 'b', 'b'].map(async (team) => {
      const place = await enter(call(team))
      order.push(team)
      place.release()
    })
    await settled()
    first.release()
    await Promise.all(queued)
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a'])
  })

  it('keeps a team to its places while others pass', async () => {
    const { enter, load } = admission({ ...options, places: 3, teamPlaces: 1 })
    const one = await enter(call('a'))
    const second = enter(call('a'))
    await enter(call('b'))
    expect([load('a'), load('b'), load()]).toEqual([{ running: 1, waiting: 1 }, { running: 1, waiting: 0 }, { running: 2, waiting: 1 }])
    one.release()
    await second
    expect(load('a')).toEqual({ running: 1, waiting: 0 })
  })

  it('keeps spare places, and room in the queue, for teams that have none', async () => {
    const { enter, enterBehind, load } = admission({ ...options, places: 2, processQueue: 2, spare: () => 1 })
    await Promise.all([enter(call('a')), enter(call('a'))])
    const waiting = [call('a'), call('a')].map((one) => ({ one, code: codeOf(enter(one)) }))
    expect(await codeOf(enter(call('a')))).toBe('OVERLOADED')
    const mine = await enter(call('b'))
    expect([mine.waitedMs, load('b'), load()]).toEqual([0, { running: 1, waiting: 0 }, { running: 3, waiting: 2 }])
    const second = enter(call('b'))
    const page = enterBehind('c', call('c').signal)
    expect([load('b'), await codeOf(enter(call('b'))), await codeOf(enter(call('d')))]).toEqual([{ running: 1, waiting: 1 }, 'OVERLOADED', 'OVERLOADED'])
    mine.release()
    const next = await second
    next.release()
    ;(await page).release()
    for (const { one } of waiting) one.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect([await waiting[0]?.code, load()]).toEqual(['CONCURRENCY_QUEUE_TIMEOUT', { running: 2, waiting: 0 }])
  })

  it('refuses what no queue can hold: with 503 for the process, with 429 for the team', async () => {
    const full = admission({ ...options, places: 1, processQueue: 0 })
    await full.enter(call('a'))
    await expect(full.enter(call('b'))).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 1 })
    const team = admission({ ...options, places: 1, teamQueue: 0 })
    await team.enter(call('a'))
    await expect(team.enter(call('a'))).rejects.toMatchObject({ code: 'QUEUE_FULL', retryAfterSeconds: 1 })
  })

  it('reports that a call timed out in the queue, and forgets it', async () => {
    const { enter, load } = admission({ ...options, places: 1 })
    const place = await enter(call('a'))
    const late = call('a')
    const waiting = codeOf(enter(late))
    late.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect(await waiting).toBe('CONCURRENCY_QUEUE_TIMEOUT')
    place.release()
    expect(load()).toEqual({ running: 0, waiting: 0 })
    expect(await codeOf(enter(late))).toBe('CONCURRENCY_QUEUE_TIMEOUT')
  })

  it('passes on a place that is granted too late: a call that times out together with those before it has not left the queue', async () => {
    let now = 0
    const { enter, load } = admission({ ...options, places: 1, now: () => now })
    const first = await enter(call('a'))
    const [late, later] = [call('a'), { ...call('a'), deadline: 5_000 }]
    const [waiting, next] = [codeOf(enter(late)), enter(later)]
    await settled()
    now = 990
    first.release()
    expect(await waiting).toBe('CONCURRENCY_QUEUE_TIMEOUT')
    expect((await next).waitedMs).toBe(990)
    // Granted and timed out in the same turn of the event loop.
    const last = call('b')
    const handed = codeOf(enter(last))
    await settled()
    ;(await next).release()
    last.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect([await handed, load()]).toEqual(['CONCURRENCY_QUEUE_TIMEOUT', { running: 0, waiting: 0 }])
  })

  it('reports of a call that times out whether it spent most of its time in the queue', async () => {
    const timesOutAfter = async (waitedMs: number): Promise<unknown> => {
      let now = 0
      const all = admission({ ...options, places: 1, now: () => now })
      const first = await all.enter(call('a'))
      const asked = call('a')
      const done = inPlace(all, asked, async () => {
        asked.abort(new ServiceError('SCRAPE_TIMEOUT'))
        throw asked.signal.reason
      })
      now = waitedMs
      first.release()
      return codeOf(done)
    }
    expect([await timesOutAfter(500), await timesOutAfter(700)]).toEqual(['SCRAPE_TIMEOUT', 'CONCURRENCY_QUEUE_TIMEOUT'])
    // Between a half and two thirds of it.
    expect(await timesOutAfter(600)).toBe('SCRAPE_TIMEOUT')
    // The timer of a fetch may fire before that of its call.
    const fetchTimesOut = async (waitedMs: number, at: number): Promise<unknown> => {
      let now = 0
      const all = admission({ ...options, places: 1, now: () => now })
      const first = await all.enter(call('a'))
      const done = inPlace(all, call('a'), async () => {
        now = at
        throw new ServiceError('SCRAPE_TIMEOUT')
      })
      now = waitedMs
      first.release()
      return codeOf(done)
    }
    expect([await fetchTimesOut(700, 999), await fetchTimesOut(500, 999), await fetchTimesOut(700, 800)]).toEqual(['CONCURRENCY_QUEUE_TIMEOUT', 'SCRAPE_TIMEOUT', 'SCRAPE_TIMEOUT'])
    // Other errors, and errors of the page while there is time left, stay unchanged.
    const all = admission(options)
    expect(await codeOf(inPlace(all, call('a'), async () => Promise.reject(new ServiceError('SCRAPE_TIMEOUT', 'The page took too long to read.'))))).toBe('SCRAPE_TIMEOUT')
    expect(all.load().running).toBe(0)
  })

  it('gives a free place even to a call whose time is nearly up', async () => {
    const place = await admission(options).enter({ ...call('a'), deadline: 50 })
    expect(place.waitedMs).toBe(0)
  })

  it('ignores a second release of a place', async () => {
    const { enter, load } = admission(options)
    const place = await enter(call('a'))
    place.release()
    place.release()
    expect(load().running).toBe(0)
  })

  it('asks the fleet first, and gives its place back when the local queue fails', async () => {
    const held = new Set<string>()
    let refusals = 2
    const slots = {
      acquire: async (_team: string, holder: string) => refusals-- <= 0 && held.add(holder) !== undefined,
      renew: async () => undefined,
      release: async (holder: string) => void held.delete(holder),
      inUse: async () => held.size,
    }
    const { enter } = admission({ ...options, places: 1, slots })
    const place = await enter(call('a'))
    expect([refusals, held.size]).toEqual([-1, 1])
    const late = call('b')
    const waiting = codeOf(enter(late))
    await settled()
    late.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect(await waiting).toBe('CONCURRENCY_QUEUE_TIMEOUT')
    place.release()
    await settled()
    expect([...held]).toEqual([])
  })

  it('does not count asking the fleet as waiting, in reports or in the queue', async () => {
    let now = 0
    let full = false
    const slots = {
      acquire: async () => {
        now += 7
        return !full
      },
      renew: async () => undefined,
      release: async () => undefined,
      inUse: async () => 0,
    }
    const { enter, load } = admission({ ...options, places: 3, processQueue: 0, slots, now: () => now })
    const places = await Promise.all([enter(call('a')), enter(call('b'))])
    expect([places.map((place) => place.waitedMs), load()]).toEqual([[0, 0], { running: 2, waiting: 0 }])
    full = true
    expect(await codeOf(enter(call('a')))).toBe('OVERLOADED')
  })

  it('does not ask the fleet for a request that no queue could hold', async () => {
    let questions = 0
    const slots = {
      acquire: async () => {
        questions++
        return false
      },
      renew: async () => undefined,
      release: async () => undefined,
      inUse: async () => 0,
    }
    const { enter } = admission({ ...options, processQueue: 2, teamQueue: 1, slots, sleep: () => new Promise(() => undefined) })
    void enter(call('a'))
    await settled()
    expect(await codeOf(enter(call('a')))).toBe('QUEUE_FULL')
    expect(questions).toBe(1)
    void enter(call('b'))
    await settled()
    expect([questions, await codeOf(enter(call('c'))), questions]).toEqual([2, 'OVERLOADED', 2])
  })

  it('asks the fleet for a request at once and then at intervals, but for none that has just been refused', async () => {
    const [asked, pauses]: [string[], (() => void)[]] = [[], []]
    const places = new Set<string>()
    const slots = {
      acquire: async (_team: string, holder: string) => {
        asked.push(holder)
        return places.size > 0 && places.delete([...places][0] ?? '')
      },
      renew: async () => undefined,
      release: async () => undefined,
      inUse: async () => 0,
    }
    const sleep = (): Promise<void> => new Promise((resolve) => void pauses.push(resolve))
    const { enter } = admission({ ...options, places: 30, teamQueue: 30, processQueue: 30, slots, sleep })
    // Nobody waits yet: each of these asks before it queues, and the ninth again as soon as one of the eight is through.
    const entered: number[] = []
    for (let i = 1; i <= 9; i++) void enter(call('a')).then(() => entered.push(i))
    await settled()
    expect([asked.length, pauses.length]).toEqual([9, 8])
    places.add('one')
    pauses[0]?.()
    await settled()
    expect([entered, asked.length, asked.at(-1)]).toEqual([[1], 11, asked[8]])
    // Who comes while others wait has not asked yet.
    places.add('two')
    pauses[1]?.()
    await settled()
    expect([entered, asked.length]).toEqual([[1, 2], 12])
    void enter(call('a'))
    await settled()
    expect(asked.length).toBe(13)
  })

  it('lets eight waiters poll the fleet in order, for places that expire with the process', async () => {
    vi.useFakeTimers()
    const [asked, untils, renewed]: [string[], number[], string[]] = [[], [], []]
    let free = 0
    const slots = {
      acquire: async (_team: string, holder: string, _limit: number, until: number) => {
        asked.push(holder)
        if (free === 0) return false
        free -= 1
        return untils.push(until) > 0
      },
      renew: async (holder: string) => void renewed.push(holder),
      release: async () => undefined,
      inUse: async () => 0,
    }
    const { enter } = admission({ ...options, places: 30, teamQueue: 30, processQueue: 30, slots, sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)), every })
    const order: number[] = []
    const entering = enter(call('a')).then((place) => (order.push(0), place))
    await vi.advanceTimersByTimeAsync(0)
    for (let i = 1; i <= 20; i++) void enter(call('a')).then(() => order.push(i))
    await vi.advanceTimersByTimeAsync(500)
    expect([order, new Set(asked).size]).toEqual([[], 8])
    expect(asked.length).toBeLessThanOrEqual(8 * 12)
    free = 2
    await vi.advanceTimersByTimeAsync(50)
    expect([order.length, Math.max(...order) <= 8, untils]).toEqual([2, true, [20_000, 20_000]])
    // The next waiter asks at once, not after a pause: freed places are granted without delay.
    free = 10
    await vi.advanceTimersByTimeAsync(50)
    expect(order).toHaveLength(12)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(new Set(renewed).size).toBe(12)
    ;(await entering).release()
    renewed.length = 0
    await vi.advanceTimersByTimeAsync(5_000)
    expect(new Set(renewed).size).toBe(11)
    vi.useRealTimers()
  })

  it('reports how long a request waited for the fleet', async () => {
    let now = 0
    const slots = { acquire: async () => now > 0, renew: async () => undefined, release: async () => undefined, inUse: async () => 0 }
    const { enter } = admission({ ...options, slots, now: () => now, sleep: async (ms) => void (now += ms) })
    expect((await enter(call('a'))).waitedMs).toBe(50)
  })

  it("takes a fleet place for each request, whatever its caller's id", async () => {
    const held: string[] = []
    const slots = { acquire: async (_team: string, holder: string) => held.push(holder) > 0, renew: async () => undefined, release: async () => undefined, inUse: async () => held.length }
    const { enter } = admission({ ...options, slots })
    await Promise.all([enter(call('a')), enter(call('a'))])
    expect(new Set(held).size).toBe(2)
    expect(held).not.toContain('a')
  })

  it('lets pages of jobs wait behind requests, within the same limits', async () => {
    const { enter, enterBehind, load, running, inUse } = admission({ ...options, places: 1 })
    const order: string[] = []
    const { signal } = new AbortController()
    expect(inUse()).toBe(0)
    const first = await enterBehind('a', signal)
    expect(inUse()).toBe(1)
    const note = (name: string, place: Promise<{ release(): void }>): Promise<void> =>
      place.then(({ release }) => {
        order.push(name)
        release()
      })
    const all = [note('page 1', enterBehind('a', signal)), note('page 2', enterBehind('b', signal)), note('request', enter(call('a')))]
    await settled()
    expect([load(), running()]).toEqual([{ running: 0, waiting: 1 }, {}])
    first.release()
    await Promise.all(all)
    expect([order, inUse()]).toEqual([['request', 'page 1', 'page 2'], 0])
  })

  it('reports a page’s wait only if it waited', async () => {
    const { enterBehind } = admission({ ...options, places: 1, now: () => (now += 3) })
    const { signal } = new AbortController()
    let now = 0
    const first = await enterBehind('a', signal)
    const second = enterBehind('a', signal)
    first.release()
    expect([first.waitedMs, (await second).waitedMs > 0]).toEqual([0, true])
  })

  it('counts pages of jobs against the team, never against its queue', async () => {
    const { enter, enterBehind } = admission({ ...options, places: 3, teamPlaces: 1, teamQueue: 0 })
    const gone = new AbortController()
    const page = await enterBehind('a', gone.signal)
    const second = enterBehind('a', gone.signal)
    expect(await codeOf(enter(call('a')))).toBe('QUEUE_FULL')
    await enter(call('b'))
    gone.abort('stopped')
    expect(await codeOf(second)).toBe('stopped')
    page.release()
    await enter(call('a'))
  })
})
