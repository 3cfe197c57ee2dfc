/**
 * Congestion control per host: as many concurrent requests as the host answers without slowing down. The window grows and
 * is halved much like TCP's (RFC 5681), but reacts mainly to delay rather than loss: a host should not need to refuse.
 */

/** The configured limits of a host. */
export interface HostLimits {
  readonly maxInFlight: number
  /** Milliseconds between the end of a request and the start of the next, one request at a time; 0 for no delay. */
  readonly delay: number
}

/** The state of one host in this process. Immutable: each function returns the next state. */
export interface HostState {
  readonly limits: HostLimits
  readonly inFlight: number
  /** The maximum number of requests in flight; grows by fractions. */
  readonly window: number
  /** Below it the window doubles every round trip. */
  readonly threshold: number
  /** Near this many concurrent requests the host refused last time; Infinity when it never did, or no longer does. */
  readonly ceiling: number
  /** Milliseconds to an answer when the host is idle, and recently; null before the first answer. */
  readonly base: number | null
  readonly recent: number | null
  /** The number of answers behind these two averages. */
  readonly answers: number
  /** No request starts before this time. */
  readonly heldUntil: number
  readonly lastEnd: number
  /** When the window was last cut: answers to earlier requests say nothing about the smaller window. */
  readonly lastCut: number
  /** Consecutive refusals. */
  readonly refusals: number
  /** When it answered last, and the pauses since because it could not be reached. */
  readonly heardAt: number
  readonly absences: number
  /** When the current round trip began, the most requests in flight since, and in the round trip before. */
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
      /** The milliseconds for which it asks not to be asked again (`retryAfter`); 0 when it says nothing. */
      readonly holdMs: number
      /** Milliseconds to the first byte. */
      readonly ms: number
      /** How many of them our own process caused: the recent delay of its event loop. */
      readonly lag: number
      /** How busy our own process was recently, 0 to 1. */
      readonly busy: number
    }
  /** No answer in time, or the connection broke or could not be established. */
  | { readonly kind: 'unanswered'; readonly startedAt: number }
  /**
   * It answered before, and its name does not resolve any more, or it does not accept connections (`away`), or it accepts
   * them and says nothing (`mute`).
   */
  | { readonly kind: 'away'; readonly startedAt: number }
  | { readonly kind: 'mute'; readonly startedAt: number }
  /** Says nothing about the host: we gave up, or the cache answered. */
  | { readonly kind: 'unused' }

/** The longest pause that a host can ask for at once, whoever asks; it may ask again. */
export const longestHoldMs = 600_000

const rules = {
  /** Slightly more connections than a browser opens to one host (6): no server notices. */
  start: 8,
  /** Requests beyond the window for those who have none. */
  spare: 2,
  /**
   * Answers up to this are as fast as usual: noise of the network and of differing pages is smaller, a queue in the host is
   * larger.
   */
  flat: { factor: 1.5, plus: 50 },
  /** Slower than this, the host is overloaded. */
  slow: { factor: 3, plus: 200 },
  /** A single answer counts with at most this time. */
  odd: { factor: 4, plus: 200 },
  /** The factor for the window after a slower round trip: it shrinks until the usual time can be measured anew. */
  easeOff: 0.95,
  /** The factor for the window when the host is slow, refuses or does not answer. */
  halve: 0.5,
  /** Growth per round trip once the window no longer doubles, as a share of it; at least one request. */
  growth: 1 / 4,
  /**
   * After a refusal, this share of the refused window counts as safe. Above it, the window grows by `creep` requests per
   * round trip, until it exceeds that safe size by a quarter: a crawl should not run into the same limit every second.
   */
  safe: 0.85,
  creep: 0.02,
  outlived: 1.25,
  /** When our own process is busier than this, further requests would only wait in it. */
  busy: 0.9,
  /**
   * The same holds when an answer waits in our process for longer than this and than the host took: every waiting answer is
   * kept in memory.
   */
  waiting: 25,
  /** The pause after a refusal that names none: a second, doubled each time. */
  backOff: { first: 1_000, most: 60_000 },
  /**
   * Pauses while a host cannot be reached, three minutes in all: as long as it takes to start a machine. Shorter ones while
   * it says nothing, since it may be the pages that have nothing to say.
   */
  away: { first: 1_000, most: { away: 30_000, mute: 4_000 }, pauses: 10 },
  /** The weight of a new answer in the average of the idle host. */
  memory: 1 / 8,
} as const

