import type * as unpdf from 'unpdf'
import { lettersOf, maxMs, unknownOf } from './letters/decoded.ts'
import { textOfPage } from './letters/plain.ts'
import type { RawDocument, RawPage } from './source.ts'

/**
 * A layer must have at least this many times the letters that were read before: some scans only carry a line about their
 * origin.
 */
const leastMore = 2

/**
 * Adds the text that the native library omits: the layer that text recognition writes behind scanned pages, and pages that
 * it takes for running titles as a whole. `doubtful` are the pages whose text may be incomplete, and
 * `scanned` the letters beside the pictures of scans: a layer has more.
 */
export async function withTextLayer(raw: RawDocument, { doubtful, scanned }: { readonly doubtful: ReadonlySet<number>; readonly scanned: ReadonlyMap<number, number> }, open: () => Promise<Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>>): Promise<RawDocument> {
  if (doubtful.size === 0) return raw
  const found = new Map<number, string>()
  try {
    const proxy = await open()
    const end = performance.now() + maxMs
    for (const { pageNumber, markdown } of raw.pages) {
      if (performance.now() > end) break
      if (!doubtful.has(pageNumber)) continue
      const text = await textOfPage(proxy, pageNumber)
      const letters = lettersOf(text)
      if (letters > lettersOf(markdown) * leastMore && unknownOf(text) < letters / 10) found.set(pageNumber, text)
    }
  } catch {
    // What was read before stays valid.
  }
  return found.size === 0 ? raw : { ...raw, pages: raw.pages.map((page) => withText(page, found.get(page.pageNumber), scanned.get(page.pageNumber) ?? -1)) }
}

function withText(page: RawPage, text: string | undefined, beside: number): RawPage {
  return text === undefined ? page : { ...page, markdown: text, needsOcr: lettersOf(text) <= beside, bullets: [] }
}
