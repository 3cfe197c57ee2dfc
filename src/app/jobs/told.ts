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

/** Of so many URLs, how many links as written are remembered: those that stand on every page of a site. */
const linkShare = 0.25

/** What is forgotten is told again, which costs time and nothing else. */
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

/** Sets that together hold no more than so many texts. */
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
