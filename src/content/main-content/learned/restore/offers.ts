import { isOffer, leadsOn, mayBeSaid } from '../../trim/trim.ts'
import type { Frame } from '../frame.ts'
import { isIn, lineOf } from './lines.ts'

/** Elements in which such a line is a thing among others: a command in a list, a value in a table. */
const things: ReadonlySet<string> = new Set(['table', 'pre', 'code', 'dl', 'ul', 'ol', 'blockquote', 'summary'])
const longest = 40
/** Elements in which such a line may be the heading of the text below it, and fewest letters of that. */
const bold: ReadonlySet<string> = new Set(['strong', 'b'])
const aText = 60

/**
 * Drops kept lines that offer something of the page: to print or to share it, to show more. Links stay, as they lead on to
 * what the text is about.
 */
export function leaveOffers(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, outline: o } = frame
  blocks.all.forEach((block, i) => {
    if (kept[i] !== 1 || heading[i] !== 0 || block.links > 0 || block.measure.letters >= longest) return
    const line = lineOf(block)
    const element = o.elements[block.at]
    if (!isOffer(line) || isIn(frame, block, things) || (element !== undefined && mayBeSaid(element, line))) return
    const opens = kept[i + 1] === 1 && (blocks.all[i + 1]?.measure.letters ?? 0) >= aText && !leadsOn(line)
    if (!opens || !isIn(frame, block, bold)) kept[i] = 0
  })
}
