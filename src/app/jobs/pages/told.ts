/** URLs that the frontier of a job is known to contain. */
export interface Told {
  has(url: string): boolean
  add(urls: Iterable<string>): void
  /** Whether a link, as written, leads to one of them or was refused for good. */
  hasLink(link: string): boolean
  addLinks(links: Iterable<string>): void
}

/** What this process has already sent to the frontiers of its jobs. Bounded over all jobs: the one used longest ago is forgotten first. */
export interface ToldShelf {
  /** Starts a record for one more job. */
  open(): Told
  /** How many URLs are remembered. */
  size(): number
}

/** Links as written that are remembered, as a share of the URLs: those on every page of a site. */
const linkShare = 0.25

/** What is forgotten is sent again, which costs only time. */
export function toldShelf(most: number): ToldShelf {
  const urls = shelf(most)
  const links = shelf(most * linkShare)
  return {
    open() {
      const [told, written] = [urls.open(), links.open()]
      return { has: told.has, add: told.add, hasLink: written.has, addLinks: written.add }
    },
    size: urls.size,
  }
}

/** Sets that share one limit on their number of texts. */
interface Shelf {
  open(): Pick<Told, 'has' | 'add'>
  size(): number
}

function shelf(most: number): Shelf {
  const sets = new Set<Set<string>>()
  let size = 0
  const forget = (texts: Set<string>): void => {
    sets.delete(texts)
    size -= texts.size
    texts.clear()
  }
  return {
    open() {
      const texts = new Set<string>()
      return {
        has: (text) => texts.has(text),
        add(more) {
          const before = texts.size
          for (const text of more) texts.add(text)
          size += texts.size - before
          sets.delete(texts)
          sets.add(texts)
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
