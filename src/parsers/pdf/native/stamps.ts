import type * as inspector from '@firecrawl/pdf-inspector'
import { Letters, newFile } from '../letters/new-file.ts'
import { lettersOf } from '../page/page-letters.ts'
import { keepsDigits, pageOf, type Reading } from './asides.ts'
import { isText } from '../page/placed.ts'

type Item = inspector.TextItem

/** Most items of a page that is looked at, and most pages that are read again. */
const [mostItems, mostPages] = [5_000, 300]
/** Text is slanted when its direction is further than this many degrees from that of lines and columns. */
const leastSlant = 10
/** The fewest texts below slanted text that goes across them, rather than stands above a column or at an axis. */
const fewestBelow = 2
/** The new reading must have at least this share of the letters. */
const leastShare = 0.98

interface Page {
  readonly markdown: string
  readonly items: readonly Item[]
}

const isSlanted = (item: Item): boolean => isText(item) && Math.abs((item.rotation % 90) - 45) < 45 - leastSlant

/** Whether a line runs through the box of another text: half its height up it is within that box, and their widths overlap. */
function isBelow({ x, y, width, height }: Item, over: Item): boolean {
  const middle = y + height / 2
  return middle > over.y && middle < over.y + over.height && x < over.x + over.width && x + width > over.x
}

/** The slanted text across the lines of a page, such as "DRAFT"; empty when the page has no such text, or other text that is turned. */
function stampsOf(items: readonly Item[]): readonly Item[] {
  if (items.length > mostItems || !items.some(isSlanted)) return []
  const lines = items.filter((item) => isText(item) && item.rotation === 0)
  const stamps = items.filter((item) => isSlanted(item) && lines.filter((line) => isBelow(line, item)).length >= fewestBelow)
  return stamps.length + lines.length === items.filter(isText).length ? stamps : []
}

/**
 * Reads pages anew without slanted text across their lines, into which the native library mixes it, and writes it below.
 * Answers such pages by their index, with the items that are left.
 */
export function withoutStamps(pages: readonly Page[], read: Reading['read']): ReadonlyMap<number, Page> {
  const stamped = pages.flatMap((page, i) => {
    const stamps = page.markdown.trim() === '' ? [] : stampsOf(page.items)
    return stamps.length === 0 ? [] : [{ i, page, stamps, items: page.items.filter((item) => !stamps.includes(item)) }]
  }).slice(0, mostPages)
  if (stamped.length === 0) return new Map()
  const letters = new Letters()
  const made = read(newFile(stamped.map(({ items }) => pageOf({ items: items.filter(isText), isMain: true }, letters)), letters))
  return new Map(stamped.flatMap(({ i, page, stamps, items }, at) => {
    const markdown = `${(made[at] ?? '').trimEnd()}\n\n${stamps.map(({ text }) => text.trim()).join(' ')}`
    const isWhole = lettersOf(markdown).length >= lettersOf(page.markdown).length * leastShare && keepsDigits(markdown, page)
    return isWhole ? [[i, { markdown, items }] as const] : []
  }))
}
