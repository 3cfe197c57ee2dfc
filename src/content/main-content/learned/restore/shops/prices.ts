import type { Block } from '../../blocks.ts'
import type { Frame } from '../../frame.ts'
import { isIn, lineOf } from '../lines.ts'

/** Most letters of a line that is a price and little else. */
const longest = 60
/** How many blocks after a heading are searched: more after the title, because a product page shows the product first. */
const nearTitle = 16
const near = 4
/** Most letters of the part of the page around its title in which the price may be. */
const around = 900
/** A sum of money. */
export const amount = /(?:[$€£¥₹₽₩₺₴₫฿]|\b(?:US|CA|AU|NZ)\$|\b(?:USD|EUR|GBP|CHF|JPY|INR|SEK|NOK|DKK|PLN|CZK|BRL|R\$|zł|kr|Kč|Ft|lei))\s?\d[\d.,' \u00a0\u202f]*|\d[\d.,'\u00a0\u202f]*\s?(?:[€£¥₹₽₩₺₴₫฿]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|zł|kr|Kč|Ft|lei)\b)/

/**
 * Keeps prices: the first one below the title, and those directly below a kept heading or link, as in a list of products.
 * Readers look for them first, but the ground truth of the training pages often omits them.
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
  const { outline: o, blocks, heading, signs } = frame
  const first = heading.indexOf(1)
  const start = blocks.all[first]
  if (start === undefined || kept[first] !== 1) return
  let part = start.at
  for (let up = o.parent[part] ?? -1; up >= 0 && (signs.isProduct || (o.text[up] ?? 0) <= around); up = o.parent[up] ?? -1) part = up
  const end = Math.min(blocks.end[part] ?? 0, first + nearTitle)
  for (let i = first + 1; i < end; i++) {
    const block = blocks.all[i]
    if (block === undefined || !isPrice(block)) continue
    kept[i] = 1
    // The old price and the new one.
    for (let next = i + 1; signs.isProduct && next < end; next++) {
      const further = blocks.all[next]
      if (further === undefined || o.parent[further.at] !== o.parent[block.at] || !isPrice(further)) break
      kept[next] = 1
    }
    return
  }
}

function isPrice(block: Block): boolean {
  return block.measure.letters <= longest && block.linkLetters === 0 && amount.test(lineOf(block))
}
