import type * as inspector from '@firecrawl/pdf-inspector'
import { type Block, blocksOf, toMarkdown } from '../blocks.ts'
import { coveredText, withLinks } from '../links.ts'
import { drawn, type FontTag, Letters, newFile, type NewPage } from '../letters/new-file.ts'
import { lettersOf } from '../page/page-letters.ts'
import type { RawPage } from '../source.ts'
import { type PageEdges, pageEdges } from '../page/page-edges.ts'
import { beginsInProse, columnRegions, type Columns } from '../page/column-regions.ts'
import { type Slide, slideOf, type SlideWork } from '../page/slides.ts'
import { type Aside, type Parted, sideRegions } from '../page/side-regions.ts'

type Item = inspector.TextItem

/** Most pages that are read again, and most texts that they are parted in. */
const [mostPages, mostTexts] = [300, 2_000]
/** Milliseconds for looking at pages; those after that stay as they are. */
const maxMs = 4_000
/** How many letters of a line identify its paragraph. */
const lineLetters = 24
/** The least width of monospaced letters, as a multiple of the font size. */
const leastWide = 0.515
/** The fewest lines of long columns out of order that are no sign in small letters. */
const fewestTorn = 3
/** The new reading must have at least this share of the letters, and all digits. */
const leastShare = 0.98

/** A page as the native library wrote it, with what is on it. */
export interface WrittenPage {
  readonly markdown: string
  readonly items: readonly Item[]
  readonly edges: PageEdges
  readonly anchors: RawPage['anchors']
  /** What a slide is parted by. */
  readonly slide?: Omit<SlideWork, 'edges'> | undefined
}

/** Reads the pages of a file as markdown. */
type Read = (bytes: Buffer) => readonly string[]
/** How the texts of pages are read anew: as pages of a file, whose markdown is then corrected by its items; links are relative to a base. */
export interface Reading {
  readonly read: Read
  readonly mend: (markdown: string, items: readonly Item[]) => string
  readonly base: string | null
}

/** Whether all letters are monospaced: runs of a line are one item, which has the font of the first. */
const isCode = ({ fixedPitch, text, width, fontSize }: Item): boolean => fixedPitch === true && width > text.length * fontSize * leastWide
/** The weight and size of letters. */
const lookOf = ({ fontSize, isBold }: Item): string => `${String(isBold)} ${Math.round(fontSize * 2)}`
const styleOf = ({ isBold, isItalic }: Item): FontTag => (isBold ? (isItalic ? 'F4' : 'F2') : isItalic ? 'F3' : 'F1')

/** A page with these items; names of functions in a margin are no listings. */
export function pageOf({ items, isMain }: Text, letters: Letters): NewPage {
  const content = items.map((item) => drawn(letters.codesOf(item.text), { font: isMain && isCode(item) ? 'F5' : styleOf(item), size: item.fontSize, width: item.width, place: [1, 0, 0, 1, item.x, item.y] }))
  const [right, top] = [Math.max(612, ...items.map(({ x, width }) => x + width)), Math.max(792, ...items.map(({ y, height }) => y + height))]
  return { content: content.join('\n'), rest: `/MediaBox [0 0 ${Math.ceil(right)} ${Math.ceil(top)}]` }
}

interface Text {
  readonly items: readonly Item[]
  readonly isMain: boolean
}

export const isLink = ({ itemType }: Item): boolean => itemType === 'Link'

/** How many lines of a text do not follow one another in the markdown. */
export function tornIn(markdown: string, { seams }: Parted<Item>): number {
  const letters = lettersOf(markdown)
  return seams.filter((seam) => !letters.includes(seam)).length
}

/** Whether the lines of columns are so mixed in the markdown that the page is read anew: in short ones, most of them. */
function areMixed(markdown: string, parts: Columns<Item>): boolean {
  const torn = tornIn(markdown, parts)
  return parts.areLong ? torn >= fewestTorn : torn * 2 > parts.seams.length && !/^\|/m.test(markdown)
}

