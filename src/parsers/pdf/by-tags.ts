import type * as unpdf from 'unpdf'
import type { RawDocument, RawPage } from './source.ts'
import type { TextLook } from './tagged-inline.ts'
import { type TaggedMarkdown, taggedMarkdown } from './tagged.ts'
import { taggedPage } from './tags.ts'

/** What the other library found on a tagged page. */
export interface MarkedPage {
  /** How the letters of marked content look, by its number. */
  readonly looks: ReadonlyMap<number, TextLook>
  /** How many there are in all. */
  readonly letters: number
}

/** Reading tags takes a second reading of each page: longer files, and pages of more letters than any book has, are read once. */
const mostPages = 150
const mostLetters = 50_000
/** Milliseconds for that; a file must not fail for its tags. */
const maxMs = 8_000
/** A page whose tags lead to less of its text was tagged by half. */
const leastShare = 0.9
/** Two libraries read the same letters, or one of them does not know the fonts. */
const leastAlike = 0.9
const mostUnknown = 0.05

/**
 * Pages as their tags have them, where the file has tags that say what is a heading, a list or a table; the others as they are. Where
 * tags cannot be read the document stays as it is.
 */
export async function byTags(raw: RawDocument, marked: ReadonlyMap<number, MarkedPage>, open: () => Promise<Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>>): Promise<RawDocument> {
  if (marked.size === 0 || raw.pages.length > mostPages) return raw
  const found = new Map<number, TaggedMarkdown>()
  try {
    const proxy = await open()
    const end = performance.now() + maxMs
    for (const { pageNumber, needsOcr } of raw.pages) {
      const other = marked.get(pageNumber)
      if (performance.now() > end) return raw
      const page = needsOcr || other === undefined || other.letters > mostLetters ? null : await taggedPage(proxy, pageNumber)
      if (page === null || other === undefined) continue
      const made = taggedMarkdown(page, other.looks)
      if (made.share >= leastShare && isAlike(made.letters, other.letters) && isKnown(made)) found.set(pageNumber, made)
    }
  } catch {
    return raw
  }
  return [...found.values()].some(({ structured }) => structured) ? { ...raw, pages: raw.pages.map((page) => retold(page, found.get(page.pageNumber))) } : raw
}

/** Letters of which only the other library knows what they are. */
const isKnown = ({ markdown, letters }: TaggedMarkdown): boolean => markdown.split('\0').length - 1 <= letters * mostUnknown

const isAlike = (a: number, b: number): boolean => Math.min(a, b) >= Math.max(a, b) * leastAlike

function retold(page: RawPage, made: TaggedMarkdown | undefined): RawPage {
  if (made === undefined) return page
  // Links are written already; those that are not in the tags are found by their places.
  const anchors = page.anchors.map((anchor) => (made.urls.has(anchor.url) ? { ...anchor, text: '' } : anchor))
  return { ...page, markdown: made.markdown, bullets: [], anchors }
}
