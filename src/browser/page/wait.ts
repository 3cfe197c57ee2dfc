import { ServiceError } from '../../domain/errors.ts'
import { sleep } from '../../lib/sleep.ts'
import type { Tab } from './tab.ts'
import type { PendingRequest } from './traffic.ts'
import { type Look, lookScript } from './watch-script.ts'
import { GoneError, StuckError } from './world.ts'

/** How long a document must be quiet, and how long it is waited for. */
export interface Patience {
  /** Quiet that ends the wait where there is content. */
  readonly quietMs: number
  /** Quiet that ends it where there is little text yet, or something says that more is coming. */
  readonly thinQuietMs: number
  /** Longest wait for a page with content; such pages may poll or stream for ever. */
  readonly richCapMs: number
  /** Longest wait for a page without. */
  readonly thinCapMs: number
  /** Longest wait for the end of a document that is still arriving; the caps above are for what comes after it. */
  readonly arrivalCapMs: number
}

// 150 ms is one render after an answer on a busy machine. Pages without text are usually waiting for a timer or a module of their own.
const usualPatience: Patience = { quietMs: 150, thinQuietMs: 900, richCapMs: 8_000, thinCapMs: 15_000, arrivalCapMs: Number.POSITIVE_INFINITY }

/** For a page that stays open, where it goes on arriving under the eyes of those who asked for it. */
export const stayingPatience: Patience = { ...usualPatience, arrivalCapMs: usualPatience.richCapMs }

/** A page with content that has not changed for so long is complete, however much it goes on asking the network. */
const stableMs = 2_500
/** How often a page is looked at while the network is busy. */
const sliceMs = 700
/** Documents that vanish while we look, before we stop looking. */
const maxLost = 50
/** Documents to which a page may go on by itself: logins take several steps; one that goes on and on asks its site for as many as there is time for. */
const maxOnward = 20
/** A page with fewer characters of text is taken for a shell. */
const littleText = 250
/** Requests that run longer than this no longer hold up a page that has content; those for scripts of workers then hold up no page. */
const patienceFor: (request: PendingRequest) => number = ({ kind, sameSite }) => (kind !== 'worker' && (kind === 'document' || sameSite) ? 5_000 : 2_500)
const challengeMs = 10_000

/** How the wait ended. */
export interface Settled {
  readonly look: Look | null
  readonly why: 'quiet' | 'stable' | 'cap' | 'stuck' | 'file'
  readonly ms: number
}

/** Whether the document has yet to come to its end: what is there of it is a part. */
export function isArriving({ traffic }: Pick<Tab, 'traffic'>, look: Look | null): boolean {
  return look?.ready === 'loading' && traffic.arriving()
}

/**
 * Waits until the page is complete as far as one can tell: the network quiet and the document unchanged for a moment. Ends at a cap for
 * pages that never come to rest, `limitMs` at the latest. Throws `SCRAPE_SITE_ERROR` for one that goes on to other documents without end;
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
    if (tab.traffic.downloading()) return answer('file')
    if (tab.traffic.asked() - before > maxOnward) throw new ServiceError('SCRAPE_SITE_ERROR', 'The page sends its visitors on without end.')
    const quiet = await networkQuiet(tab, { limitMs: Math.min(cap() - passed(), sliceMs), thin: isThin(look), signal })
    const mark = markOf(tab)
    const wanted = !quiet ? 0 : isThin(look) && look !== null ? patience.thinQuietMs : patience.quietMs
    const seen = await lookAt(tab, wanted, Math.max(1, cap() - passed()))
    if (seen === 'stuck' || tab.page.isClosed() || lost > maxLost) return answer('stuck')
    if (seen === 'gone') {
      lost++
      continue
    }
    look = seen
    if (isArriving(tab, look)) arrivedMs = Math.min(passed(), patience.arrivalCapMs)
    if (!mayEnd(look, tab.traffic.brokeOff())) await Promise.race([sleep(100, signal), tab.traffic.change()])
    else if (!quiet && isStable(tab, look)) return answer('stable')
    else if (quiet && markOf(tab) === mark && (!isThin(look) || wanted >= patience.thinQuietMs)) return answer('quiet')
  }
  return answer('cap')
}

/** Changes with every request that counts and with every document. */
function markOf({ traffic }: Tab): number {
  return traffic.started() + traffic.documents()
}

/** Whether the content stays as it is while the page asks on and on. A single long question may still bring content. */
function isStable(tab: Tab, look: Look): boolean {
  return !isThin(look) && look.quietMs >= stableMs && tab.traffic.pending(performance.now()).every((one) => one.ageMs < stableMs || one.ageMs > patienceFor(one))
}

/** Whether the document is one to end at, and not one that goes on by itself. One that its site broke off is never ready. */
function mayEnd(look: Look, brokeOff: boolean): boolean {
  return (look.ready !== 'loading' || brokeOff) && !look.leaving && !look.challenge
}

function isThin(look: Look | null): boolean {
  return look === null || (look.live && (look.text < littleText || look.busy))
}

interface QuietOptions {
  readonly limitMs: number
  readonly thin: boolean
  readonly signal: AbortSignal
}

/** Waits until no request that counts is under way; false when the limit came first. */
async function networkQuiet({ traffic }: Tab, { limitMs, thin, signal }: QuietOptions): Promise<boolean> {
  const end = performance.now() + limitMs
  for (;;) {
    const now = performance.now()
    const waiting = traffic.pending(now).filter((request) => (thin && request.kind !== 'worker') || request.ageMs < patienceFor(request))
    if (waiting.length === 0) return true
    if (now >= end || traffic.downloading()) return false
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
    // The grace is for a thread that is busy with other scripts of the page, or a machine that is.
    return await world.evaluate<Look>(lookScript(quietMs, Math.max(quietMs, maxMs)), maxMs + 1_000)
  } catch (error) {
    if (error instanceof GoneError) return 'gone'
    if (error instanceof StuckError) return 'stuck'
    throw error
  }
}
