import type * as unpdf from 'unpdf'
import { isLinkable } from '../links.ts'
import { drawn, fixed, Letters, linkTo, newFile, type NewPage } from './new-file.ts'
import { haveLigatures, withLigatures, withNumberedLetters } from './numbered-letters.ts'
import type { Undecoded } from './undecoded.ts'
import { isWide } from '../native/wide-lines.ts'

type Proxy = Awaited<ReturnType<(typeof unpdf)['getDocumentProxy']>>
type Page = Awaited<ReturnType<Proxy['getPage']>>
type Content = Awaited<ReturnType<Page['getTextContent']>>
type Run = Extract<Content['items'][number], { str: string }>

/** A page with more runs is not meant for reading. */
const mostRuns = 20_000
const mostLinks = 5_000
/** Draws a run in its place and width. Columns of vertical text become lines, the rightmost column first. */
function shown(run: Run, letters: Letters, turned: number | null): string {
  const { str, width, height } = run
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = run.transform.map(Number)
  const size = Math.hypot(c, d) || height
  const count = [...str].length
  const along = Math.hypot(a, b) || size
  const extent = turned === null ? width : count === 1 ? size : Math.max(width, height)
  const place = turned === null ? [a / along, b / along, c / size, d / size, x, y] : [1, 0, 0, 1, turned - y, x]
  return drawn(letters.codesOf(str), { font: 'F1', size, width: extent, place })
}

/** Whether most text is vertical: in vertical fonts, or letter by letter. */
function isUpright(runs: readonly Run[], styles: Content['styles']): boolean {
  const upright = runs.filter(({ fontName, str, transform, height }, i) => {
    if (styles[fontName]?.vertical === true) return true
    const [x = 0, y = 0] = runs[i + 1]?.transform.slice(4).map(Number) ?? []
    const down = Number(transform[5]) - y
    return [...str].length === 1 && isWide.test(str) && Math.abs(Number(transform[4]) - x) < height / 4 && down > height / 2 && down < height * 2
  })
  const lengthOf = (some: readonly Run[]): number => some.reduce((sum, { str }) => sum + str.length, 0)
  return lengthOf(upright) * 2 > lengthOf(runs)
}

async function linksOf(page: Page): Promise<string[]> {
  const annotations = (await page.getAnnotations()) as readonly { readonly url?: string; readonly rect?: readonly number[] }[] // the properties that are read
  return annotations.slice(0, mostLinks).flatMap(({ url, rect }) => (url === undefined || rect === undefined || !isLinkable(url) ? [] : [linkTo(new URL(url).href, rect)]))
}

/** Runs of one line that only a blank parts become one, so that wide blanks do not look like gaps between columns. */
function joinedRuns(items: Content['items'], decode: (text: string) => string): Run[] {
  const runs: Run[] = []
  let blank: Run | undefined
  for (const item of items.slice(0, mostRuns)) {
    if (!('str' in item) || item.str === '') continue
    const last = runs.at(-1)
    const isOne = last !== undefined && blank !== undefined && last.fontName === item.fontName && Number(last.transform[5]) === Number(item.transform[5]) && [0, 1, 2, 3].every((i) => last.transform[i] === item.transform[i]) && blank.width < item.height
    if (item.str.trim() === '') blank = item
    else {
      if (isOne && last !== undefined) runs[runs.length - 1] = { ...last, str: `${last.str} ${decode(item.str)}`, width: Number(item.transform[4]) + item.width - Number(last.transform[4]) }
      else runs.push({ ...item, str: decode(item.str) })
      blank = undefined
    }
  }
  return runs
}

/** A page's content stream and dictionary; null when it has no text, or no vertical text when only that is wanted. */
async function pageOf(page: Page, letters: Letters, why: Undecoded): Promise<NewPage | null> {
  const { items, styles } = await page.getTextContent()
  const isTex = haveLigatures(items.map((item) => ('str' in item ? item.str : '')))
  const runs = joinedRuns(items, why === 'codes' ? withNumberedLetters : isTex ? withLigatures : (text) => text)
  if (runs.length === 0) return null
  const [left = 0, bottom = 0, right = 612, top = 792] = page.view
  const isTurned = isUpright(runs, styles)
  if (!isTurned && why === 'order') return null
  const content = runs.map((run) => shown(run, letters, isTurned ? top : null)).join('\n')
  const box = isTurned ? [0, left, top - bottom, right] : [left, bottom, right, top]
  return { content, rest: `/MediaBox [${box.map(fixed).join(' ')}] /Rotate ${isTurned ? 0 : page.rotate} /Annots [${isTurned ? '' : (await linksOf(page)).join(' ')}]` }
}

/**
 * Typesets the text of some pages in a new file, with a font that says which letters its codes are: the native library can
 * read there what it could not decode or put in order. `numbers` are the pages in that file, fewer than wanted when some do
 * not need it or time runs out.
 */
export async function typeset(proxy: Proxy, wanted: ReadonlyMap<number, Undecoded>, isOver: () => boolean): Promise<{ bytes: Buffer; numbers: readonly number[] }> {
  const letters = new Letters()
  const pages: NewPage[] = []
  const numbers: number[] = []
  for (const [number, why] of wanted) {
    if (isOver()) break
    const page = await proxy.getPage(number)
    const made = await pageOf(page, letters, why).finally(() => page.cleanup())
    if (made === null) continue
    numbers.push(number)
    pages.push(made)
  }
  return { bytes: newFile(pages, letters), numbers }
}