/** The columns of a page when the markdown has their lines mixed. */
function tornColumns(markdown: string, items: readonly Item[], { lines }: PageEdges): Parted<Item> | null {
  const parts = columnRegions(items, lines)
  return parts !== null && areMixed(markdown, parts) ? parts : null
}

/** The texts that a page is read anew in; null when it stays as it is. */
function partsOf({ markdown, items, edges, slide }: WrittenPage): Parted<Item> | null {
  const own = slide === undefined ? null : slideOf(items, { edges: edges.lines, ...slide })
  if (own !== null && (tornIn(markdown, own) > 0 || isMixed(markdown, own))) return own
  const beside = sideRegions(items, edges.lines)
  return beside !== null && tornIn(markdown, beside) > 0 ? beside : tornColumns(markdown, items, edges)
}

/** Whether a reading of a slide lacks its numbers, or has its header or footer in another text. */
function isMixed(markdown: string, { isMended, edges }: Slide<Item>): boolean {
  const blocks = new Set(blocksOf(markdown).map(({ lines }) => lettersOf(lines.join(''))))
  return isMended || edges.some((edge) => !blocks.has(edge))
}

/** The items that the parts of a page leave out. */
export const goneFrom = (parts: Parted<Item> | Slide<Item> | null): ReadonlySet<Item> => new Set(parts !== null && 'gone' in parts ? parts.gone : [])
const textsOf = (items: readonly Item[]): string => items.map(({ text }) => text).join('')

/** Whether a new reading has fewer lines apart than the one before; that of a slide has no more at least. */
const isBetterBy = (parts: Parted<Item>, whole: string, before: string): boolean => tornIn(whole, parts) < tornIn(before, parts) + ('isMended' in parts ? 1 : 0)

/** The markdown of a text beside another, without headings that look like most of it: a short note is none. */
export function asideText(markdown: string, items: readonly Item[]): string {
  const styles = new Map<string, Item[]>()
  for (const item of items) styles.set(lookOf(item), [...(styles.get(lookOf(item)) ?? []), item])
  const [most] = [...styles.values()].map((own) => own.map(({ text }) => lettersOf(text)).join('')).sort((a, b) => b.length - a.length)
  return markdown.replace(/^#{1,6} +(.*)$/gm, (heading: string, text: string) => ((most ?? '').includes(lettersOf(text)) ? text : heading))
}

/** Whether a block may be a line of an address. */
const isShort = (block: Block | undefined): boolean => block?.kind === 'text' && block.lines.length === 1 && /^.{0,39}[^.!?:]$/u.test(block.lines[0] ?? '')

/** The place of a text among the blocks, by the paragraph beside it; before that, when the page ends within the paragraph. */
function placeOf(blocks: readonly Block[], { beside, isBefore, goesOn = false }: Aside<Item>): number {
  const key = lettersOf(beside.text).slice(0, lineLetters)
  const found = key === '' ? -1 : blocks.findIndex(({ lines }) => lettersOf(lines.join('')).includes(key))
  if (goesOn && found >= 0) return found + 1
  let at = found < 0 ? blocks.length - 1 : found
  if (isBefore && found >= 0) return found
  while (isShort(blocks[at]) && isShort(blocks[at + 1])) at++
  const isOpen = at === blocks.length - 1 && blocks[at]?.kind === 'text' && /[\p{Ll},;-]$/u.test(blocks[at]?.lines.at(-1) ?? '')
  return isOpen ? at : at + 1
}

/** How often each digit stands in a text, outside of the addresses of links. */
function digitsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [digit] of lettersOf(text.replace(/\]\([^()\s]*\)/g, ']')).matchAll(/\p{Nd}/gu)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  return counts
}

/** Whether a new reading has each digit as often as the page, or as the reading before, which may lack some and have others twice. */
export function keepsDigits(made: string, { markdown, items }: { readonly markdown: string; readonly items: readonly { readonly itemType: string; readonly text: string }[] }): boolean {
  const counts = [made, markdown, items.map(({ itemType, text }) => (itemType === 'Text' ? text : '')).join('\n')].map(digitsOf)
  const digits = new Set(counts.flatMap((one) => [...one.keys()]))
  return [...digits].every((digit) => {
    const [own = 0, before = 0, all = 0] = counts.map((one) => one.get(digit) ?? 0)
    return own >= Math.min(before, all) && own <= Math.max(before, all)
  })
}

