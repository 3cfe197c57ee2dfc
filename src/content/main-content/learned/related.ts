import { isAfterword } from '../trim.ts'
import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'
import { lineOf } from './lines.ts'

/** Most letters of a line that opens a part about other pages. */
const longest = 60
/** Fewest letters of the text before such a part, and the most of it that may be links. */
const fewest = 800
const linked = 0.3
/** The most of a page that such a part may be, and the least of the part that is links. */
const mostOfPage = 0.4
const leastLinked = 0.5
/** Encyclopaedias and manuals point to what belongs to the subject. */
const seeAlso = /^(?:see|siehe|voir|véase|ver|zie|vedi|zobacz)\b/i

interface Sums {
  letters: number
  links: number
}

/**
 * Drops the last part of a text when its heading says that it is about other pages and links are most of it: related
 * articles, more from the site. Lists that say "see also" stay.
 */
export function leaveRelated(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading } = frame
  const all = sumsOf(frame, kept)
  const part = { letters: 0, links: 0, titles: 0 }
  let from = -1
  let rest: Sums = all
  for (let i = kept.lastIndexOf(1); i > 0 && part.letters <= all.letters * mostOfPage; i--) {
    const block = blocks.all[i]
    if (block === undefined) return
    const { letters } = block.measure
    const isLink = block.linkLetters * 2 >= letters
    // The line itself may be left out already, as a label.
    if (part.letters > 0 && letters <= longest && !isLink && isOfOthers(part) && opens(block)) {
      from = i
      rest = { letters: all.letters - part.letters, links: all.links - part.links }
    }
    if (kept[i] !== 1) continue
    part.letters += letters
    part.links += block.linkLetters
    if (heading[i] === 0) continue
    // A section of the page's own is no part about other pages, nor is anything before it.
    if (!isLink) break
    part.titles++
  }
  if (from > 0 && rest.letters >= fewest && rest.links <= rest.letters * linked) kept.fill(0, from)
}

/** Whether links are most of a part, or it holds several titles; all titles counted are links. */
const isOfOthers = ({ letters, links, titles }: Sums & { readonly titles: number }): boolean => links >= letters * leastLinked || titles > 1

function sumsOf({ blocks }: Frame, kept: Uint8Array): Sums {
  const sums: Sums = { letters: 0, links: 0 }
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] !== 1) continue
    sums.letters += blocks.all[i]?.measure.letters ?? 0
    sums.links += blocks.all[i]?.linkLetters ?? 0
  }
  return sums
}

/** Whether a block is a line that opens a part about other pages. */
function opens(block: Block): boolean {
  const line = lineOf(block)
  return isAfterword(line) && !seeAlso.test(line)
}
