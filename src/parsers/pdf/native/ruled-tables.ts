import type * as inspector from '@firecrawl/pdf-inspector'
import { type Block, blocksOf, toMarkdown } from '../blocks.ts'
import { Letters, newFile } from '../letters/new-file.ts'
import { lettersOf } from '../page/page-letters.ts'
import { bandsIn } from '../shapes/bands.ts'
import { type Grid, gridsIn } from '../shapes/grids.ts'
import type { Shape } from '../shapes/drawn-shapes.ts'
import { rulesOf } from '../shapes/rules.ts'
import { pageOf } from './asides.ts'
import { cellsOf, linesOf, ruled, written } from './table-places.ts'

type Item = inspector.TextItem

/** Most pages that are read again for their tables, and most items of one. */
const [mostPages, mostItems] = [300, 5_000]
/** Milliseconds for looking for tables; pages after that stay as they are. */
const maxMs = 1_000
/** The new reading must have at least and at most this share of the letters. */
const [leastShare, mostShare] = [0.99, 1.01]

/** A page as the native library wrote it, with what is on it. */
export interface RuledPage {
  readonly markdown: string
  readonly items: readonly Item[]
  readonly shapes: readonly Shape[]
}

/** How a file is read as markdown page by page, and how that is corrected. */
interface Reading {
  readonly read: (bytes: Buffer) => readonly string[]
  readonly mend: (markdown: string, items: readonly Item[]) => string
}

type Table = Grid<Item>

const textOf = (cell: readonly Item[]): string => linesOf(cell).map(({ items }) => items.map(({ text }) => text.trim()).join(' ')).join(' ').replace(/\s+/g, ' ').replace(/(?<=\d[-–]) (?=\d)/g, '')
const rowsOf = ({ cells }: Table): string[][] => cells.map((row) => row.map(textOf))

function markdownOf(table: Table): Block {
  const [head = [], ...rows] = rowsOf(table)
  return { kind: 'table', lines: [written(head), `|${head.map(() => '---|').join('')}`, ...rows.map(written)] }
}

/** Whether the markdown of a page has these tables as they are. */
function hasTables(markdown: string, tables: readonly Table[]): boolean {
  const has = new Set(markdown.split('\n').filter((line) => line.startsWith('|') && !ruled.test(line)).map((line) => cellsOf(line).map(lettersOf).join('|')))
  return tables.every((table) => rowsOf(table).every((row) => has.has(row.map(lettersOf).join('|'))))
}

/** What stands for a table while the rest of its page is read. */
const nameOf = (at: number): string => `zqtable${String(at)}zq`

/** The items of a page with a word in place of each table. */
function itemsAround(items: readonly Item[], tables: readonly Table[]): Item[] {
  const gone = new Set<Item>(tables.flatMap((table) => table.items))
  const names = tables.flatMap((table, at): Item[] => {
    const [first] = table.items
    const y = Math.max(...table.items.map((item) => item.y))
    return first === undefined ? [] : [{ ...first, text: nameOf(at), x: table.left, y, width: first.fontSize * 5, isBold: false, isItalic: false }]
  })
  return [...items.filter((item) => !gone.has(item)), ...names]
}

/** The blocks of a page with its tables in place of their names; null when one is missing. */
function withTablesIn(markdown: string, tables: readonly Table[]): string | null {
  const blocks = blocksOf(markdown)
  for (const [at, table] of tables.entries()) {
    const name = nameOf(at)
    const found = blocks.findIndex(({ lines }) => lines.some((line) => line.includes(name)))
    const block = blocks[found]
    if (block === undefined) return null
    if (block.kind === 'table' || block.kind === 'code') return null
    const [before = '', after = ''] = block.lines.join('\n').split(name).map((text) => text.trim())
    const part = (text: string, kind: Block['kind']): Block[] => (/[\p{L}\p{N}]/u.test(text) ? [{ kind, lines: text.split('\n') }] : [])
    blocks.splice(found, 1, ...part(before, block.kind), markdownOf(table), ...part(after, 'text'))
  }
  return toMarkdown(blocks)
}

/**
 * Writes tables anew that lines on the page show, where the native library did not find all of their cells: the rest of the
 * page is typeset and read without them. Answers the markdown of such pages by their index.
 */
export function withRuledTables(pages: readonly RuledPage[], { read, mend }: Reading): ReadonlyMap<number, string> {
  const end = performance.now() + maxMs
  const wanted = new Map<number, { tables: readonly Table[]; around: readonly Item[] }>()
  for (const [i, { markdown, items, shapes }] of pages.entries()) {
    const isSkipped = shapes.length === 0 || items.length > mostItems || wanted.size >= mostPages || markdown.trim() === '' || performance.now() > end
    const rules = isSkipped ? null : rulesOf(shapes)
    const grids = rules === null ? [] : gridsIn(rules, items)
    const bands = rules === null ? [] : bandsIn(rules, shapes, { items, taken: new Set(grids.flatMap((grid) => grid.items)) })
    const tables = [...grids, ...bands]
    if (tables.length > 0 && !hasTables(markdown, tables)) wanted.set(i, { tables, around: itemsAround(items, tables) })
  }
  if (wanted.size === 0) return new Map()
  const letters = new Letters()
  const made = read(newFile([...wanted.values()].map(({ around }) => pageOf({ items: around.filter(({ itemType }) => itemType === 'Text'), isMain: true }, letters)), letters))
  return new Map([...wanted].flatMap(([i, { tables, around }], at) => {
    const whole = withTablesIn(mend(made[at] ?? '', around), tables)
    const [before, all] = [lettersOf(pages[i]?.markdown ?? '').length, (pages[i]?.items ?? []).reduce((sum, { itemType, text }) => sum + (itemType === 'Text' ? lettersOf(text).length : 0), 0)]
    const after = lettersOf(whole ?? '').length
    return whole !== null && after >= before * leastShare && after <= Math.max(before, all) * mostShare ? [[i, whole] as const] : []
  }))
}
