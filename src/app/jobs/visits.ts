import { untilAborted, within } from '../../lib/deadline.ts'
import type { Told } from './told.ts'

/** A page of a crawl that this process is at. */
export interface OpenVisit {
  /** The page has its turn; false while a redirect leads there: what that brings may be this page. */
  begins(): boolean
  /**
   * A redirect leads to the URL of that key; false when the crawl has the page there, so that nobody need ask for it again. Of one that is being
   * fetched this is known when that has ended, or leads elsewhere. Throws the signal's reason.
   */
  mayLeadTo(key: string, signal: AbortSignal): Promise<boolean>
  /** To be called exactly once: the key under which the results now have the page, as it was called in the end; null where it was not delivered. */
  end(delivered: string | null): void
}

/** Which pages of a crawl this process has, so that none is fetched once more at the end of a redirect. What other processes have the store finds out. */
export interface Visits {
  /** Null while a redirect leads there: what that brings may be this page. */
  begin(key: string): OpenVisit | null
}

/** A page that is being fetched: over when it has ended, or has turned out to lead on. */
interface Fetched {
  readonly over: Promise<void>
  end(): void
}

/** Longer than this no page waits for another: it is rather fetched twice than not at all. */
const longestWaitMs = 10_000

function fetched(): Fetched {
  let end = (): void => undefined
  const over = new Promise<void>((resolve) => (end = resolve))
  return { over, end }
}

/** Waits for that, but not for ever. */
async function ended({ over }: Fetched, patienceMs: number, signal: AbortSignal): Promise<void> {
  try {
    await untilAborted(over, within({ signal }, patienceMs))
  } catch {
    signal.throwIfAborted()
  }
}

/** `done` remembers the pages that are over. */
export function visits(done: Told, patienceMs = longestWaitMs): Visits {
  /** Pages that are being fetched and have not led on. */
  const under = new Map<string, Fetched>()
  /** Redirects under way, by where they lead. A way that many take (to be given a cookie, say) is a page's own end for none of them: it bars nobody. */
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
          // Whoever waits has led on, and nobody waits for it: no two pages wait for each other.
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
