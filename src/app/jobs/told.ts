/** URLs that the frontier of a job is known to have. */
export interface Told {
  has(url: string): boolean
  add(urls: Iterable<string>): void
  /** Whether a link, as it is written, leads to one of them or was refused for good. */
  hasLink(link: string): boolean
  addLinks(links: Iterable<string>): void
}

/** What the frontiers of all jobs that a process works on were told of: together no more than so many URLs, those of the job heard of longest ago forgotten first. */
export interface ToldShelf {
  /** For one more job. */
  open(): Told
  /** How many are remembered. */
  size(): number
}

/** Links as written that are remembered of a job: those that stand on every page of a site. */
const maxLinks = 2_000

/** What is forgotten is told again, which costs time and nothing else. */
export function toldShelf(most: number): ToldShelf {
  const sets = new Set<Set<string>>()
  let size = 0
  const forget = (urls: Set<string>): void => {
    sets.delete(urls)
    size -= urls.size
    urls.clear()
  }
  return {
    open() {
      const urls = new Set<string>()
      const written = new Set<string>()
      return {
        has: (url) => urls.has(url),
        hasLink: (link) => written.has(link),
        addLinks(links) {
          for (const link of links) {
            if (written.size >= maxLinks) written.clear()
            written.add(link)
          }
        },
        add(more) {
          const before = urls.size
          for (const url of more) urls.add(url)
          size += urls.size - before
          sets.delete(urls)
          sets.add(urls)
          for (const oldest of sets) {
            if (size <= most) return
            forget(oldest)
          }
        },
      }
    },
    size: () => size,
  }
}
