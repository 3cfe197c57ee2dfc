import { describe, expect, it } from 'vitest'
import { closed, type HostOutcome, type HostState, limited, newHost, opened, retryAfter, startsIn } from './politeness.ts'

const at = Date.UTC(2026, 0, 1)
const hundred = { maxInFlight: 100, delay: 0 }
const answer = (startedAt: number, more: Partial<Extract<HostOutcome, { kind: 'answered' }>> = {}): HostOutcome => ({ kind: 'answered', startedAt, status: 200, holdMs: 0, ms: 100, lag: 0, busy: 0, ...more })

interface Site {
  /** The latency with this many requests in flight, in milliseconds. */
  readonly latency: (inFlight: number) => number
  readonly status?: (inFlight: number) => number
  readonly lag?: (inFlight: number) => number
  readonly busy?: number
  /** How long an answer waits for us with this many requests in flight, in milliseconds. */
  readonly waits?: (inFlight: number) => number
}

interface Flight {
  readonly startedAt: number
  readonly endsAt: number
  readonly ms: number
  readonly status: number
  readonly lag: number
}

/** A crawl that always has more to fetch, for some seconds, and what it did in each of them. */
function crawl(site: Site, seconds: number, start: HostState = newHost(hundred)): { state: HostState; perSecond: number[]; refused: number[]; most: number } {
  const perSecond = Array.from({ length: seconds }, () => 0)
  const refused = Array.from({ length: seconds }, () => 0)
  const flights: Flight[] = []
  let state = start
  let most = 0
  for (let now = 0; now < seconds * 1_000; now++) {
    for (const flight of flights.filter((one) => one.endsAt <= now)) {
      flights.splice(flights.indexOf(flight), 1)
      const { startedAt, ms, status, lag } = flight
      state = closed(state, answer(at + startedAt, { ms, status, lag, busy: site.busy ?? 0 }), at + now)
      const counts = status === 200 ? perSecond : refused
      counts[Math.floor(now / 1_000)] = (counts[Math.floor(now / 1_000)] ?? 0) + 1
    }
    while (startsIn(state, at + now) === 0) {
      state = opened(state)
      const ms = site.latency(state.inFlight)
      flights.push({ startedAt: now, endsAt: now + Math.max(1, Math.round(ms + (site.waits?.(state.inFlight) ?? 0))), ms, status: site.status?.(state.inFlight) ?? 200, lag: site.lag?.(state.inFlight) ?? 0 })
    }
    most = Math.max(most, state.inFlight)
  }
  return { state, perSecond, refused, most }
}

describe('a host that stays fast', () => {
  it('gets more requests each round trip: 300 ms away, 150 pages a second after a second and a half, the maximum after two', () => {
    const { perSecond, most } = crawl({ latency: () => 300 }, 5)
    expect(most).toBe(100)
    expect(perSecond[1]).toBeGreaterThan(150)
    expect(perSecond.slice(2).every((pages) => pages >= 300)).toBe(true)
  })

  it('starts with 8 at once', () => expect(crawl({ latency: () => 10_000 }, 1).most).toBe(8))

  it('may vary from page to page', () => {
    let i = 0
    const { perSecond } = crawl({ latency: () => 50 + ((i++ * 37) % 400) }, 10)
    expect(perSecond.at(-1)).toBeGreaterThan(300)
  })

  it('may have a fast first page', () => {
    let i = 0
    const { perSecond } = crawl({ latency: () => (i++ < 8 ? 10 : 800) }, 20)
    expect(perSecond.at(-1)).toBeGreaterThan(80)
  })

  it('may have an occasional very slow page', () => {
    let i = 0
    expect(crawl({ latency: () => (i++ % 100 === 50 ? 20_000 : 300) }, 15).state.window).toBe(100)
  })

  it('gets no larger window than is used', () => {
    let state = newHost(hundred)
    for (let i = 0; i < 1_000; i++) state = closed(opened(state), answer(at + i), at + i + 1)
    expect(state.window).toBe(8)
  })
})

describe('our own load', () => {
  it('is not mistaken for that of the host', () => {
    const latency = (n: number): number => 300 + n * 10
    const [ours = 0, theirs = 0] = [5, 0].map((late) => crawl({ latency, lag: (n) => n * late, busy: 0.8 }, 20).state.window)
    expect([ours, theirs < 60]).toEqual([100, true])
  })

  it('keeps the window constant when we are busy', () => {
    expect(crawl({ latency: () => 5, busy: 0.95 }, 3).most).toBe(8)
  })

  it('stops growth when answers wait longer for us than for the host', () => {
    const reading = (ms: number) => (n: number) => n * ms
    const near = crawl({ latency: () => 5, waits: reading(2) }, 10)
    expect([near.most > 10, near.most < 30]).toEqual([true, true])
    expect(crawl({ latency: () => 300, waits: reading(2) }, 10).most).toBe(100)
  })
})

describe('a host that gets slower', () => {
  it('gets about what it can answer without a queue', () => {
    // It handles twenty at once in 100 ms each; the others queue.
    const { state, perSecond } = crawl({ latency: (n) => 100 * Math.max(1, n / 20) }, 60)
    expect([state.window > 15, state.window < 60]).toEqual([true, true])
    expect(perSecond.at(-1)).toBeGreaterThan(150)
  })

  it('gets less when it slows down later, and more when it has recovered', () => {
    const fast = crawl({ latency: () => 100 }, 3).state
    const later = (state: HostState): HostState => ({ ...state, inFlight: 0, lastCut: 0, roundStart: 0 })
    const ill = crawl({ latency: () => 3_000 }, 15, later(fast)).state
    expect([fast.window, ill.window]).toEqual([100, 8])
    expect(crawl({ latency: () => 100 }, 10, later(ill)).state.window).toBe(100)
  })
})

