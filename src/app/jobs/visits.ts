import type { Told } from './told.ts'

/** A page of a crawl that this process is at. */
export interface OpenVisit {
  /** A redirect leads to the URL of that key; false when the crawl has or fetches the page there, so that nobody need ask for it again. */
  mayLeadTo(key: string): boolean
  /** To be called exactly once: the keys under which the results now have the page, none where it was not delivered. */
  end(delivered: readonly string[]): void
}

/** Which pages of a crawl this process has, so that none is fetched once more at the end of a redirect. What other processes have the store finds out. */
export interface Visits {
  /** Null while a redirect leads there: what that brings may be this page. */
  begin(key: string): OpenVisit | null
}

/** `done` remembers the pages that are over. */
export function visits(done: Told): Visits {
  const begun = new Set<string>()
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
      const way = new Set<string>()
      begun.add(key)
      return {
        mayLeadTo(next) {
          if (next === key || way.has(next)) return true
          if (begun.has(next) || done.has(next)) return false
          way.add(next)
          lead(next, 1)
          return true
        },
        end(delivered) {
          begun.delete(key)
          for (const one of way) lead(one, -1)
          done.add(delivered)
        },
      }
    },
  }
}
