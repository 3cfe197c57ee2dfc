import type * as unpdf from 'unpdf'
import { textOfPage } from './plain.ts'
import type { RawDocument, RawPage } from './source.ts'

/** Milliseconds for a second reading; a file must not fail for it. */
const maxMs = 8_000
/** What stands beside a scanned page: who took it from where. A layer that says no more than that is none. */
const leastMore = 2

const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
/** Characters that stand for letters nobody knows. */
const unknownOf = (text: string): number => text.match(/[\0\ufffd\ue000-\uf8ff]/g)?.length ?? 0

/**
 * Pages with the text that the native library leaves out: the layer that text recognition writes behind scanned pages, and pages of
 * which it takes all for running heads. `doubtful` are the pages of which it may have left out some.
 */
export async function withTextLayer(raw: RawDocument, doubtful: ReadonlySet<number>, open: () => Promise<Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>>): Promise<RawDocument> {
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
    // What was read before is as good as it was.
  }
  return found.size === 0 ? raw : { ...raw, pages: raw.pages.map((page) => withText(page, found.get(page.pageNumber))) }
}

function withText(page: RawPage, text: string | undefined): RawPage {
  return text === undefined ? page : { ...page, markdown: text, needsOcr: false, bullets: [] }
}