/** Whether a text may go on with a paragraph of the column before. */
const isContinuing = (aside: Aside<Item> | undefined): boolean => aside?.goesOn === true && beginsInProse(aside.items)

/** The running text with the texts beside it in their places. */
export function joined(main: string, asides: readonly { readonly aside: Aside<Item>; readonly markdown: string }[]): string {
  const blocks = blocksOf(main)
  const placed = asides.map(({ aside, markdown }) => ({ at: placeOf(blocks, aside), own: blocksOf(markdown) }))
  const columns = new Set(placed.filter((_, i) => isContinuing(asides[i]?.aside)).map(({ own }) => own[0]))
  const all = [...blocks.keys(), blocks.length].flatMap((i) => [...placed.filter(({ at }) => at === i).flatMap(({ own }) => own), ...blocks.slice(i, i + 1)])
  return toMarkdown(all.reduce<Block[]>((done, block) => {
    const last = done.at(-1)
    const isOne = columns.has(block) && last?.kind === 'text' && block.kind === 'text' && /[\p{L}\p{N},;-]$/u.test(last.lines.at(-1) ?? '') && /^\p{Ll}/u.test(block.lines[0] ?? '')
    if (isOne) done.splice(-1, 1, { kind: 'text', lines: [`${last.lines.join('\n')} ${block.lines.join('\n')}`] })
    else done.push(block)
    return done
  }, []))
}

/**
 * Reads pages anew where the native library mixed text beside the running text into its lines: each text is typeset as a page
 * of its own. Answers the markdown of the pages that are better then, by their index, and their
 * footnotes: what stands beside the text is none.
 */
export function withAsides(pages: readonly WrittenPage[], { read, mend, base }: Reading): ReadonlyMap<number, Omit<WrittenPage, 'items'>> {
  const parted = new Map<number, Parted<Item>>()
  const end = performance.now() + maxMs
  for (const [i, page] of pages.entries()) {
    if (page.markdown.trim() === '' || parted.size >= mostPages || performance.now() > end) continue
    const parts = partsOf(page)
    if (parts !== null) parted.set(i, parts)
  }
  const texts = [...parted.values()].flatMap(({ main, asides }) => [main, ...asides.map(({ items }) => items)].map((items): Text => ({ items, isMain: items === main })))
  if (texts.length === 0 || texts.length > mostTexts) return new Map()
  // The texts are not in the order of the page any more, in which links are found.
  const linked = (markdown: string, items: readonly Item[], all: readonly Item[]): string => (all.some(isLink) ? withLinks(markdown, coveredText([...items, ...all.filter(isLink)], base).filter(({ text }) => text !== '')) : markdown)
  const letters = new Letters()
  const made = read(newFile(texts.map((text) => pageOf(text, letters)), letters))
  let next = 0
  const found = new Map<number, Omit<WrittenPage, 'items'>>()
  for (const [i, parts] of parted) {
    const [main = '', ...others] = [parts.main, ...parts.asides.map(({ items }) => items)].map((items) => linked(mend(made[next++] ?? '', items), items, pages[i]?.items ?? []))
    const whole = joined(main, parts.asides.map((aside, at) => ({ aside, markdown: asideText(others[at] ?? '', aside.items) })))
    const page = pages[i]
    if (page === undefined) continue
    const { markdown: before, edges, anchors } = page
    const gone = goneFrom(parts)
    const kept = page.items.filter((item) => !gone.has(item))
    const isBetter = lettersOf(whole).length >= (lettersOf(before).length - lettersOf(textsOf([...gone])).length) * leastShare && isBetterBy(parts, whole, before) && keepsDigits(whole, { ...page, items: kept })
    if (isBetter) found.set(i, { markdown: whole, edges: { ...edges, notes: pageEdges(parts.main).notes }, anchors: anchors.map((anchor) => ({ ...anchor, text: '' })) })
  }
  return found
}
