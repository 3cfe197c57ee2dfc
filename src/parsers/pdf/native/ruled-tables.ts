import type * as inspector from '@firecrawl/pdf-inspector'
import { type Block, blocksOf, toMarkdown } from '../blocks.ts'
import { Letters, newFile } from '../letters/new-file.ts'
import { lettersOf } from '../page/page-letters.ts'
import { rightOf } from '../page/placed.ts'
import { bandsIn } from '../shapes/bands.ts'
import { formsIn, type Grid, gridsIn } from '../shapes/grids.ts'
import type { Shape } from '../shapes/drawn-shapes.ts'
import { rulesOf } from '../shapes/rules.ts'
import { coveredText } from '../links.ts'
import type { RawPage } from '../source.ts'
import { columnRegions, type Columns } from '../page/column-regions.ts'
import type { PageEdges } from '../page/page-edges.ts'
import { slideOf } from '../page/slides.ts'
import { asideText, goneFrom, isLink, joined, keepsDigits, pageOf, type Reading, tornIn, type WrittenPage } from './asides.ts'
import { cellText, linked } from './table-cells.ts'
import { cellsOf, linesOf, ruled } from './table-places.ts'

type Item = inspector.TextItem

/** Most pages that are read again for their tables, most items of one, and most texts that are read. */
const [mostPages, mostItems, mostTexts] = [300, 5_000, 2_000]
/** Milliseconds for looking for tables; pages after that stay as they are. */
const maxMs = 1_000
/** The new reading must have at least and at most this share of the letters, and all digits. */
const [leastShare, mostShare] = [0.99, 1.01]

/** A page as the native library wrote it, with what is on it. */
export interface RuledPage {
  readonly markdown: string
  readonly items: readonly Item[]
  readonly shapes: readonly Shape[]
  readonly anchors: RawPage['anchors']
  readonly edges: Pick<PageEdges, 'lines'>
  /** What a slide is parted by. */
  readonly slide?: WrittenPage['slide']
}

/** A page with tables by lines, written anew; `inColumns`: also its columns. */
export interface TabledPage extends Pick<RuledPage, 'markdown' | 'anchors'> {
  readonly inColumns: boolean
}

type Table = Grid<Item>

/** The rows of a table as markdown, and the links over them; styles of the head are not marked. */
function markdownOf({ cells }: Table, links: readonly Item[], base: string | null): Block {
  const [head = '', ...rows] = cells.map((row, i) => `|${row.map((cell) => linked(cellText(cell, i > 0), cell, { links, base })).join('|')}|`)
  return { kind: 'table', lines: [head, `|${(cells[0] ?? []).map(() => '---|').join('')}`, ...rows] }
}

const isStyled = ({ isBold, isItalic }: Item): boolean => isBold || isItalic
const lettersIn = (items: readonly Item[]): string => lettersOf(linesOf(items).map(({ words }) => words.join('')).join(''))

/** Whether the blocks of a page have these as they are: tables row by row without styles to add, and texts each for itself. */
function has(blocks: readonly Block[], tables: readonly Table[]): boolean {
  const written = new Set(blocks.flatMap(({ kind, lines }) => (kind === 'table' ? lines : [])).filter((line) => !ruled.test(line)).map((line) => cellsOf(line).map(lettersOf).join('|')))
  const texts = blocks.filter(({ kind }) => kind !== 'table').map(({ lines }) => lettersOf(lines.join('')))
  const isThere = (cell: readonly Item[]): boolean => texts.some((text) => text.startsWith(lettersIn((linesOf(cell)[0]?.items ?? [])))) && texts.join('').includes(lettersIn(cell))
  return tables.every(({ cells, areTexts }) => (areTexts ? cells.flat().every(isThere) : !cells.slice(1).flat(2).some(isStyled) && cells.every((row) => written.has(row.map(lettersIn).join('|')))))
}

