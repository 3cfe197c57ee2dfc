import type * as inspector from '@firecrawl/pdf-inspector'
import { coveredText } from './anchors.ts'
import { drawnBullets } from './bullets.ts'
import type { MarkedPage } from './by-tags.ts'
import { type RawDocument, type RawPage, UnreadablePdf } from './source.ts'
import type { TextLook } from './tagged-inline.ts'

type Library = typeof inspector

/** What the library gives, and what it found on the pages that have tags. */
export interface NativeDocument {
  readonly raw: RawDocument
  readonly marked: ReadonlyMap<number, MarkedPage>
}

/** Reads a file with the native library: headings, lists and tables are marked. Throws `UnreadablePdf`. */
export function readNative(library: Library, bytes: Buffer, maxPages: number): NativeDocument {
  try {
    return extract(library, bytes, maxPages)
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error && /encrypt|password/i.test(error.message) ? 'encrypted' : 'broken', error)
  }
}

function extract(library: Library, bytes: Buffer, maxPages: number): NativeDocument {
  const info = library.detectPdf(bytes)
  const wanted = Array.from({ length: Math.min(info.pageCount, maxPages) }, (_, i) => i)
  const { pages } = library.extractPagesMarkdown(bytes, wanted.length === info.pageCount ? undefined : wanted)
  const numbers = pages.map(({ page }) => page + 1)
  const items = byPage(() => library.extractTextWithPositions(bytes, numbers))
  const roles = byPage(() => library.extractStructureElements(bytes, numbers))
  const raw: RawDocument = {
    totalPages: info.pageCount,
    pages: pages.map(({ page, markdown, needsOcr }): RawPage => ({
      pageNumber: page + 1,
      // Of pages that it distrusts this call gives nothing; the other gives what there is.
      markdown: needsOcr && markdown.trim() === '' ? (library.processPdf(bytes, [page + 1]).markdown ?? '') : markdown,
      needsOcr,
      bullets: drawnBullets(items.get(page + 1) ?? [], roles.get(page + 1) ?? []),
      anchors: coveredText(items.get(page + 1) ?? []),
    })),
    info: { title: info.title, author: info.author, subject: info.subject, keywords: info.keywords, created: info.creationDate, modified: info.modDate },
    warnings: [],
  }
  return { raw, marked: new Map([...roles.keys()].map((page) => [page, markedOf(items.get(page) ?? [])])) }
}

/** The looks of marked content that looks alike all through, and the letters of a page. */
function markedOf(items: readonly inspector.TextItem[]): MarkedPage {
  const looks = new Map<number, TextLook>()
  let letters = 0
  for (const { itemType, text, mcid, isBold, isItalic, isStrikeout } of items) {
    if (itemType !== 'Text') continue
    letters += text.replace(/\s+/g, '').length
    if (mcid === undefined || text.trim() === '') continue
    const known = looks.get(mcid)
    looks.set(mcid, { bold: isBold && known?.bold !== false, italic: isItalic && known?.italic !== false, struck: isStrikeout && known?.struck !== false })
  }
  return { looks, letters }
}

/** What a page holds, by its number; nothing where the library fails at it, since only links and bullets depend on it. */
function byPage<T extends { readonly page: number }>(read: () => readonly T[]): Map<number, T[]> {
  const found = new Map<number, T[]>()
  try {
    for (const one of read()) {
      const list = found.get(one.page) ?? []
      list.push(one)
      found.set(one.page, list)
    }
  } catch {
    found.clear()
  }
  return found
}
