import type * as inspector from '@firecrawl/pdf-inspector'
import { coveredText } from '../links.ts'
import { drawnBullets } from '../finish/bullets.ts'
import type { MarkedPage } from '../tags/by-tags.ts'
import { type Reading, withAsides, type WrittenPage } from './asides.ts'
import { slideOf, slidesOf, withoutBars } from '../page/slides.ts'
import { withRuledTables } from './ruled-tables.ts'
import { withTurnedTables } from '../finish/right-to-left.ts'
import { dottedItems, dottedParts } from '../shapes/dots.ts'
import { drawingsOf, type PageDrawing } from '../shapes/page-drawings.ts'
import { withBulletRows } from './bullet-rows.ts'
import { withDropCaps } from './drop-caps.ts'
import { withCode, withListings } from './listings.ts'
import { withHardHyphens } from './hard-hyphens.ts'
import { withHyphenBlanks } from './hyphen-blanks.ts'
import { withLabelColumns } from './label-columns.ts'
import { headingSizes, withEvenLevels } from './heading-levels.ts'
import { withSpacedTitles } from './letter-spaced.ts'
import { lineNumbersOf, withoutLineNumbers } from './line-numbers.ts'
import { withLineStarts } from './line-starts.ts'
import { withLostLines } from './lost-lines.ts'
import { withLostNumbers } from './lost-numbers.ts'
import { withShortLines } from './short-lines.ts'
import { withSpacedRows } from './spaced-rows.ts'
import { withSplitRows } from './split-rows.ts'
import { withoutStamps } from './stamps.ts'
import { withoutPlainHeadings } from './plain-headings.ts'
import { saidBeside, saidFirst } from '../xmp.ts'
import { withEscapedPipes } from './pipes.ts'
import { leadingOf, pageEdges } from '../page/page-edges.ts'
import { type RawDocument, type RawPage, UnreadablePdf } from '../source.ts'
import { withoutTableTails } from './table-tails.ts'
import { lettersOf } from '../letters/decoded.ts'
import type { TextLook } from '../tags/tagged-inline.ts'
import { withParagraphStarts } from './paragraph-starts.ts'
import { type GlyphCoded, withGlyphCodes } from '../letters/glyph-codes.ts'
import { withSpelledRanges } from '../letters/spelled-ranges.ts'
import { isReadable, lacksLetters, type Undecoded, undecodedPages } from '../letters/undecoded.ts'
import { unknownSign } from '../letters/unnamed-glyphs.ts'
import { withoutLineBlanks } from './wide-lines.ts'

type Library = typeof inspector

/** What the native library read, and which pages need a later step (the steps are listed in `read.ts`). */
export interface NativeDocument {
  readonly raw: RawDocument
  /** Tagged pages, by number. */
  readonly marked: ReadonlyMap<number, MarkedPage>
  /** Pages whose text may be incomplete: scanned pages, and pages without text. */
  readonly doubtful: ReadonlySet<number>
  /** The letters beside the pictures of pages that are scans. */
  readonly scanned: ReadonlyMap<number, number>
  /** Pages that it could not decode or put in order. */
  readonly undecoded: ReadonlyMap<number, Undecoded>
  /** Pages without text and pictures. */
  readonly bare: ReadonlySet<number>
  /** Mends drop caps and letter-spaced titles on pages that a later step wrote anew. */
  readonly mend: (raw: RawDocument) => RawDocument
  /** The text of the pages when some of it may be other letters than those on the page (`withGlyphCodes`); otherwise empty. */
  readonly unsure: ReadonlyMap<number, string>
  /** The text runs and form fields of pages that may have form fields. */
  readonly fielded: ReadonlyMap<number, readonly inspector.TextItem[]>
}

/** How many pages of a file are read, and the base of its relative links. */
interface Extent {
  readonly maxPages: number
  readonly base?: string | null
}

/** A picture with this many square points is a scanned page: a third of A4. */
const pagePicture = 165_000
/** A scanned page with fewer characters may have a text layer behind the picture. */
const fewLetters = 1_000
/** A picture of most of a page, in square points, and fewer letters beside it than a text has. */
const [mostOfPage, fewBeside] = [300_000, 150]
/** Milliseconds for reading distrusted pages again: the library starts over for each of them. */
const maxMsDistrusted = 4_000

/** Reads a file with the native library, which recognises headings, lists and tables. Throws `UnreadablePdf`. */
export function readNative(library: Library, bytes: Buffer, { maxPages, base = null }: Extent): NativeDocument {
  try {
    const { file: coded, haveUnknown, ...known } = withGlyphCodes(bytes)
    const extent = { maxPages, base, ...known }
    const first = extract(library, coded, extent)
    const file = textOf(first).includes('\ufffd') ? withSpelledRanges(coded) : coded
    const read = file === coded ? first : extract(library, file, extent)
    if (file === bytes || !isGarbled(read)) return haveUnknown ? withUnknown(read) : read
    // Some files have codes that are not what their table says; the library recognises these.
    const other = extract(library, bytes, extent)
    return !isGarbled(other) ? other : haveUnknown ? withUnknown(read) : read
  } catch (error) {
    throw new UnreadablePdf(error instanceof Error && /encrypt|password/i.test(error.message) ? 'encrypted' : 'broken', error)
  }
}

