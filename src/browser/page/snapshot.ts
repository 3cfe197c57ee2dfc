import { withTimeout } from '../../lib/with-timeout.ts'
import type { Session } from '../protocol/page-session.ts'
import { openClosedRoots } from './closed-roots.ts'
import { withForeignFrames } from './foreign-frames.ts'
import { type Serialised, type SnapshotBudget, snapshotScript } from './snapshot-script.ts'
import type { Tab } from './tab.ts'
import { GoneError } from './world.ts'

/** How much of a page is taken (R20, R21). */
export interface SnapshotLimits {
  readonly maxNodes: number
  readonly maxBytes: number
  /** Characters of text and attributes. */
  readonly maxText: number
}

// The rest of the time is for transferring the result.
const walkShare = 0.6
// More than pages hide, and longer than it takes to find: beyond that, hidden elements are determined from the HTML.
const maxUnseen = 5_000
const unseenMs = 1_500
// A page of more frames shows the same thing in many of them, or nothing that is read.
const maxFrames = 20

// A page of a million elements is laid out for seconds before it answers anything.
const rootsMs = 1_500

/**
 * The rendered document as HTML: shadow trees in place of their hosts, frames in place, with the values of forms. Taken in the isolated world. Rejects with `StuckError` when the page's thread stays busy.
 */
export async function snapshot(tab: Tab, limits: SnapshotLimits, limitMs: number): Promise<Serialised> {
  const end = performance.now() + limitMs
  for (let tries = 0; ; tries++) {
    try {
      const opened = await openClosedRoots(tab, Math.min(rootsMs, limitMs / 3))
      const left = Math.max(1, end - performance.now())
      const budget: SnapshotBudget = { maxNodes: limits.maxNodes, maxChars: limits.maxBytes, maxText: limits.maxText, ms: left * walkShare, maxUnseen, unseenMs: Math.min(unseenMs, left * walkShare * 0.3), maxFrames }
      const taken = await tab.world.evaluate<Serialised>(snapshotScript(budget), left)
      const whole = await withForeignFrames(tab, taken, budget, end - performance.now())
      return opened ? whole : { ...whole, truncated: true }
    } catch (error) {
      // The page navigated meanwhile.
      if (error instanceof GoneError && tries < 3 && performance.now() < end && !tab.page.isClosed()) continue
      throw error
    }
  }
}

/** Stops a script that never ends, so that what it has made of the page can be read. */
export async function stopScripts(cdp: Session): Promise<void> {
  await withTimeout(cdp.send('Runtime.terminateExecution'), 1_000, () => undefined)
}
