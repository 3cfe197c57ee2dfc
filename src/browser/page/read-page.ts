import type { Call } from '../../domain/call.ts'
import type { Order, Shot, ShotOrder } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import { calm, onceThere } from '../actions/stage.ts'
import { loadBelow } from './below.ts'
import { lookAt } from './look.ts'
import { screenshot } from './screenshot.ts'
import { snapshot, stopScripts } from './snapshot.ts'
import type { Tab } from './tab.ts'
import type { Settled } from './wait.ts'
import { GoneError, StuckError } from './world.ts'

// R20: larger pages are cut.
const maxNodes = 1_000_000
const maxText = 20 * 1024 ** 2
// Measuring a page ends by then, with what it has.
const lookMs = 4_000
// Parts that a visitor would have to scroll to are loaded by then, or left out.
const belowMs = 5_000
/** How often a page is read once more because it went on to another meanwhile, unless less than this is left. */
const mostAgain = 2
const againMs = 4_000

/** How a page is read. */
export interface ReadTerms {
  readonly order: Order
  /** How the wait for the page ended. */
  readonly why: Settled['why']
  /** Longest HTML that is kept, in bytes. */
  readonly maxBytes: number
  /** Milliseconds that parts to be scrolled to must leave. */
  readonly reserveMs: number
  /** Milliseconds left for the request. */
  left(): number
}

/** What was read of a page; `moved` if its parts may be of different documents. */
export interface Read {
  readonly taken: Awaited<ReturnType<typeof snapshot>>
  readonly shots: readonly Shot[] | undefined
  readonly look: Awaited<ReturnType<typeof lookAt>> | undefined
  readonly moved: boolean
}

/**
 * Reads what an order wants of a page: its text, and a picture and the look of the same document, for which it is read again if it went
 * on to another meanwhile. Throws `SCRAPE_TIMEOUT` and `SCRAPE_SITE_ERROR` when it cannot be read.
 */
export async function readPage(tab: Tab, terms: ReadTerms, call: Pick<Call, 'signal'>): Promise<Read> {
  const { order, left } = terms
  const isText = order.screenshot === undefined && order.look !== true
  for (let again = 0; ; again++) {
    const before = tab.traffic.documents()
    const read = await readOnce(tab, terms, call)
    const moved = !isText && tab.traffic.documents() !== before
    if (!moved || again >= mostAgain || left() < againMs || tab.page.isClosed()) return { ...read, moved }
    await calm({ tab, left, signal: call.signal })
  }
}

async function readOnce(tab: Tab, { order, why, maxBytes, reserveMs, left }: ReadTerms, { signal }: Pick<Call, 'signal'>): Promise<Omit<Read, 'moved'>> {
  const shots = order.screenshot === undefined ? undefined : [await shotOf(tab, order.screenshot, () => left() - 1_000, signal)]
  // What actions have opened, scrolling may close.
  if ((order.actions ?? []).length === 0 && why !== 'stuck') await loadBelow(tab, Math.min(belowMs, left() - reserveMs), signal)
  const taken = await take(tab, why, { maxNodes, maxText, maxBytes }, Math.max(500, left() - 300))
  const look = order.look !== true ? undefined : await lookAt(tab, Math.max(500, Math.min(lookMs, left() - 300)))
  return { taken, shots, look }
}

/** A picture of the page, or of the one that it goes on to meanwhile. */
async function shotOf(tab: Tab, order: ShotOrder, left: () => number, signal: AbortSignal): Promise<Shot> {
  try {
    return await onceThere({ tab, left, signal }, () => screenshot(tab, order, { limitMs: Math.max(500, left()), signal }))
  } catch (error) {
    throw whyUnread(error)
  }
}

/** Takes the document; a script that never ends is stopped first. */
async function take(tab: Tab, why: Settled['why'], limits: Parameters<typeof snapshot>[1], limitMs: number): ReturnType<typeof snapshot> {
  try {
    if (why === 'stuck') await stopScripts(tab.cdp)
    return await snapshot(tab, limits, limitMs)
  } catch (error) {
    throw whyUnread(error)
  }
}

/** Why a page could not be read, for the caller. */
function whyUnread(error: unknown): unknown {
  if (error instanceof StuckError) return new ServiceError('SCRAPE_TIMEOUT', 'The page keeps the browser too busy to be read in time.', { cause: error })
  if (error instanceof GoneError) return new ServiceError('SCRAPE_SITE_ERROR', 'The page sends its visitors on without end.', { cause: error })
  return error
}