describe('a host that refuses', () => {
  it('gets half, once for all requests in flight, and a pause that doubles', () => {
    let state = { ...newHost(hundred), window: 40, inFlight: 40, peak: 40 }
    for (let i = 0; i < 40; i++) state = closed(state, answer(at, { status: 429 }), at + 100)
    expect([state.window, state.inFlight, startsIn(state, at + 100)]).toEqual([20, 0, 1_000])
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((i) => {
      const now = at + i * 100_000
      state = closed(opened(state), answer(now, { status: 503 }), now + 1)
      return startsIn(state, now + 1)
    })
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    expect(state.window).toBe(1)
    state = closed(opened(state), answer(at + 900_000), at + 900_100)
    state = closed(opened(state), answer(at + 900_200, { status: 429 }), at + 900_300)
    expect(startsIn(state, at + 900_300)).toBe(1_000)
  })

  it.each([
    ['7', 7_000],
    [' 120 ', 120_000],
    ['86400', 600_000],
    ['Thu, 01 Jan 2026 00:00:31 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1_000],
    ['0', 1_000],
    ['-5', 1_000],
    ['soon', 1_000],
    ['2027', 600_000],
    ['2026-06-01', 1_000],
    ['12/31/2026', 1_000],
    ['', 1_000],
    [undefined, 1_000],
  ])('is not asked for the time of its Retry-After: %j holds all requests for %s ms', (header, pause) => {
    const state = closed(opened(newHost(hundred)), answer(at, { status: 429, holdMs: retryAfter(header, at + 1_000) }), at + 1_000)
    expect(startsIn(state, at + 1_000)).toBe(pause)
    expect(startsIn(state, at + 1_000 + pause)).toBe(0)
  })

  it('has no room beyond its window for somebody who has no request there, as one that does not refuse has', () => {
    const full = { ...newHost(hundred), window: 8, inFlight: 8 }
    const hasNone = { hasNone: true }
    expect([startsIn(full, at), startsIn(full, at, hasNone), startsIn({ ...full, refusals: 1 }, at, hasNone)]).toEqual([Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY])
  })

  it('may extend the pause but not shorten it while others are in flight', () => {
    let state = opened(opened(opened(newHost(hundred))))
    for (const holdMs of [10_000, 30_000, 5_000]) state = closed(state, answer(at, { status: 429, holdMs }), at + 1)
    expect([startsIn(state, at + 1), state.refusals]).toEqual([30_000, 1])
  })

  it('settles where it no longer refuses', () => {
    // It refuses more than 10 at once.
    const { refused, perSecond } = crawl({ latency: () => 100, status: (n) => (n > 10 ? 429 : 200) }, 60)
    const last = refused.slice(30).reduce((sum, n) => sum + n, 0)
    expect(last).toBeLessThan(60)
    expect(perSecond.slice(30).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(30 * 30)
  })

  it('or does not answer gets half without a pause', () => {
    let state: HostState = { ...newHost(hundred), window: 16, inFlight: 16, peak: 16 }
    state = closed(state, { kind: 'unanswered', startedAt: at }, at + 5_000)
    state = closed(state, { kind: 'unanswered', startedAt: at }, at + 5_000)
    expect([state.window, startsIn({ ...state, inFlight: 0 }, at + 5_000)]).toEqual([8, 0])
  })

  it('with an error of a page gets neither more nor less', () => {
    const before = { ...newHost(hundred), inFlight: 8 }
    expect(closed(before, answer(at, { status: 500, ms: 9_000 }), at)).toEqual({ ...before, inFlight: 7, lastEnd: at, heardAt: at })
    expect(closed(before, { kind: 'unused' }, at)).toEqual({ ...before, inFlight: 7 })
  })
})

describe('limits', () => {
  it('count a delay from the end of a request to the start of the next, one at a time', () => {
    let state = newHost({ maxInFlight: 100, delay: 2_000 })
    expect(startsIn(state, at)).toBe(0)
    state = opened(state)
    expect(startsIn(state, at + 60_000)).toBe(Number.POSITIVE_INFINITY)
    state = closed(state, answer(at), at + 60_000)
    expect([startsIn(state, at + 60_000), startsIn(state, at + 61_500), startsIn(state, at + 62_000)]).toEqual([2_000, 500, 0])
  })

  it('may become known later', () => {
    let state = opened(opened(newHost(hundred)))
    state = limited(state, { maxInFlight: 4, delay: 1_000 })
    expect([state.window, startsIn(state, at)]).toEqual([4, Number.POSITIVE_INFINITY])
    state = closed(closed(state, answer(at), at), answer(at), at + 10)
    expect(startsIn(state, at + 10)).toBe(1_000)
  })

  it.each([1, 3, 20])('allow at most %s at once', (maxInFlight) => {
    expect(crawl({ latency: () => 50 }, 3, newHost({ maxInFlight, delay: 0 })).most).toBe(maxInFlight)
  })

  it('tolerate one end too many', () => {
    expect(closed(newHost(hundred), answer(at), at).inFlight).toBe(0)
  })
})
