import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'
import { isIn, lineOf } from './lines.ts'

/** Letters of a line that is a price, and little else. */
const longest = 60
/** Blocks behind a heading that are looked at: more below that of the page, where what is sold is shown first. */
const nearTitle = 16
const near = 4
/** Letters of the part of a page around its first heading in which its price may stand. */
const around = 900
const amount = /(?:[$€£¥₹₽₩₺₴₫฿]|\b(?:US|CA|AU|NZ)\$|\b(?:USD|EUR|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|BRL|R\$|zł|kr|Kč|Ft|lei))\s?\d[\d.,' \u00a0\u202f]*|\d[\d.,'\u00a0\u202f]*\s?(?:[€£¥₹₽₩₺₴₫฿]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|zł|kr|Kč|Ft|lei)\b)/

/**
 * Keeps prices: the first one below the heading of a page, and what stands below a kept heading or link, as in a list of what is sold. The pages that
 * teach the trees often have none of them in their truth; a reader asks for them first.
 */
export function keepPrices(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading } = frame
  keepFirst(frame, kept)
  for (let of = 0; of < kept.length; of++) {
    const { linkLetters = 0, measure } = blocks.all[of] ?? {}
    if (kept[of] !== 1 || ((heading[of] ?? 0) < 2 && linkLetters * 2 < (measure?.letters ?? 0))) continue
    const end = Math.min(of + 1 + near, kept.length)
    for (let i = of + 1; i < end && heading[i] === 0; i++) {
      const block = blocks.all[i]
      if (block !== undefined && kept[i] === 0 && isPrice(block) && !isIn(frame, block)) kept[i] = 1
    }
  }
}

function keepFirst(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, heading } = frame
  const first = heading.indexOf(1)
  const start = blocks.all[first]
  if (start === undefined || kept[first] !== 1) return
  let part = start.at
  for (let up = o.parent[part] ?? -1; up >= 0 && (o.text[up] ?? 0) <= around; up = o.parent[up] ?? -1) part = up
  const end = Math.min(blocks.end[part] ?? 0, first + nearTitle)
  for (let i = first + 1; i < end; i++) {
    const block = blocks.all[i]
    if (block === undefined || !isPrice(block)) continue
    kept[i] = 1
    return
  }
}

function isPrice(block: Block): boolean {
  return block.measure.letters <= longest && block.linkLetters === 0 && amount.test(lineOf(block))
}