/** Whether the library took a form for a table, or for a part of one: its lines alone may be those of a drawing. */
const isInTable = (blocks: readonly Block[], form: Table): boolean => blocks.some(({ kind, lines }) => kind === 'table' && form.cells.every(([label = []]) => lettersOf(lines.join('')).includes(lettersIn(label))))

/** What stands for a table while the rest of its page is read. */
const nameOf = (at: number): string => `zqtable${String(at)}zq`
const isName = /^zqtable\d+zq$/

/** The items of a page with a word in place of each table, as wide as that. */
function itemsAround(items: readonly Item[], tables: readonly Table[]): Item[] {
  const gone = new Set<Item>(tables.flatMap((table) => table.items))
  const names = tables.flatMap((table, at): Item[] => {
    const [first] = table.items
    const y = Math.max(...table.items.map((item) => item.y))
    return first === undefined ? [] : [{ ...first, text: nameOf(at), x: table.left, y, width: Math.max(...table.items.map(rightOf)) - table.left, isBold: false, isItalic: false }]
  })
  return [...items.filter((item) => !gone.has(item)), ...names]
}

/** A text as it is typeset: the words for tables are no wider than others. */
const typeset = (items: readonly Item[]): Item[] => items.filter(({ itemType }) => itemType === 'Text').map((item) => (isName.test(item.text) ? { ...item, width: item.fontSize * 5 } : item))

/** The blocks of a page with its tables in place of their names; null when one is missing. */
function withTablesIn(markdown: string, tables: readonly (readonly Block[])[]): string | null {
  const blocks = blocksOf(markdown)
  for (const [at, own] of tables.entries()) {
    const name = nameOf(at)
    const found = blocks.findIndex(({ lines }) => lines.some((line) => line.includes(name)))
    const block = blocks[found]
    if (block === undefined) return null
    if (block.kind === 'table' || block.kind === 'code') return null
    const [before = '', after = ''] = block.lines.join('\n').split(name).map((text) => text.trim())
    const part = (text: string, kind: Block['kind']): Block[] => (/[\p{L}\p{N}]/u.test(text) ? [{ kind, lines: text.split('\n') }] : [])
    blocks.splice(found, 1, ...part(before, block.kind), ...own, ...part(after, 'text'))
  }
  return toMarkdown(blocks)
}

/** The links of a page, as many as its anchors, with the words of tables that they cover. */
function linksIn(items: readonly Item[], tables: readonly Table[], base: string | null): RawPage['anchors'] {
  const links = items.filter(isLink)
  return links.length === 0 ? [] : coveredText([...tables.flatMap((table) => table.items), ...links], base)
}

/** The tables of a page, what is around them, and the columns of that. */
interface Tabled {
  readonly tables: readonly Table[]
  readonly around: readonly Item[]
  readonly columns: Columns<Item> | null
}

/** The columns of what is around tables; of a slide, its header and footer too. */
function columnsOf(around: readonly Item[], { edges, slide }: RuledPage): Columns<Item> | null {
  if (slide === undefined) return columnRegions(around, edges.lines)
  const own = slideOf(around, { edges: edges.lines, ...slide })
  return own === null || own.asides.length + own.gone.length === 0 ? null : { ...own, areLong: true }
}

/** The tables of the pages that are to be read anew, by their index. */
function tablesOf(pages: readonly RuledPage[], base: string | null): Map<number, Tabled> {
  const end = performance.now() + maxMs
  const wanted = new Map<number, Tabled>()
  for (const [i, page] of pages.entries()) {
    const { markdown, items, shapes } = page
    const isSkipped = shapes.length === 0 || items.length > mostItems || wanted.size >= mostPages || markdown.trim() === '' || performance.now() > end
    const rules = isSkipped ? null : rulesOf(shapes)
    const grids = rules === null ? [] : gridsIn(rules, items)
    const bands = rules === null ? [] : bandsIn(rules, shapes, { items, taken: new Set(grids.flatMap((grid) => grid.items)) })
    const blocks = blocksOf(markdown)
    const forms = rules === null || !markdown.includes('|---') ? [] : formsIn(rules, items).filter((form) => isInTable(blocks, form))
    const tables = [...grids, ...bands, ...forms]
    if (tables.length === 0) continue
    const around = itemsAround(items, tables)
    const columns = columnsOf(around, page)
    if ((columns?.areLong === true && tornIn(markdown, columns) > 0) || !has(blocks, tables) || linksIn(items, tables, base).some(({ text }) => text !== '')) wanted.set(i, { tables, around, columns })
  }
  return wanted
}