/**
 * Too many requests, overloaded, or a gateway whose server is away, as when it is started anew (RFC 6585 §4; RFC 9110
 * §15.6.3 to 15.6.5). A content network has 521 to 523 for the last.
 */
const later: ReadonlySet<number> = new Set([429, 502, 503, 504, 521, 522, 523])

/** Whether a status says that the site is to be asked again later. */
export function meansLater(status: number): boolean {
  return later.has(status)
}

/** The state of a host that was never asked. */
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
    heardAt: Number.NEGATIVE_INFINITY,
    absences: 0,
    roundStart: Number.NEGATIVE_INFINITY,
    peak: 0,
    lastPeak: 0,
  }
}

/** The same host under other limits, for example once its `Crawl-delay` is known. */
export function limited(state: HostState, limits: HostLimits): HostState {
  return { ...state, limits, window: Math.min(state.window, limits.maxInFlight) }
}

/**
 * Milliseconds until the next request may start: 0 for now, Infinity when another must end first. For somebody who has no
 * request at the host (`hasNone`) there is room beyond the window, unless the host refuses: all others may hang.
 */
export function startsIn(state: HostState, now: number, { hasNone } = { hasNone: false }): number {
  const { limits, inFlight, window, heldUntil, lastEnd, refusals } = state
  const room = limits.delay > 0 ? 1 : Math.floor(window) + (hasNone && refusals === 0 ? rules.spare : 0)
  if (inFlight >= room) return Number.POSITIVE_INFINITY
  const delayed = limits.delay > 0 ? lastEnd + limits.delay : 0
  return Math.max(0, heldUntil - now, delayed - now)
}

/** The state after a request has started. */
export function opened(state: HostState): HostState {
  const inFlight = state.inFlight + 1
  return { ...state, inFlight, peak: Math.max(state.peak, inFlight) }
}

/** The state after a request has ended. */
export function closed(state: HostState, outcome: HostOutcome, now: number): HostState {
  const inFlight = Math.max(0, state.inFlight - 1)
  if (outcome.kind === 'unused') return { ...state, inFlight }
  const next = { ...state, inFlight, lastEnd: now }
  if (outcome.kind === 'unanswered') return outcome.startedAt >= state.lastCut ? cut(next, now) : next
  if (outcome.kind === 'away' || outcome.kind === 'mute') return absent(next, outcome, now)
  return heard({ ...next, heardAt: now, absences: 0 }, outcome, now)
}

function heard(next: HostState, outcome: Answered, now: number): HostState {
  if (meansLater(outcome.status)) return refused(next, outcome, now)
  // A server error says nothing about speed, and is no reason to ask for more.
  if (outcome.status >= 500) return next
  return answered(next, outcome, now)
}

type Answered = Extract<HostOutcome, { kind: 'answered' }>

/** Halves the number of requests that were really in flight; requests sent before the cut do not cut again. */
function cut(state: HostState, now: number): HostState {
  const used = Math.min(state.window, Math.max(state.peak, state.lastPeak))
  const window = Math.max(1, used * rules.halve)
  return { ...state, window, threshold: window, ceiling: Math.max(1, used * rules.safe), lastCut: now }
}

function refused(state: HostState, outcome: Answered, now: number): HostState {
  const fresh = outcome.startedAt >= state.lastCut
  const after = fresh ? { ...cut(state, now), refusals: state.refusals + 1 } : state
  const hold = outcome.holdMs > 0 ? Math.min(outcome.holdMs, longestHoldMs) : fresh ? Math.min(rules.backOff.first * 2 ** state.refusals, rules.backOff.most) : 0
  return { ...after, heldUntil: Math.max(state.heldUntil, now + hold) }
}