function extract(library: Library, bytes: Buffer, { maxPages, base, isSure, isTagged }: Required<Extent> & Pick<GlyphCoded, 'isSure' | 'isTagged'>): NativeDocument {
  const info = library.detectPdf(bytes)
  const wanted = Array.from({ length: Math.min(info.pageCount, maxPages) }, (_, i) => i)
  const { pages: found } = library.extractPagesMarkdown(bytes, wanted.length === info.pageCount ? undefined : wanted)
  const numbers = found.map(({ page }) => page + 1)
  const onPages = byPage(() => library.extractTextWithPositions(bytes, numbers))
  const reread = (file: Buffer): readonly string[] => library.extractPagesMarkdown(file).pages.map(({ markdown }) => markdown)
  const bare = withoutStamps(found.map(({ page, markdown }) => ({ markdown, items: onPages.get(page + 1) ?? [] })), reread)
  const pages = found.map((page, i) => ({ ...page, markdown: bare.get(i)?.markdown ?? page.markdown }))
  const drawn = new Map([...onPages].map(([page, own]) => [page, bare.get(numbers.indexOf(page))?.items ?? own]))
  const counts = new Map([...drawn].map(([page, own]) => [page, lineNumbersOf(own)]))
  const items = new Map([...drawn].map(([page, own]) => [page, (counts.get(page)?.size ?? 0) === 0 ? own : own.filter((item) => counts.get(page)?.has(item) !== true)]))
  // The library reads the file anew each time.
  const roles = byPage(() => (isTagged ? library.extractStructureElements(bytes, numbers) : []))
  const distrusted = distrustedBy(library, bytes)
  const leading = leadingOf([...items.values()])
  const isListed = (page: number): boolean => !roles.has(page) && (counts.get(page)?.size ?? 0) === 0
  const listed = withListings(pages.map(({ page, markdown }) => ({ markdown: isListed(page + 1) ? markdown : '', items: items.get(page + 1) ?? [] })), reread)
  const itemsOf = (i: number): readonly inspector.TextItem[] => listed.get(i)?.items ?? items.get(numbers[i] ?? 0) ?? []
  const draws = drawingsOf(bytes, info.pageCount)
  const scanned = new Map([...items].filter(([, own]) => isScanned(own)).map(([page, own]) => [page, lettersOf(textsOf(own))]))
  const drawings = pages.map(({ page, markdown }) => (isBlank(markdown) || roles.has(page + 1) ? null : draws(page)))
  const slides = slidesOf(drawings.map((drawing, i) => ({ drawing, items: itemsOf(i) })))
  const shapes = drawings.map((drawing, i) => shapesOn(drawing, slides[i] !== undefined))
  const read = pages.map(({ page, markdown, needsOcr, ocrReason }, i) => {
    const own = itemsOf(i)
    const isDistrusted = ocrReason !== undefined && isBlank(markdown) && hasText(own)
    const text = withoutLineNumbers(isDistrusted ? distrusted(page + 1) : (listed.get(i)?.markdown ?? markdown), drawn.get(page + 1) ?? [], counts.get(page + 1) ?? new Set())
    return {
      pageNumber: page + 1,
      markdown: written(text, own),
      needsOcr: (needsOcr && !(isDistrusted && isReadable(text))) || scanned.has(page + 1),
      bullets: roles.has(page + 1) ? drawnBullets(own, roles.get(page + 1) ?? []) : dottedItems(shapes[i] ?? [], own),
      anchors: coveredText(own, base),
      edges: pageEdges(own, leading),
    }
  })
  const reading = { read: reread, mend: written, base }
  const placed = read.map((page, i) => ({ ...page, items: itemsOf(i), slide: slides[i] && { ...slides[i], bullets: new Set(page.bullets.map(({ text }) => text)) }, shapes: shapes[i] ?? [] }))
  const whole = readAnew(placed, reading).map((page, i) => ({ ...page, markdown: withCode(page.markdown, listed.get(i)?.codes) }))
  const raw: RawDocument = {
    totalPages: info.pageCount,
    pages: withEvenLevels(whole, whole.map(({ pageNumber, markdown }) => headingSizes(markdown, items.get(pageNumber) ?? []))),
    info: saidFirst({ title: info.title, author: info.author, subject: info.subject, keywords: info.keywords, created: info.creationDate, modified: info.modDate }, saidBeside(bytes)),
    warnings: [],
  }
  const hasForm = bytes.includes('/AcroForm')
  const doubtful = raw.pages.filter((page) => (page.needsOcr && isBlank(page.markdown)) || isPicture(page, items.get(page.pageNumber) ?? []))
  return {
    raw,
    bare: new Set(numbers.filter((page) => items.get(page)?.some(({ itemType }) => itemType !== 'Link') !== true)),
    mend: (other) => ({ ...other, pages: other.pages.map((page) => ({ ...page, markdown: withLetters(page.markdown, items.get(page.pageNumber) ?? []) })) }),
    marked: new Map([...roles.keys()].map((page) => [page, markedOf(items.get(page) ?? [])])),
    doubtful: new Set(doubtful.map(({ pageNumber }) => pageNumber)),
    scanned,
    undecoded: undecodedPages(items),
    unsure: new Map(isSure ? [] : [...items].map(([page, own]) => [page, textsOf(own)])),
    fielded: new Map([...items].filter(([, own]) => hasForm || own.some(({ itemType }) => itemType === 'FormField'))),
  }
}

