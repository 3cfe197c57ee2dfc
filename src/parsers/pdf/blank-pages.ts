import type * as unpdf from 'unpdf'
import type { RawDocument } from './source.ts'

/** Milliseconds for inspecting pages without text: a file must not become slow because of them. */
const maxMs = 2_000
/** Operators of pdf.js (OPS): one that constructs a path and paints it unless told to end it, and those that always paint. */
const [constructPath, endPath] = [91, 28]
const painting = new Set([20, 21, 22, 23, 24, 25, 26, 27, 44, 45, 46, 47, 62, 83, 84, 85, 86, 87, 88, 89, 90, 94])

/** Takes blank pages off the list of pages that need OCR: nothing is drawn on them. `bare` are the pages without text and pictures. */
export async function withoutBlankPages(raw: RawDocument, bare: ReadonlySet<number>, open: () => Promise<Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>>): Promise<RawDocument> {
  const doubtful = raw.pages.filter(({ pageNumber, markdown, needsOcr }) => needsOcr && markdown === '' && bare.has(pageNumber))
  if (doubtful.length === 0) return raw
  const blank = new Set<number>()
  try {
    const proxy = await open()
    const end = performance.now() + maxMs
    for (const { pageNumber } of doubtful) {
      if (performance.now() > end) break
      const page = await proxy.getPage(pageNumber)
      const { fnArray, argsArray } = await page.getOperatorList()
      page.cleanup()
      const draws = fnArray.some((op, i) => painting.has(op) || (op === constructPath && argsArray[i]?.[0] !== endPath))
      if (!draws) blank.add(pageNumber)
    }
  } catch {
    return raw
  }
  return { ...raw, pages: raw.pages.map((page) => (blank.has(page.pageNumber) ? { ...page, needsOcr: false } : page)) }
}
