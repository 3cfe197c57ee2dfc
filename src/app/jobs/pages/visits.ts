import { untilAborted, within } from '../../../lib/deadline.ts'
import type { Told } from './told.ts'

/** A page of a crawl that this process is working on. */
export interface OpenVisit {
  /** Called when the page gets its turn; false while a redirect under way leads there and may deliver it. */
  begins(): boolean
  /**
   * Called when a redirect leads to the URL of that key; false if the crawl already has the page there. If that page is
   * being fetched, waits (10 seconds at most) until it has ended or was redirected itself. Throws the signal's reason.
   */
  mayLeadTo(key: string, signal: AbortSignal): Promise<boolean>
  /** Call exactly once, with the key under which the results now hold the page, or null if it was not delivered. */
  end(delivered: string | null): void
}

/** The pages of a crawl that this process has fetched or is fetching, so that none is fetched again at the end of a redirect. The store settles duplicates between processes. */
export interface Visits {
  /** Null while a redirect under way leads there and may deliver the page. */
  begin(key: string): OpenVisit | null
}

/** A page being fetched; over when it has ended or was redirected. */
interface Fetched {
  readonly over: Promise<void>
  end(): void
}

/** No page waits longer than this for another: fetching twice is better than not at all. */
const longestWaitMs = 10_000

function fetched(): Fetched {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => (end = resolve))
  return { over, end }
}

/** Waits for the page to be over, for a limited time. */
async function ended({ over }: Fetched, patienceMs: number, signal: AbortSignal): Promise<void> {
  try {
    await untilAborted(over, within({ signal }, patienceMs))
  } catch {
    signal.throwIfAborted()
  }
}

/** `done` remembers the pages that are over. */
export function visits(done: Told, patienceMs = longestWaitMs): Visits {
  /** Pages being fetched that were not redirected. */
  const under = new Map<string, Fetched>()
  /** Targets of redirects under way, with their number. A way station that many pass (to get a cookie, say) is where none of them ends, so it blocks nobody. */
  const led = new Map<string, number>()
  const lead = (key: string, by: 1 | -1): void => {
    const count = (led.get(key) ?? 0) + by
    if (count > 0) led.set(key, count)
    else led.delete(key)
  }
  return {
    begin(key) {
      if (led.has(key)) return null
      const own = fetched()
      const way = new Set<string>()
      const over = (): void => {
        if (under.get(key) === own) under.delete(key)
        own.end()
      }
      return {
        begins() {
          if (led.has(key)) return false
          under.set(key, own)
          return true
        },
        async mayLeadTo(next, signal) {
          if (next === key || way.has(next)) return true
          // A page that waits was redirected, so nothing waits for it: there is no deadlock.
          over()
          const other = under.get(next)
          if (other !== undefined) await ended(other, patienceMs, signal)
          if (done.has(next)) return false
          way.add(next)
          lead(next, 1)
          return true
        },
        end(delivered) {
          for (const one of way) lead(one, -1)
          if (delivered !== null) done.add([delivered])
          over()
        },
      }
    },
  }
}
