/**
 * How hard one host may be asked: as many requests at once as it answers without getting slower. The window grows and is halved much
 * as that of TCP (RFC 5681), but looks at delay more than at loss: a host should not have to refuse.
 */

/** What is allowed at most. */
export interface HostLimits {
  readonly maxInFlight: number
  /** Milliseconds between the end of one request and the start of the next, one at a time then; 0 for none. */
  readonly delay: number
}

/** The state of one host in this process. Plain data, never changed: each function answers the next state. */
export interface HostState {
  readonly limits: HostLimits
  readonly inFlight: number
  /** Requests that may be in flight; grows by fractions. */
  readonly window: number
  /** Below it the window doubles with each round trip. */
  readonly threshold: number
  /** Near so many the host refused the last time; Infinity when it never did, or no longer does. */
  readonly ceiling: number
  /** Milliseconds to an answer when the host is at ease, and lately; null before the first. */
  readonly base: number | null
  readonly recent: number | null
  /** Answers that these two were made from. */
  readonly answers: number
  /** Nothing starts before. */
  readonly heldUntil: number
  readonly lastEnd: number
  /** When the window was last made smaller: what was sent before says nothing about the smaller one. */
  readonly lastCut: number
  /** Refusals in a row. */
  readonly refusals: number
  /** A round trip began here, the most in flight since, and in the round before. */
  readonly roundStart: number
  readonly peak: number
  readonly lastPeak: number
}

/** How a request ended. */
export type HostOutcome =
  | {
      readonly kind: 'answered'
      readonly startedAt: number
      readonly status: number
      /** As sent; undefined when not. */
      readonly retryAfter: string | undefined
      /** Milliseconds to the first byte. */
      readonly ms: number
      /** By how many of them our own process was late: the delay of its event loop lately. */
      readonly lag: number
      /** How much of its time our own process was busy lately, 0 to 1. */
      readonly busy: number
    }
  /** No answer in time, or the connection broke or could not be had. */
  | { readonly kind: 'unanswered'; readonly startedAt: number }
  /** Says nothing about the host: given up by us, or answered from the cache. */
  | { readonly kind: 'unused' }

const rules = {
  /** What a browser opens to one host (6), and a little: no server notices. */
  start: 8,
  /** Answers count as just as fast up to this: noise of networks and of unlike pages lies below, a queue at the host above. */
  flat: { factor: 1.5, plus: 50 },
  /** Beyond this the host is in trouble. */
  slow: { factor: 3, plus: 200 },
  /** More than this a single answer does not count. */
  odd: { factor: 4, plus: 200 },
  /** What is left of the window after a round trip that was not flat: it goes back to where the usual time can be learnt anew. */
  easeOff: 0.95,
  /** What is left of it when the host is slow, does not answer or refuses. */
  halve: 0.5,
  /** By how much of itself it grows in a round trip, once it no longer doubles; by one at least. */
  growth: 1 / 4,
  /**
   * After a refusal so much of the window that was refused is thought safe. Above that it creeps, by so much in a round trip, until
   * the refusal is outlived by a quarter: a crawl should not run into the same wall every second.
   */
  safe: 0.85,
  creep: 0.02,
  outlived: 1.25,
  /** Busier than this, more requests would only wait in our own process. */
  busy: 0.9,
  /** So they would where an answer waits there for more milliseconds than these, and than the host took: each that waits is kept in memory. */
  waiting: 25,
  /** A host that refuses without saying for how long: a second, doubled each time. */
  backOff: { first: 1_000, most: 60_000 },
  /** No host may hold a job for longer at a time; it can say so again. */
  longestHold: 600_000,
  /** Weight of a new answer in the time at ease. */
  memory: 1 / 8,
} as const

/** A host that was not asked yet. */
export function newHost(limits: HostLimits): HostState {
  return {
    limits,
    inFlight: 0,
    window: Math.min(rules.start, limits.maxInFlight),
    threshold: Number.POSITIVE_INFINITY,
    ceiling: Number.POSITIVE_INFINITY,
    base: null,
    recent: null,
    answers: 0,
    heldUntil: 0,
    lastEnd: Number.NEGATIVE_INFINITY,
    lastCut: Number.NEGATIVE_INFINITY,
    refusals: 0,
    roundStart: Number.NEGATIVE_INFINITY,
    peak: 0,
    lastPeak: 0,
  }
}

/** The same host under other limits, for example when its `Crawl-delay` becomes known. */
export function limited(state: HostState, limits: HostLimits): HostState {
  return { ...state, limits, window: Math.min(state.window, limits.maxInFlight) }
}

/** Milliseconds until the next request may start: 0 for now, Infinity for not before one ends. */
export function startsIn(state: HostState, now: number): number {
  const { limits, inFlight, window, heldUntil, lastEnd } = state
  if (inFlight >= (limits.delay > 0 ? 1 : Math.floor(window))) return Number.POSITIVE_INFINITY
  const delayed = limits.delay > 0 ? lastEnd + limits.delay : 0
  return Math.max(0, heldUntil - now, delayed - now)
}