const withLetters = (markdown: string, items: readonly inspector.TextItem[]): string => withSpacedTitles(withDropCaps(markdown, items), items)

/** The rules that correct known faults in the library's markdown of a page, in their order; each compares it with positions. */
const mends = [withEscapedPipes, withBulletRows, withSplitRows, withoutTableTails, withLostLines, withLostNumbers, withDropCaps, withSpacedTitles, withoutLineBlanks, withoutPlainHeadings, withLineStarts, withSpacedRows, withParagraphStarts, withShortLines, withLabelColumns, withHardHyphens, withHyphenBlanks]
const written = (markdown: string, items: readonly inspector.TextItem[]): string => mends.reduce((text, mend) => mend(text, items), markdown)

/** Marks letters that the fonts do not say. They are not read again: the other library takes their codes for letters. */
function withUnknown(read: NativeDocument): NativeDocument {
  const pages = read.raw.pages.map((page) => {
    const markdown = page.markdown.replaceAll(unknownSign, '\ufffd')
    return { ...page, markdown, needsOcr: page.needsOcr || lacksLetters(markdown) }
  })
  return { ...read, raw: { ...read.raw, pages } }
}

const textOf = ({ raw }: NativeDocument): string => raw.pages.map(({ markdown }) => markdown).join('\n')
const isGarbled = (read: NativeDocument): boolean => !isReadable(textOf(read))

const textsOf = (items: readonly inspector.TextItem[]): string => items.map(({ itemType, text }) => (itemType === 'Text' ? text : '')).join(' ')
const isBlank = (markdown: string): boolean => markdown.trim() === ''
const hasText = (items: readonly inspector.TextItem[] = []): boolean => items.some(({ itemType, text }) => itemType === 'Text' && /[\p{L}\p{N}]/u.test(text))

function isPicture({ markdown }: RawPage, items: readonly inspector.TextItem[]): boolean {
  return markdown.length < fewLetters && items.some(({ itemType, width, height }) => itemType === 'Image' && width * height >= pagePicture)
}

/** Whether a page is a picture with a line beside it at most, as programs add it to scans; recognised text stands on the picture. */
function isScanned(items: readonly inspector.TextItem[]): boolean {
  const pictures = items.filter(({ itemType, width, height }) => itemType === 'Image' && width * height >= mostOfPage)
  const isOn = (item: inspector.TextItem): boolean => pictures.some(({ x, y, width, height }) => item.x > x && item.x < x + width && item.y > y && item.y < y + height)
  return pictures.length > 0 && lettersOf(textsOf(items)) < fewBeside && !items.some((item) => item.itemType === 'Text' && isOn(item))
}

/** Reads a page that the library distrusts: it returns such a page empty, unless it is asked for this page alone. */
function distrustedBy(library: Library, bytes: Buffer): (page: number) => string {
  const end = performance.now() + maxMsDistrusted
  return (page) => (performance.now() > end ? '' : (library.processPdf(bytes, [page]).markdown ?? ''))
}

/** The style of each piece of marked content, where it is the same throughout, and the number of letters on the page. */
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

/** What a page draws, as far as it may be a part of its text. */
const shapesOn = (drawing: PageDrawing | null, isSlide: boolean): PageDrawing['shapes'] => (drawing === null ? [] : isSlide ? withoutBars(drawing) : drawing.shapes)

type PlacedPage = RawPage & WrittenPage & Pick<PageDrawing, 'shapes'>

/** The pages, with those that the library mixed read anew by their columns, their tables, or both. */
function readAnew(pages: readonly PlacedPage[], reading: Reading): RawPage[] {
  const anew = withAsides(pages, reading)
  const tabled = withRuledTables(pages, reading)
  return pages.map((placed, i) => {
    const { items: _items, slide: _slide, shapes: _shapes, ...page } = placed
    const { inColumns = false, ...table } = tabled.get(i) ?? {}
    const one = anew.has(i) && !inColumns ? { ...page, ...anew.get(i) } : { ...page, ...table }
    return { ...one, bullets: bulletsOf(placed), markdown: withTurnedTables(one.markdown) }
  })
}

/** The items whose markers are drawn: on slides text by text, as these are read. */
function bulletsOf({ items, edges, slide, bullets, shapes }: PlacedPage): RawPage['bullets'] {
  const parts = slide === undefined ? null : slideOf(items, { edges: edges.lines, ...slide })
  return parts === null ? bullets : dottedParts(shapes, [parts.main, ...parts.asides.map((aside) => aside.items)])
}

/** Groups by page number what the library returns; empty when the library fails, because only details depend on it. */
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
