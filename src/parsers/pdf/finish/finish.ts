import type { PdfDocument, PdfOrder } from '../../../domain/pages/pdf.ts'
import { metadataOf } from './metadata.ts'
import { isLinkable, withLinks } from '../links.ts'
import { type Block, blocksOf, mapText, toMarkdown } from '../blocks.ts'
import { withBullets, withWrittenBullets } from './bullets.ts'
import { withoutLeaders } from './dot-leaders.ts'
import { withoutNotes } from './footnotes.ts'
import { ownText, withoutFurniture } from './furniture.ts'
import { toHtml } from './html.ts'
import { asLetters, compounds, drawsAcutes, escapeTags, joinWords, withAccents, withStrokes } from './inline.ts'
import { pageRanges } from './page-ranges.ts'
import { asRead } from './right-to-left.ts'
import { withoutPrintFrame } from './print-frame.ts'
import { withoutRunningLines } from './running-lines.ts'
import { unreadWarning } from './unread.ts'
import { ruled } from '../native/table-places.ts'
import type { RawDocument, RawPage } from '../source.ts'

interface Page {
  readonly pageNumber: number
  readonly blocks: readonly Block[]
  /** How many of the last blocks are footnotes. */
  readonly notes: number
}

/** R20: longer text is cut. */
const maxCharacters = 20_000_000

/**
 * Makes the result from the pages that were read: writes bullets and links, mends words, removes headers and footers, moves
 * footnotes below the text, and joins the pages. `read.ts` lists the steps before it.
 */
export function finish(raw: RawDocument, order: PdfOrder): PdfDocument {
  const { kept, warning } = capped(raw.pages)
  const known = new Set(kept.flatMap((page) => [...compounds(page.markdown)]))
  const acutes = drawsAcutes(kept.map((page) => page.markdown))
  const tidy = (text: string): string => escapeTags(joinWords(asRead(withStrokes(withAccents(asLetters(text), acutes))), known))
  const read = kept.map(({ pageNumber, edges, markdown, bullets, anchors }) => {
    const linked = withLinks(withBullets(withWrittenBullets(markdown), bullets), anchors)
    return { pageNumber, edges, blocks: blocksOf(linked).map((block) => withoutLeaders(mapText(block, tidy))) }
  })
  const parsed = withoutPrintFrame(read, raw.info['title'] ?? '')
  const running = withoutRunningLines(parsed, ownText(parsed))
  const bare = withoutFurniture(parsed.map((page, i) => ({ ...page, blocks: running[i] ?? [] })))
  const pages = parsed.map(({ pageNumber, edges }, i): Page => {
    const { body, notes } = withoutNotes(bare[i] ?? [], edges?.notes ?? [])
    return { pageNumber, blocks: [...body, ...notes], notes: notes.length }
  })
  const whole = order.pageMarkers ? [] : joined(pages)
  const markdown = order.pageMarkers ? marked(pages) : toMarkdown(whole)
  const pagesNeedingOcr = kept.filter((page) => page.needsOcr).map((page) => page.pageNumber)
  return {
    markdown,
    html: order.html ? toHtml(order.pageMarkers ? joined(pages) : whole) : null,
    pages: order.pages ? pages.map(({ pageNumber, blocks }) => ({ pageNumber, markdown: toMarkdown(blocks) })) : [],
    blocks: order.blocks === true ? blockList(pages, markdown, order.recognised) : [],
    numPages: kept.length,
    totalPages: raw.totalPages,
    metadata: metadataOf(raw.info, pages),
    links: linksOf(kept, markdown),
    pagesNeedingOcr,
    warnings: [...raw.warnings, ...warning, ...(pagesNeedingOcr.length === 0 ? [] : [ocrWarning(pagesNeedingOcr, order.recognised !== undefined)]), ...unrecognised(kept, order), ...unreadWarning(pages.flatMap(({ pageNumber, blocks }) => (pagesNeedingOcr.includes(pageNumber) ? [] : [{ pageNumber, text: blocks.flatMap(({ lines }) => lines).join('\n') }])))],
  }
}

/** How far behind the previous block a block is searched, in characters: joined blocks may lie between. */
const joinedAtMost = 20_000

/** The blocks of each page, with the span of each in the markdown; null for a block that was joined with another. */
function blockList(pages: readonly Page[], markdown: string, recognised: PdfOrder['recognised']): PdfDocument['blocks'] {
  let from = 0
  return pages.map(({ pageNumber, blocks }) => ({
    pageNumber,
    items: blocks.map((block, i) => {
      const content = toMarkdown([block])
      const found = markdown.slice(from, from + content.length + joinedAtMost).indexOf(content)
      const start = found < 0 ? -1 : from + found
      if (start >= 0) from = start + content.length
      return { id: `p${pageNumber}-b${i + 1}`, type: block.kind, content, markdownSpan: start < 0 ? null : [start, start + content.length], readingOrder: i, source: recognised?.has(pageNumber) === true ? 'ocr' : 'native' }
    }),
  }))
}

