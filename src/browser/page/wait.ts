import { ServiceError } from '../../domain/errors.ts'
import { soonReferenceIn } from '../../lib/refresh.ts'
import { sleep } from '../../lib/sleep.ts'
import { urlOf } from '../../lib/url-of.ts'
import { beginsWithWaiting, saysLeaving } from '../../lib/waiting.ts'
import type { Tab } from './tab.ts'
import type { PendingRequest } from './traffic.ts'
import { type Look, littleText, lookScript } from './watch-script.ts'
import { GoneError, StuckError } from './world.ts'

/** How long a document must be quiet, and how long to wait for it. */
export interface Patience {
  /** Quiet time that ends the wait when there is content. */
  readonly quietMs: number
  /** Quiet time that ends it when there is little text, or a sign that more is coming. */
  readonly thinQuietMs: number
  /** Quiet time that ends it when the page says little, and that more is coming, or shows a large place for it. */
  readonly waitingQuietMs: number
  /** Longest wait for a page with content; such pages may poll or stream forever. */
  readonly richCapMs: number
  /** Longest wait for a page without content. */
  readonly thinCapMs: number
  /** Longest wait for the end of a document that is still arriving; the limits above apply after that. */
  readonly arrivalCapMs: number
}

// 150 ms is one render after a response on a busy machine. Pages without text usually wait for a timer or another module;
// those that say that they send their visitors on mostly give them five seconds to read it.
const usualPatience: Patience = { quietMs: 150, thinQuietMs: 900, waitingQuietMs: 5_500, richCapMs: 8_000, thinCapMs: 15_000, arrivalCapMs: Number.POSITIVE_INFINITY }

/** For a page that stays open, and may continue to arrive while its client looks at it. */
export const stayingPatience: Patience = { ...usualPatience, waitingQuietMs: usualPatience.thinQuietMs, arrivalCapMs: usualPatience.richCapMs }

/** A page with content that has not changed for this long is complete, however many requests it still makes. */
const stableMs = 2_500
/** Longest time between two looks: after what comes meanwhile, less may be needed. */
const mostLookMs = 900
/** How often a page is checked while the network is busy. */
const sliceMs = 700
/** How often a document may vanish during a look before giving up. */
const maxLost = 50
/**
 * To how many documents a page may navigate by itself: logins take several steps, but an endless chain would load as many
 * as there is time for.
 */
const maxOnward = 20
/** A request that takes longer no longer delays a page with content; one for a worker's script then delays no page. */
const patienceFor: (request: PendingRequest) => number = ({ kind, sameSite }) => (kind !== 'worker' && (kind === 'document' || sameSite) ? 5_000 : 2_500)
const challengeMs = 10_000

/** How the wait ended. */
export interface Settled {
  readonly look: Look | null
  readonly why: 'quiet' | 'stable' | 'cap' | 'stuck' | 'file'
  readonly ms: number
}

/** Whether the document is still arriving. */
export function isArriving({ traffic }: Pick<Tab, 'traffic'>, look: Look | null): boolean {
  return look?.ready === 'loading' && traffic.arriving()
}

/**
 * Waits until the page seems complete: the network is quiet and the document unchanged for a moment. Pages that never
 * become quiet end at a limit, `limitMs` at the latest. Throws `SCRAPE_SITE_ERROR` for a page that navigates endlessly;
 * rejects with the signal's reason.
 */
export async function settle(tab: Tab, limitMs: number, signal: AbortSignal, patience: Patience = usualPatience): Promise<Settled> {
  const begin = performance.now()
  const before = tab.traffic.asked()
  let look: Look | null = null
  // When the document was last seen arriving.
  let arrivedMs = 0
  const passed = (): number => performance.now() - begin
  const cap = (): number => {
    if (isArriving(tab, look)) return Math.min(limitMs, patience.arrivalCapMs)
    if (look?.challenge === true) return Math.min(limitMs, arrivedMs + challengeMs)
    return Math.min(limitMs, arrivedMs + (isThin(look) ? patience.thinCapMs : patience.richCapMs))
  }
  const answer = (why: Settled['why']): Settled => ({ look, why, ms: passed() })

  for (let lost = 0; passed() < cap(); ) {
    const downloads = tab.traffic.downloading()
    if (downloads) {
      const seen = await lookAt(tab, 0, Math.max(1, cap() - passed()))
      // A page that is too busy to be looked at is what it was.
      if (typeof seen !== 'string') look = seen
      if (isThin(look)) return answer('file')
    }
    if (tab.traffic.asked() - before > maxOnward) throw new ServiceError('SCRAPE_SITE_ERROR', 'The page sends its visitors on without end.')
    const quiet = await networkQuiet(tab, { limitMs: Math.min(cap() - passed(), sliceMs), thin: isThin(look), downloads, signal })
    const mark = markOf(tab)
    const wanted = quiet ? Math.min(quietFor(tab, look, patience), mostLookMs) : 0
    const seen = await lookAt(tab, wanted, Math.max(1, cap() - passed()))
    if (seen === 'stuck' || tab.page.isClosed() || lost > maxLost) return answer('stuck')
    if (seen === 'gone') {
      lost++
      continue
    }
    look = seen
    if (isArriving(tab, look)) arrivedMs = Math.min(passed(), patience.arrivalCapMs)
    if (!mayEnd(look, tab.traffic.brokeOff(), downloads) || (!downloads && leavesByHeader(tab))) await Promise.race([sleep(100, signal), tab.traffic.change()])
    else if (!quiet && isStable(tab, look)) return answer('stable')
    else if (quiet && markOf(tab) === mark && isQuiet(look, wanted, quietFor(tab, look, patience))) return answer('quiet')
  }
  return answer('cap')
}