/** The texts of a page that are read apart: what is around its tables, by columns, and what stands side by side, cell by cell. */
const textsOf = ({ tables, around, columns }: Tabled): (readonly Item[])[] => [...(columns === null ? [around] : [columns.main, ...columns.asides.map(({ items }) => items)]), ...tables.flatMap(({ cells, areTexts }) => (areTexts ? cells.flat().filter((cell) => cell.length > 0) : []))]

/** Whether a new reading has the letters of a page, once. */
function isWhole(markdown: string, page: RuledPage): boolean {
  const [before, after] = [page.markdown, markdown.replace(/\]\([^()\s]*\)/g, ']')].map((text) => lettersOf(text).length)
  const all = page.items.reduce((sum, { itemType, text }) => sum + (itemType === 'Text' ? lettersOf(text).length : 0), 0)
  // The library may have written some twice.
  return (after ?? 0) >= Math.min(before ?? 0, all) * leastShare && (after ?? 0) <= Math.max(before ?? 0, all) * mostShare && keepsDigits(markdown, page)
}

/** The links of a page that are not in its tables keep their words. */
function anchorsOf({ anchors, items }: RuledPage, tables: readonly Table[], base: string | null): RawPage['anchors'] {
  const inTables = linksIn(items, tables, base)
  return anchors.map((anchor, i) => ((inTables[i]?.text ?? '') === '' ? anchor : { ...anchor, text: '' }))
}

/**
 * Writes tables anew that lines on the page show, where the native library did not find all of their cells, and texts side by
 * side between lines, which it mixed: the rest of the page is typeset and read without them. Answers such pages by their index.
 */
export function withRuledTables(pages: readonly RuledPage[], { read, mend, base }: Reading): ReadonlyMap<number, TabledPage> {
  const wanted = [...tablesOf(pages, base)].flatMap(([i, tabled]) => {
    const page = pages[i]
    return page === undefined ? [] : [{ i, page, ...tabled, texts: textsOf(tabled) }]
  })
  const texts = wanted.flatMap((one) => one.texts)
  if (texts.length === 0 || texts.length > mostTexts) return new Map()
  const letters = new Letters()
  const made = read(newFile(texts.map((items) => pageOf({ items: typeset(items), isMain: true }, letters)), letters))
  const markdown = new Map(texts.map((items, at) => [items, mend(made[at] ?? '', items)]))
  return new Map(wanted.flatMap(({ i, page, tables, around, columns }) => {
    const links = page.items.filter(isLink)
    const blocks = tables.map((table) => (table.areTexts ? table.cells.flat().flatMap((cell) => blocksOf(linked(asideText(markdown.get(cell) ?? '', cell), cell, { links, base }))) : [markdownOf(table, links, base)]))
    const inColumns = columns !== null
    const text = inColumns ? joined(markdown.get(columns.main) ?? '', columns.asides.map((aside) => ({ aside, markdown: markdown.get(aside.items) ?? '' }))) : (markdown.get(around) ?? '')
    const whole = withTablesIn(text, blocks)
    const gone = goneFrom(columns)
    return whole !== null && isWhole(whole, { ...page, items: page.items.filter((item) => !gone.has(item)) }) ? [[i, { markdown: whole, anchors: anchorsOf(page, tables, base), inColumns }] as const] : []
  }))
}