/** The pages that fit into `maxCharacters`, and a warning about the others. */
function capped(pages: readonly RawPage[]): { kept: readonly RawPage[]; warning: string[] } {
  let left = maxCharacters
  const kept = pages.filter(({ markdown }) => (left -= markdown.length) >= 0)
  return kept.length === pages.length ? { kept, warning: [] } : { kept, warning: [`The PDF holds more text than is returned; ${pages.length - kept.length} pages are missing.`] }
}

function ocrWarning(numbers: readonly number[], tried: boolean): string {
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${pageRanges(numbers)} of the PDF may lack text: it is a picture or cannot be decoded, and text recognition (OCR) ${tried ? 'did not get to it in time, or failed at it' : 'is not available'}.`
}

/** A warning for the pages that were to be recognised, but kept their own text instead. */
function unrecognised(pages: readonly RawPage[], { mode, recognised }: PdfOrder): readonly string[] {
  const left = mode !== 'ocr' || recognised === undefined ? [] : pages.filter(({ pageNumber, needsOcr }) => !needsOcr && !recognised.has(pageNumber)).map(({ pageNumber }) => pageNumber)
  return left.length === 0 ? [] : [`Text recognition (OCR) did not get to page ${pageRanges(left)} of the PDF in time, or failed at it: the text is the one that the file holds.`]
}

const columnsOf = (line: string | undefined): number => (line ?? '').split(/(?<!\\)\|/).length

/**
 * Joins a table with its continuation on the next page, without a repeated head; null when the next page starts another
 * table.
 */
function tableOver(last: Block, first: Block): Block | null {
  if (last.kind !== 'table' || first.kind !== 'table' || !ruled.test(last.lines[1] ?? '') || !ruled.test(first.lines[1] ?? '')) return null
  const [head = '', , ...rows] = first.lines
  if (columnsOf(head) !== columnsOf(last.lines[0])) return null
  return { kind: 'table', lines: [...last.lines, ...(head === last.lines[0] ? rows.slice(saidAgain(last.lines.slice(2), rows)) : [head, ...rows])] }
}

/**
 * The number of rows after a repeated head that repeat it too: rows under a spanning cell, which start with an empty cell.
 */
function saidAgain(before: readonly string[], rows: readonly string[]): number {
  const first = rows.findIndex((row, i) => row !== before[i] || !/^\|\s*\|/.test(row))
  return first < 0 ? 0 : first
}

/**
 * Joins all pages. A paragraph or table that a page end broke becomes one block, and stands before the footnotes of its
 * first page.
 */
function joined(pages: readonly Page[]): Block[] {
  const all: Block[] = []
  let open: Block[] = []
  for (const { blocks, notes } of pages) {
    const body = notes === 0 ? blocks : blocks.slice(0, -notes)
    const own = notes === 0 ? [] : blocks.slice(-notes)
    const [last, first] = [all.at(-1), body[0]]
    const one = last === undefined || first === undefined ? null : oneOf(last, first)
    if (one === null) all.push(...open, ...body)
    else if (body.length === 1) all.splice(-1, 1, one)
    else all.splice(-1, 1, one, ...open, ...body.slice(1))
    open = one !== null && body.length === 1 ? [...open, ...own] : own
  }
  return [...all, ...open]
}

/** Joins the last block of a page with the first of the next; null when they are separate blocks. */
function oneOf(last: Block, first: Block): Block | null {
  if (!goesOn(last, first)) return tableOver(last, first)
  return { kind: 'text', lines: [...last.lines.slice(0, -1), seam(last.lines.at(-1) ?? '', first.lines[0] ?? ''), ...first.lines.slice(1)] }
}

function goesOn(last: Block, first: Block): boolean {
  return last.kind === 'text' && first.kind === 'text' && /[\p{L}\p{N},;-]$/u.test(last.lines.at(-1) ?? '') && /^\p{Ll}/u.test(first.lines[0] ?? '')
}

const seam = (end: string, start: string): string => (/\p{L}-$/u.test(end) ? joinWords(`${end} ${start}`, new Set()) : `${end} ${start}`)

function marked(pages: readonly Page[]): string {
  return pages.map(({ pageNumber, blocks }) => [...(pageNumber === 1 ? [] : ['---', `<!-- page ${pageNumber} -->`]), toMarkdown(blocks)].filter((part) => part !== '').join('\n\n')).join('\n\n')
}

function linksOf(pages: readonly RawPage[], markdown: string): string[] {
  // What does not end is matched, too: otherwise each beginning in it would be followed to the same end.
  const written = [...markdown.matchAll(/\]\(((?:https?:\/\/|mailto:)[^\s)]{1,2000})(\))?/g)].flatMap(([, url = '', end]) => (end === undefined ? [] : [url]))
  const all = [...pages.flatMap((page) => page.anchors.map((anchor) => anchor.url)), ...written]
  return [...new Set(all.filter(isLinkable).map((url) => new URL(url).href))]
}
