import type { Frame } from '../../frame.ts'
import { isIn, lineOf } from '../lines.ts'

/** Most letters of such a line, and blocks behind the heading in which it is looked for. */
const longest = 160
const near = 80
/** What a shop calls a product by, in front of its value or in a block of its own. */
const named = /^(sku|mpn|gtin|ean|upc|isbn|asin|(?:product |item |article |model )?(?:code|number|no\.?|id|#)|model|reference|ref\.?|part (?:number|no\.?)|brand|manufacturer|condition|availability|categor(?:y|ies)|art(?:ikel)?\.?[- ]?(?:nr\.?|nummer)|bestell-?(?:nr\.?|nummer)|marke|hersteller|référence|marque|referencia|marca|art\.?)(?:\s*[:：#]|\s+(?=\S*\d)|$)/i
const controls: ReadonlySet<string> = new Set(['button', 'form', 'select', 'nav', 'footer'])

/**
 * Keeps what a shop calls its product by (`SKU: HP-7`), wherever it stands below the heading. Readers look products up by
 * it, but the ground truth of the training pages often omits it.
 */
export function keepCodes(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, signs, rules } = frame
  const first = heading.indexOf(1)
  if (!signs.isProduct || rules.forum || kept[first] !== 1) return
  const seen = new Set<string>()
  const last = Math.min(kept.length, first + near)
  for (let i = first + 1; i < last; i++) {
    const block = blocks.all[i]
    if (block === undefined || block.measure.letters > longest || heading[i] !== 0) continue
    const name = named.exec(lineOf(block))
    // Other products have theirs.
    if (name === null || seen.has(name[1]?.toLowerCase() ?? '') || isIn(frame, block, controls)) continue
    seen.add(name[1]?.toLowerCase() ?? '')
    const isAlone = lineOf(block) === name[0].trim()
    const value = blocks.all[i + 1]
    if (isAlone && (value === undefined || value.measure.letters > longest / 2 || heading[i + 1] !== 0 || isIn(frame, value, controls) || !isBeside(frame, i))) continue
    kept[i] = 1
    if (isAlone) kept[i + 1] = 1
  }
}

/** Whether a block and the next one are parts of the same element. */
function isBeside({ outline: o, blocks }: Frame, i: number): boolean {
  const [one = -1, other = -1] = [blocks.all[i]?.at, blocks.all[i + 1]?.at]
  return o.parent[one] === o.parent[other] || one === o.parent[other] || o.parent[one] === other
}