/** Few requests look whether the host is back, after longer and longer pauses. One that has just answered is still there. */
function absent(state: HostState, { kind, startedAt }: Extract<HostOutcome, { kind: 'away' | 'mute' }>, now: number): HostState {
  if (startedAt <= state.lastCut || state.absences >= rules.away.pauses || now - state.heardAt < rules.away.first) return state
  const pause = Math.min(rules.away.first * 2 ** state.absences, rules.away.most[kind])
  return { ...state, window: Math.min(state.window, rules.start), absences: state.absences + 1, lastCut: now, heldUntil: Math.max(state.heldUntil, now + pause) }
}

/** In how many milliseconds a host that cannot be reached may be back; null when it has been away for too long. */
export function backIn({ absences, heldUntil }: HostState, now: number): number | null {
  return absences >= rules.away.pauses && heldUntil <= now ? null : Math.max(rules.away.first, heldUntil - now)
}

function answered(state: HostState, outcome: Answered, now: number): HostState {
  const known = measured(state, outcome)
  if (outcome.startedAt < state.lastCut) return known
  const { base, recent, answers } = known
  const roundOver = outcome.startedAt >= state.roundStart
  const calm = { ...known, refusals: 0, ...(roundOver && { roundStart: now, peak: state.inFlight, lastPeak: state.peak }) }
  if (recent > base * rules.slow.factor + rules.slow.plus) return smaller(calm, rules.halve, { cut: true, now })
  if (recent > base * rules.flat.factor + rules.flat.plus) return roundOver ? smaller(calm, rules.easeOff, { cut: false, now }) : calm
  const ours = outcome.busy > rules.busy || now - outcome.startedAt - outcome.ms > Math.max(rules.waiting, outcome.ms)
  // The fastest answers arrive first: the usual time is known only after a whole round.
  return ours || answers <= rules.start ? calm : grown(calm)
}

function measured(state: HostState, outcome: Answered): HostState & { readonly base: number; readonly recent: number } {
  // The request was sent late, and its answer was noticed late.
  const ms = Math.max(0, outcome.ms - 2 * outcome.lag)
  const before = state.recent ?? ms
  // One page that takes a minute is no sign of load; many are, and still count.
  const counted = Math.min(ms, before * rules.odd.factor + rules.odd.plus)
  const weight = Math.max(1 / (state.answers + 1), 2 / (Math.max(2 * rules.start, state.window) + 1))
  const recent = before + (counted - before) * weight
  return { ...state, recent, base: atEase(state, counted, recent), answers: state.answers + 1 }
}

/** Does not shrink the window below its initial size: that few requests do not slow down a host. */
function smaller(state: HostState, factor: number, { cut, now }: { readonly cut: boolean; readonly now: number }): HostState {
  const window = Math.max(Math.min(rules.start, state.window), state.window * factor)
  return window < state.window ? { ...state, window, threshold: window, lastCut: cut ? now : state.lastCut } : state
}

/**
 * The few requests at the start cannot slow down a host, so they may raise the usual time. Later it only falls, and slowly,
 * or chance would pull it down to that of the fastest pages.
 */
function atEase({ base, window, answers }: HostState, ms: number, recent: number): number {
  if (base === null) return ms
  if (window <= rules.start) return base + (ms - base) * Math.max(rules.memory, 1 / (answers + 1))
  return recent < base ? base + ((recent - base) * rules.memory) / window : base
}

/** A window that was not used proves nothing (RFC 7661). */
function grown(state: HostState): HostState {
  const { window, threshold, ceiling, limits } = state
  if (Math.max(state.peak, state.lastPeak) * 2 <= window) return state
  const step = window >= ceiling ? rules.creep / window : window < threshold ? 1 : Math.max(1 / window, rules.growth)
  const larger = Math.min(limits.maxInFlight, window + step)
  return { ...state, window: larger, ceiling: larger > ceiling * rules.outlived ? Number.POSITIVE_INFINITY : ceiling }
}

/** The milliseconds that a `Retry-After` asks for (RFC 9110 §10.2.3): seconds or a date; 0 without a valid value. */
export function retryAfter(value: string | undefined, now: number): number {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const date = /^[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