/** A request starts. */
export function opened(state: HostState): HostState {
  const inFlight = state.inFlight + 1
  return { ...state, inFlight, peak: Math.max(state.peak, inFlight) }
}

/** A request has ended. */
export function closed(state: HostState, outcome: HostOutcome, now: number): HostState {
  const inFlight = Math.max(0, state.inFlight - 1)
  if (outcome.kind === 'unused') return { ...state, inFlight }
  const next = { ...state, inFlight, lastEnd: now }
  if (outcome.kind === 'unanswered') return outcome.startedAt >= state.lastCut ? cut(next, now) : next
  if (outcome.status === 429 || outcome.status === 503) return refused(next, outcome, now)
  // A fault of the host is no measure of its speed, and no reason to ask for more.
  if (outcome.status >= 500) return next
  return answered(next, outcome, now)
}

type Answered = Extract<HostOutcome, { kind: 'answered' }>

/** Half of what was really in flight at once, once for all that was sent before. */
function cut(state: HostState, now: number): HostState {
  const used = Math.min(state.window, Math.max(state.peak, state.lastPeak))
  const window = Math.max(1, used * rules.halve)
  return { ...state, window, threshold: window, ceiling: Math.max(1, used * rules.safe), lastCut: now }
}

function refused(state: HostState, outcome: Answered, now: number): HostState {
  const fresh = outcome.startedAt >= state.lastCut
  const after = fresh ? { ...cut(state, now), refusals: state.refusals + 1 } : state
  const asked = retryAfter(outcome.retryAfter, now)
  const hold = asked > 0 ? Math.min(asked, rules.longestHold) : fresh ? Math.min(rules.backOff.first * 2 ** state.refusals, rules.backOff.most) : 0
  return { ...after, heldUntil: Math.max(state.heldUntil, now + hold) }
}

function answered(state: HostState, outcome: Answered, now: number): HostState {
  const known = measured(state, outcome)
  if (outcome.startedAt < state.lastCut) return known
  const { base, recent, answers } = known
  const roundOver = outcome.startedAt >= state.roundStart
  const calm = { ...known, refusals: 0, ...(roundOver && { roundStart: now, peak: state.inFlight, lastPeak: state.peak }) }
  if (recent > base * rules.slow.factor + rules.slow.plus) return smaller(calm, rules.halve, { cut: true, now })
  if (recent > base * rules.flat.factor + rules.flat.plus) return roundOver ? smaller(calm, rules.easeOff, { cut: false, now }) : calm
  // The quickest come first: a whole round has to be in before the usual time is known.
  const ours = outcome.busy > rules.busy || now - outcome.startedAt - outcome.ms > Math.max(rules.waiting, outcome.ms)
  return ours || answers <= rules.start ? calm : grown(calm)
}

function measured(state: HostState, outcome: Answered): HostState & { readonly base: number; readonly recent: number } {
  // The request left late and the answer was seen late.
  const ms = Math.max(0, outcome.ms - 2 * outcome.lag)
  const before = state.recent ?? ms
  // One page that takes a minute is no sign of load; many are, and still count.
  const counted = Math.min(ms, before * rules.odd.factor + rules.odd.plus)
  const weight = Math.max(1 / (state.answers + 1), 2 / (Math.max(2 * rules.start, state.window) + 1))
  const recent = before + (counted - before) * weight
  return { ...state, recent, base: atEase(state, counted, recent), answers: state.answers + 1 }
}

/** Not below where it started: so few make no host slow. */
function smaller(state: HostState, factor: number, { cut, now }: { readonly cut: boolean; readonly now: number }): HostState {
  const window = Math.max(Math.min(rules.start, state.window), state.window * factor)
  return window < state.window ? { ...state, window, threshold: window, lastCut: cut ? now : state.lastCut } : state
}

/**
 * The few requests of the start cannot make a host slow: they may raise what counts as usual. Later it only falls, and slowly, or
 * chance would pull it down to the quickest pages.
 */
function atEase({ base, window, answers }: HostState, ms: number, recent: number): number {
  if (base === null) return ms
  if (window <= rules.start) return base + (ms - base) * Math.max(rules.memory, 1 / (answers + 1))
  return recent < base ? base + ((recent - base) * rules.memory) / window : base
}

/** A window that was not used has proved nothing (RFC 7661). */
function grown(state: HostState): HostState {
  const { window, threshold, ceiling, limits } = state
  if (Math.max(state.peak, state.lastPeak) * 2 <= window) return state
  const step = window >= ceiling ? rules.creep / window : window < threshold ? 1 : Math.max(1 / window, rules.growth)
  const larger = Math.min(limits.maxInFlight, window + step)
  return { ...state, window: larger, ceiling: larger > ceiling * rules.outlived ? Number.POSITIVE_INFINITY : ceiling }
}

/** Milliseconds that a `Retry-After` asks for (RFC 9110 §10.2.3): seconds or a date; 0 for none and for what is neither. */
export function retryAfter(value: string | undefined, now: number): number {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