/** A number that changes with every relevant request and every document. */
function markOf({ traffic }: Tab): number {
  return traffic.started() + traffic.documents()
}

/** Whether the content is stable although the page keeps making requests. A single long request may still bring content. */
function isStable(tab: Tab, look: Look): boolean {
  return !isThin(look) && look.quietMs >= stableMs && tab.traffic.pending(performance.now()).every((one) => one.ageMs < stableMs || one.ageMs > patienceFor(one))
}

/**
 * Whether the wait may end with this document, because it does not navigate by itself, or has and stayed. A document that
 * the site broke off is never ready.
 */
function mayEnd(look: Look, brokeOff: boolean, downloads: boolean): boolean {
  return (look.ready !== 'loading' || brokeOff) && (!look.leaving || downloads) && !look.challenge
}

/** Whether the document will redirect to another by a `Refresh` header, of which nothing on the page tells. */
function leavesByHeader({ traffic }: Tab): boolean {
  const shown = traffic.shown()
  const reference = soonReferenceIn(shown?.headers()['refresh'])
  if (shown === null || reference === undefined) return false
  const [from, to] = [urlOf(shown.url()), urlOf(reference, shown.url())].map((url) => url?.href.replace(/#.*/s, ''))
  return to !== undefined && to !== from
}

/** How long the document must be quiet, judged by the last look at it. */
function quietFor(tab: Tab, look: Look | null, { quietMs, thinQuietMs, waitingQuietMs }: Patience): number {
  if (look === null || !isThin(look)) return quietMs
  return isWaiting(look) || (look.text < littleText && tab.traffic.streams()) ? waitingQuietMs : thinQuietMs
}

/** Whether a document was quiet for as long as needed, of which the last look saw `seenMs`. */
function isQuiet({ quietMs }: Look, seenMs: number, neededMs: number): boolean {
  return seenMs >= neededMs || (seenMs >= mostLookMs && quietMs >= neededMs)
}

/** Whether a page that waited for more at the end of the wait still does. */
export async function staysWaiting(tab: Tab, { look }: Settled): Promise<boolean> {
  if (look === null || !isWaiting(look)) return false
  const now = await lookAt(tab, 0, 1)
  return typeof now === 'object' && isWaiting(now)
}

/** Whether a page says little, and that more is coming, or shows a large place for it. */
export function isWaiting({ live, text, busy, gap, words: [start = '', ...others] }: Look): boolean {
  return live && (gap || (text < littleText && (busy || saysLeaving(start) || [start, ...others].some(beginsWithWaiting))))
}

function isThin(look: Look | null): boolean {
  return look === null || (look.live && (look.text < littleText || look.busy))
}

interface QuietOptions {
  readonly limitMs: number
  readonly thin: boolean
  /** Whether a download that the page started is known. */
  readonly downloads: boolean
  readonly signal: AbortSignal
}

/** Waits until no relevant request is pending; false when the limit came first. */
async function networkQuiet({ traffic }: Tab, { limitMs, thin, downloads, signal }: QuietOptions): Promise<boolean> {
  const end = performance.now() + limitMs
  for (;;) {
    const now = performance.now()
    const waiting = traffic.pending(now).filter((request) => (thin && request.kind !== 'worker') || request.ageMs < patienceFor(request))
    if (waiting.length === 0) return true
    if (now >= end || (!downloads && traffic.downloading())) return false
    const next = Math.min(end - now, ...traffic.pending(now).map((request) => patienceFor(request) - request.ageMs).filter((ms) => ms > 0))
    const timer = new AbortController()
    const stop = (): void => timer.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      await Promise.race([traffic.change(), sleep(Math.max(1, next), timer.signal).catch(() => {})])
      signal.throwIfAborted()
    } finally {
      signal.removeEventListener('abort', stop)
      timer.abort()
    }
  }
}

async function lookAt({ world }: Tab, quietMs: number, maxMs: number): Promise<Look | 'gone' | 'stuck'> {
  try {
    // The extra time is for a thread or machine that is busy with other things.
    return await world.evaluate<Look>(lookScript(quietMs, Math.max(quietMs, maxMs)), maxMs + 1_000)
  } catch (error) {
    if (error instanceof GoneError) return 'gone'
    if (error instanceof StuckError) return 'stuck'
    throw error
  }
}
