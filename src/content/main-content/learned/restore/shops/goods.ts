import type { Frame } from '../../frame.ts'
import { keepOutside, lineOf } from '../lines.ts'
import { amount } from './prices.ts'

/** Fewest things of a list, and the share of its parts that are things. */
const fewest = 4
const share = 0.75
/** Most letters of a line with a price, and of a thing; most elements from a price up to the list. */
const longestLine = 80
const longest = 500
const mostBoxes = 12
const edges: ReadonlySet<string> = new Set(['nav', 'aside', 'footer', 'form', 'select'])

/**
 * Keeps the list of things with prices that the heading of a page is about: next to a long text about all of them, the trees
 * take it for what a shop offers beside that. A list below a heading of its own may be just that.
 */
export function keepGoods(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, rules, signs } = frame
  const title = heading.indexOf(1)
  if (rules.forum || signs.isArticle || signs.isProduct || kept[title] !== 1) return
  const prices: number[] = []
  for (let i = title + 1; i < kept.length; i++) {
    const block = blocks.all[i]
    if (block !== undefined && kept[i] === 0 && block.measure.letters <= longestLine && amount.test(lineOf(block))) prices.push(i)
  }
  if (prices.length < fewest) return
  for (const list of listsOf(frame, prices)) {
    const things = thingsOf(frame, list, prices)
    const first = blocks.first[things[0] ?? -1] ?? 0
    // Of a list of which the trees kept something, they left out the rest.
    if (first <= title || things.some((at) => kept.subarray(blocks.first[at], blocks.end[at]).includes(1)) || heading.subarray(title + 1, first).some((level) => level > 0)) continue
    for (const thing of things) keepOutside(frame, kept, thing, edges)
  }
}

/** The elements that hold two prices in different parts of them, at least as often as a list does. */
function listsOf({ outline: o, blocks }: Frame, prices: readonly number[]): readonly number[] {
  const times = new Map<number, number>()
  for (let n = 1; n < prices.length; n++) {
    const to = blocks.all[prices[n] ?? -1]?.at ?? -1
    let at = blocks.all[prices[n - 1] ?? -1]?.at ?? -1
    for (let up = 0; up < mostBoxes && at >= 0 && (o.end[at] ?? 0) <= to; up++) at = o.parent[at] ?? -1
    if (at >= 0 && (o.end[at] ?? 0) > to) times.set(at, (times.get(at) ?? 0) + 1)
  }
  return [...times].filter(([, count]) => count >= fewest - 1).map(([list]) => list)
}

/** The parts of a list that are things to buy: short ones with a link and a price. Empty if there are few, or much else. */
function thingsOf({ outline: o, blocks }: Frame, list: number, prices: readonly number[]): readonly number[] {
  const things: number[] = []
  let parts = 0
  let n = 0
  const end = o.end[list] ?? 0
  for (let at = list + 1; at < end; at = o.end[at] ?? end) {
    const [from, to] = [blocks.first[at] ?? 0, blocks.end[at] ?? 0]
    if (to > from) parts++
    while (n < prices.length && (prices[n] ?? 0) < from) n++
    if ((prices[n] ?? to) < to && (o.links[at] ?? 0) > 0 && (o.text[at] ?? 0) <= longest) things.push(at)
  }
  return things.length >= fewest && things.length >= parts * share ? things : []
}
