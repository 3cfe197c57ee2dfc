import type * as inspector from '@firecrawl/pdf-inspector'
import { blocksOf, toMarkdown } from '../blocks.ts'
import { Letters, newFile } from '../letters/new-file.ts'
import { type Listing, listingsOf } from '../page/listings.ts'
import { lettersOf } from '../page/page-letters.ts'
import { bodySize } from '../page/page-lines.ts'
import { keepsDigits, pageOf, type Reading } from './asides.ts'
import { isText } from '../page/placed.ts'

type Item = inspector.TextItem

/** Most pages that are read again, and listings of a page. */
const [mostPages, mostListings] = [300, 100]
/** Milliseconds for looking at pages; those after that stay as they are. */
const maxMs = 4_000
/** A header or footer of a few lines is on this many pages, at one height but for so many points. */
const [mostRunning, fewestPages, sameHeight] = [4, 3, 6]
/** A file with more of its letters in monospaced fonts is typewritten: only what the library took for code is code. */
const mostMono = 0.9
/** The new reading must have at least this share of the letters. */
const leastShare = 0.98

/** A page, of which listings are left out and written back by `withCode`. */
interface ListedPage {
  readonly markdown: string
  readonly items: readonly Item[]
  readonly codes: ReadonlyMap<string, readonly string[]>
}

type Page = Pick<ListedPage, 'markdown' | 'items'>

/** A word that stands for a listing until the page is read, and that no text has. */
const markOf = (number: number): string => `Qzx${[...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')}xzq`

/** The item that stands for a listing, as high as its middle line. */
function itemOf({ items }: Listing<Item>, text: string, middle: Item, fontSize: number): Item {
  const [x, right] = [Math.min(...items.map((item) => item.x)), Math.max(...items.map((item) => item.x + item.width))]
  return { ...middle, text, x, width: Math.min(right - x, (text.length * fontSize) / 2), fontSize, height: fontSize, isBold: false, isItalic: false, fixedPitch: false, font: 'Listing' }
}

/** The signs of a text without blanks and what markdown adds to them. */
const signsOf = (text: string): string => text.replace(/[\s\\*]+/g, '')

