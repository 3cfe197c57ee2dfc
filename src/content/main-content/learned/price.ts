import { oneLine } from '../../tree.ts'
import type { Frame } from './frame.ts'

/** Letters of the part of a page around its first heading in which its price may stand. */
const around = 900
/** Letters of a line that is a price, and little else. */
const longest = 60
/** Blocks behind the heading that are looked at. */
const near = 16
const amount = /(?:[$€£¥₹₽₩₺₴₫฿]|\b(?:US|CA|AU|NZ)\$|\b(?:USD|EUR|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|BRL|R\$|zł|kr|Kč|Ft|lei))\s?\d[\d.,' \u00a0\u202f]*|\d[\d.,'\u00a0\u202f]*\s?(?:[€£¥₹₽₩₺₴₫฿]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|zł|kr|Kč|Ft|lei)\b)/

/** Keeps the price that stands below the heading of what is sold: the pages that teach the trees often have none in their truth; a reader asks for it first. */
export function keepPrice({ outline: o, blocks, heading }: Frame, kept: Uint8Array): void {
  const first = heading.indexOf(1)
  const start = blocks.all[first]
  if (start === undefined || kept[first] !== 1) return
  let part = start.at
  for (let up = o.parent[part] ?? -1; up >= 0 && (o.text[up] ?? 0) <= around; up = o.parent[up] ?? -1) part = up
  const end = Math.min(blocks.end[part] ?? 0, first + near)
  for (let i = first + 1; i < end; i++) {
    const block = blocks.all[i]
    if (block === undefined || block.measure.letters > longest || block.linkLetters > 0) continue
    if (!amount.test(oneLine(block.texts.map(({ data }) => data).join('')))) continue
    kept[i] = 1
    return
  }
}
