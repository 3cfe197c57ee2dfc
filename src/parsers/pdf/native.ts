import type * as inspector from '@firecrawl/pdf-inspector'
import { coveredText } from './anchors.ts'
import { type RawDocument, type RawPage, UnreadablePdf } from './source.ts'

type Library = typeof inspector

/** Reads a file with the native library: headings, lists and tables are marked. Throws `UnreadablePdf`. */
export function readNative(library: Library, bytes: Buffer, maxPages: number): RawDocument {
  try {
    return extract(library, bytes, maxPages)
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error && /encrypt|password/i.test(error.message) ? 'encrypted' : 'broken', error)
  }
}

function extract(library: Library, bytes: Buffer, maxPages: number): RawDocument {
  const info = library.detectPdf(bytes)
  const wanted = Array.from({ length: Math.min(info.pageCount, maxPages) }, (_, i) => i)
  const { pages } = library.extractPagesMarkdown(bytes, wanted.length === info.pageCount ? undefined : wanted)
  const items = itemsByPage(library, bytes, pages.map(({ page }) => page + 1))
  return {
    totalPages: info.pageCount,
    pages: pages.map(({ page, markdown, needsOcr }): RawPage => ({
      pageNumber: page + 1,
      // Of pages that it distrusts this call gives nothing; the other gives what there is.
      markdown: needsOcr && markdown.trim() === '' ? (library.processPdf(bytes, [page + 1]).markdown ?? '') : markdown,
      needsOcr,
      anchors: coveredText(items.get(page + 1) ?? []),
    })),
    info: { title: info.title, author: info.author, subject: info.subject, keywords: info.keywords, created: info.creationDate, modified: info.modDate },
    warnings: [],
  }
}

/** Text and links with their places; none where the library fails at it, since only links depend on them. */
function itemsByPage(library: Library, bytes: Buffer, pages: number[]): Map<number, inspector.TextItem[]> {
  const found = new Map<number, inspector.TextItem[]>()
  try {
    for (const item of library.extractTextWithPositions(bytes, pages)) {
      const list = found.get(item.page) ?? []
      list.push(item)
      found.set(item.page, list)
    }
  } catch {
    found.clear()
  }
  return found
}