/** The markdown with a word in the place of the blocks that are a listing, and nothing but that; null when there are none. */
function withMark(markdown: string, { lines }: Listing<Item>, mark: string, onlyCode: boolean): string | null {
  const blocks = blocksOf(markdown)
  const wanted = signsOf(lines.join(''))
  const signs = blocks.map((block) => signsOf((block.kind === 'code' ? block.lines.slice(1).filter((line) => !line.startsWith('```')) : block.lines.map((line) => line.replace(/^#{1,6} /, ''))).join('')))
  for (const [start, { kind }] of blocks.entries()) {
    if (onlyCode && kind !== 'code') continue
    let all = ''
    for (let end = start; end < blocks.length && all.length < wanted.length; end++) {
      all += signs[end] ?? ''
      if (all === wanted) return toMarkdown([...blocks.slice(0, start), { kind: 'text', lines: [mark] }, ...blocks.slice(end + 1)])
      if (!wanted.startsWith(all)) break
    }
  }
  return null
}

/** Whether the library took some lines of a listing for code. */
function isPartlyCode(markdown: string, { lines }: Listing<Item>): boolean {
  const wanted = signsOf(lines.join(''))
  return blocksOf(markdown).some((block) => block.kind === 'code' && block.lines.length > 2 && block.lines.slice(1, -1).every((line) => wanted.includes(signsOf(line))))
}

/** What is the same in a header or footer on all pages; undefined for a listing that is longer, or within the page. */
function runningKey({ items, lines }: Listing<Item>, page: readonly Item[]): string | undefined {
  const heights = items.map(({ y }) => y)
  const [top, bottom] = [Math.max(...heights), Math.min(...heights)]
  const isAtEdge = [({ y }: Item): boolean => y > top + sameHeight, ({ y }: Item): boolean => y < bottom - sameHeight].some((isBeyond) => !page.some((item) => isText(item) && isBeyond(item)))
  return lines.length > mostRunning || !isAtEdge ? undefined : `${Math.round(top / sameHeight)} ${lines.join('\n').replace(/\d+/g, '#')}`
}

/** The listings of pages by their index, without headers and footers. */
function listingsIn(pages: readonly Page[]): ReadonlyMap<number, readonly Listing<Item>[]> {
  const end = performance.now() + maxMs
  const found = new Map<number, readonly Listing<Item>[]>()
  const counts = new Map<string | undefined, number>()
  for (const [i, { markdown, items }] of pages.entries()) {
    if (markdown.trim() === '' || performance.now() > end) continue
    const listings = listingsOf(items)
    if (listings.length === 0 || listings.length > mostListings) continue
    found.set(i, listings)
    for (const key of new Set(listings.map((one) => runningKey(one, items)))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const isRunning = (listing: Listing<Item>, page: readonly Item[] = []): boolean => {
    const key = runningKey(listing, page)
    return key !== undefined && (counts.get(key) ?? 0) >= fewestPages
  }
  return new Map([...found].map(([i, listings]) => [i, listings.filter((one) => !isRunning(one, pages[i]?.items))]))
}

const fenced = (lines: readonly string[]): string => {
  const fence = lines.some((line) => line.startsWith('```')) ? '~~~' : '```'
  return [fence, ...lines, fence].join('\n')
}

/** Writes the listings of a page where their words stand: in lines of their own, and within tables as text. */
export function withCode(markdown: string, codes: ListedPage['codes'] = new Map()): string {
  return [...codes].reduce((text, [mark, lines]) => {
    const at = text.indexOf(mark)
    if (at < 0) return text
    const start = text.lastIndexOf('\n', at) + 1
    const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)
    const [before, after] = [text.slice(start, at), text.slice(at + mark.length, end)]
    if (before.startsWith('|')) return text.replace(mark, () => lines.map((line) => line.trim()).join(' ').replaceAll('|', '\\|'))
    const parts = [text.slice(0, start) + (/^[\s#>*_-]*$/.test(before) ? '' : before.trimEnd()), fenced(lines), (/^[\s*_]*$/.test(after) ? '' : after.trimStart()) + text.slice(end)]
    return parts.map((part) => part.replace(/^\n+|\n+$/g, '')).filter((part) => part !== '').join('\n\n')
  }, markdown)
}

/** The items of a page without a page number at its top and bottom, which the library leaves out of some readings. */
function withoutPageNumbers(items: readonly Item[]): readonly Item[] {
  const heights = items.filter(isText).map(({ y }) => y)
  const edges = new Set([Math.max(...heights), Math.min(...heights)])
  return items.filter(({ text, y }) => !edges.has(y) || !/^\P{L}{0,5}\d{1,5}\P{L}{0,5}$/u.test(text.trim()))
}


/** Whether most of a file is in monospaced letters. */
function isTypewritten(pages: readonly Page[]): boolean {
  let [all, mono] = [0, 0]
  for (const item of pages.flatMap(({ items }) => items).filter(isText)) {
    all += item.text.length
    if (item.fixedPitch === true) mono += item.text.length
  }
  return mono > all * mostMono
}

/** A page with words for its listings; `isRead`: the markdown has these, because the library wrote nothing else between their letters. */
function markedPage({ markdown, items }: Page, listings: readonly Listing<Item>[], { onlyWritten, onlyCode }: { readonly onlyWritten: boolean; readonly onlyCode: boolean }): (ListedPage & { readonly isRead: boolean }) | null {
  const size = bodySize(items)
  const codes = new Map<string, readonly string[]>()
  const changed = new Map<Item, Item | null>()
  let [made, isRead] = [markdown, true]
  for (const listing of listings) {
    const mark = markOf(codes.size)
    const isSure = listing.isCode || isPartlyCode(markdown, listing)
    const text = withMark(made, listing, mark, onlyCode || !isSure)
    const middle = listing.items[listing.items.length >> 1]
    if (middle === undefined || (text === null && (onlyWritten || !isSure))) continue
    isRead &&= text !== null
    made = text ?? made
    codes.set(mark, listing.lines)
    for (const own of listing.items) changed.set(own, own === middle ? itemOf(listing, mark, middle, size) : null)
  }
  const left = items.map((item) => (changed.has(item) ? changed.get(item) : item))
  return codes.size === 0 ? null : { markdown: made, items: left.filter((item) => item !== null && item !== undefined), codes, isRead }
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** How many rows of tables, or headings, a page has that are not of listings only, whose words the library may have mixed. */
function countMarked(markdown: string, codes: ListedPage['codes'], sign: '|' | '#'): number {
  const known = new Set([...codes.values()].flat().flatMap(wordsOf))
  return markdown.split('\n').filter((line) => line.startsWith(sign) && !wordsOf(line).every((word) => known.has(word))).length
}

/** Whether a page without its listings was read as it was before, and has all of their words. */
function isWhole({ markdown, codes }: ListedPage, before: Page): boolean {
  const whole = withCode(markdown, codes)
  const items = withoutPageNumbers(before.items)
  // The library writes some lines twice when it takes them for a table.
  const least = Math.min(lettersOf(before.markdown).length, lettersOf(items.filter(isText).map(({ text }) => text).join('')).length)
  const haveMarks = [...codes.keys()].every((mark) => markdown.split(mark).length === 2)
  return haveMarks && lettersOf(whole).length >= least * leastShare && (['|', '#'] as const).every((sign) => countMarked(markdown, codes, sign) >= countMarked(before.markdown, codes, sign)) && keepsDigits(whole, { markdown: before.markdown, items })
}

/**
 * Takes listings out of pages, because the library joins their lines and takes their columns for those of tables. Answers such pages
 * by their index, with a word in the place of each listing; pages on which the library mixed a listing with other text are read anew.
 */
export function withListings(pages: readonly Page[], read: Reading['read']): ReadonlyMap<number, ListedPage> {
  const onlyCode = isTypewritten(pages)
  const listings = listingsIn(pages)
  const marked = new Map([...listings].flatMap(([i, own]) => {
    const page = pages[i]
    const found = page === undefined ? null : markedPage(page, own, { onlyWritten: onlyCode, onlyCode })
    return found === null ? [] : [[i, found] as const]
  }))
  const anew = [...marked].filter(([, { isRead }]) => !isRead)
  const letters = new Letters()
  const wanted = anew.slice(0, mostPages)
  const made = wanted.length === 0 ? [] : read(newFile(wanted.map(([, { items }]) => pageOf({ items: items.filter(isText), isMain: true }, letters)), letters))
  for (const [at, [i, page]] of anew.entries()) {
    const before = pages[i] ?? page
    const other = { ...page, markdown: made[at] ?? '', isRead: true }
    const found = isWhole(other, before) ? other : markedPage(before, listings.get(i) ?? [], { onlyWritten: true, onlyCode })
    if (found === null) marked.delete(i)
    else marked.set(i, found)
  }
  return marked
}
