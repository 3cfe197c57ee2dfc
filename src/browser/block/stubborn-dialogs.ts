const maxHosts = 1_000
/** How many pages of a host in a row are tried in vain before only every `again`-th is. */
const inVain = 2
const again = 20

/** Which hosts have what looks like a dialog on their pages and cannot be closed: each attempt takes seconds, and a crawl would pay them for every page. */
export interface StubbornDialogs {
  /** Whether to try it on a page of that host; counts the page when not. */
  isWorthIt(host: string): boolean
  /** Takes note of an attempt. */
  tried(host: string, closed: boolean): void
}

/** Remembers up to a thousand hosts, of a process. */
export function stubbornDialogs(): StubbornDialogs {
  const pages = new Map<string, number>()
  const count = (host: string): void => {
    const known = pages.get(host) ?? 0
    // The host that was met least recently is forgotten first.
    pages.delete(host)
    pages.set(host, known + 1)
    const [oldest] = pages.keys()
    if (pages.size > maxHosts && oldest !== undefined) pages.delete(oldest)
  }
  return {
    isWorthIt(host) {
      const known = pages.get(host) ?? 0
      if (known < inVain || (known - inVain) % again === again - 1) return true
      count(host)
      return false
    },
    tried(host, closed) {
      if (closed) pages.delete(host)
      else count(host)
    },
  }
}
