import { oneLine } from '../../tree.ts'
import { isNamedNote } from '../furniture.ts'
import type { Frame } from './frame.ts'

/** Elements that are kept whole or not at all, and from which share of kept letters on. */
const wholes: ReadonlyMap<string, number> = new Map([['pre', 0.3], ['p', 0.4], ['ul', 0.6], ['ol', 0.6], ['dl', 0.6], ['table', 0.6], ['blockquote', 0.6], ['li', 0.6], ['tr', 0.5], ['figure', 0.5], ['h1', 0.3], ['h2', 0.3], ['h3', 0.3]])
/** The chance that a heading needs to come along with what it introduces. */
const headingChance = 0.12

/** Which blocks are kept: those above the threshold, with the headings that introduce them, and what makes no sense in parts. */
export function restore(frame: Frame, chances: Float32Array, threshold: number): Uint8Array {
  const kept = new Uint8Array(chances.length)
  for (let i = 0; i < kept.length; i++) kept[i] = Number((chances[i] ?? 0) >= threshold)
  keepWholes(frame, kept)
  keepNotes(frame, kept)
  keepTerms(frame, kept)
  keepHeadings(frame, kept, chances)
  leaveLastHeading(frame, kept)
  return kept
}

function keepWholes({ outline: o, blocks }: Frame, kept: Uint8Array): void {
  for (let i = o.elements.length - 1; i >= 0; i--) {
    const least = wholes.get(o.elements[i]?.name ?? '')
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (least === undefined || end - first < 2) continue
    let letters = 0
    let all = 0
    for (let at = first; at < end; at++) {
      const size = blocks.all[at]?.measure.letters ?? 0
      all += size
      if (kept[at] === 1) letters += size
    }
    if (letters >= all * least) kept.fill(1, first, end)
  }
}

/** Notes that stand aside in technical writing belong to the text before them, even where they share an element with what does not. */
function keepNotes({ outline: o, blocks }: Frame, kept: Uint8Array): void {
  o.elements.forEach((element, i) => {
    if (element.name !== 'aside' || !isNamedNote(element)) return
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (first > 0 && kept[first - 1] === 1 && end - first <= 12 && (o.linkText[i] ?? 0) <= (o.text[i] ?? 0) * 0.4) kept.fill(1, first, end)
  })
}

/** A heading at the end, of which nothing that it introduces is kept; one that is a link is an item of its own. */
function leaveLastHeading({ heading, blocks }: Frame, kept: Uint8Array): void {
  const last = kept.lastIndexOf(1)
  const block = blocks.all[last]
  if (block && (heading[last] ?? 0) > 1 && last < blocks.all.length - 1 && block.linkLetters < block.measure.letters / 2) kept[last] = 0
}

function keepHeadings(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { heading, blocks } = frame
  for (let i = blocks.all.length - 2; i >= 0; i--) {
    if (kept[i] === 1 || heading[i] === 0 || kept[i + 1] !== 1 || (chances[i] ?? 0) < headingChance) continue
    kept[i] = 1
  }
  const first = heading.indexOf(1)
  const title = first >= 0 ? first : titleOf(frame)
  if (title >= 0) kept[title] = 1
}

/** Letters of a title that is taken for one because the page bears it. */
const aTitle = 8

/** The first heading that the title of the page repeats; -1 for none. */
function titleOf({ heading, blocks, signs }: Frame): number {
  return blocks.all.findIndex(({ texts, measure }, i) => heading[i] !== 0 && measure.letters >= aTitle && signs.titleLine.includes(oneLine(texts.map((text) => text.data).join('')).toLowerCase()))
}

/** A term comes along with what is said of it. */
function keepTerms({ outline: o, blocks }: Frame, kept: Uint8Array): void {
  o.elements.forEach((element, i) => {
    const end = blocks.end[i] ?? 0
    const next = o.elements[o.end[i] ?? 0]
    if (element.name === 'dt' && kept[end] === 1 && next?.name === 'dd' && next.parent === element.parent) kept.fill(1, blocks.first[i] ?? end, end)
  })
}
