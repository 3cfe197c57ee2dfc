import type * as unpdf from 'unpdf'
import type { RawDocument, RawPage } from '../source.ts'
import type { TextLook } from './tagged-inline.ts'
import { type TaggedMarkdown, taggedMarkdown } from './tagged.ts'
import { taggedPage } from './tags.ts'

/** What the native library found on a tagged page. */
export interface MarkedPage {
  /** The style of each piece of marked content, by its id. */
  readonly looks: ReadonlyMap<number, TextLook>
  /** The number of letters on the page. */
  readonly letters: number
}

/**
 * Reading tags means reading each page a second time: longer files, and pages with more letters than a book page has, are
 * not read again.
 */
const mostPages = 150
const mostLetters = 50_000
/** Milliseconds for reading tags; a file must not fail because of its tags. */
const maxMs = 8_000
/** A page is only partly tagged when its tags lead to a smaller share of its text. */
const leastShare = 0.9
/**
 * The two libraries must agree on the number of letters, and at most this share of them may be unknown: otherwise one
 * library lacks the fonts.
 */
const leastAlike = 0.9
const mostUnknown = 0.05

/**
 * Replaces pages by what their tags say, when the tags of the file mark headings, lists or tables. Pages whose tags are
 * incomplete stay as they are, and so does the document when tags cannot be read.
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

/** Whether the library that reads tags could decode nearly all letters. */
const isKnown = ({ markdown, letters }: TaggedMarkdown): boolean => markdown.split('\0').length - 1 <= letters * mostUnknown

const isAlike = (a: number, b: number): boolean => Math.min(a, b) >= Math.max(a, b) * leastAlike

function retold(page: RawPage, made: TaggedMarkdown | undefined): RawPage {
  if (made === undefined) return page
  // Links that the tags gave are written already; the others are found by their boxes.
  const anchors = page.anchors.map((anchor) => (made.urls.has(anchor.url) ? { ...anchor, text: '' } : anchor))
  return { ...page, markdown: made.markdown, bullets: [], anchors }
}
