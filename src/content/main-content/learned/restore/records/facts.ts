import type { Block } from '../../blocks.ts'
import type { Frame } from '../../frame.ts'
import { isIn, lineOf } from '../lines.ts'

/** Most letters of a line that is a fact, and fewest letters of a block that is running text. */
const longest = 80
const aText = 81
/** How many blocks after the heading may hold its facts: on a page of a product, what it is offered in stands between them. */
const near = 14
const nearOfProduct = 28
const controls: ReadonlySet<string> = new Set(['button', 'form', 'label', 'select', 'a', 'nav'])
const idle: ReadonlySet<string> = new Set(
  `contents|table of contents|on this page|in this article|print|sort|sort by|sorted by|filter|filters|loading|or|by|and|written by|posted by|quantity|qty|tag|tags|topic
  topics|filed under|featured|trending on|trending|search|listen|listen to this article|advertisement|sponsored|sponsored by|menu|overview|specs|reviews|share|share this
  share article|share this article|share this page|share on|map key|expand description|ok|close|show more|show me how|read more`.split(/[|\n]\s*/),
)

/**
 * Keeps the short lines between the heading of a page and its text: stock and size, place and pay, day and hour. Readers
 * look for them first, but the ground truth of the training pages often omits them. Articles are left alone: there these
 * lines name the author.
 */
export function keepFacts(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, rules, seen, signs } = frame
  const first = heading.indexOf(1)
  if (kept[first] !== 1 || rules.forum || signs.isArticle) return
  for (let i = textAfter(frame, kept, first) - 1; i > first; i--) {
    const block = blocks.all[i]
    if (kept[i] === 1 || heading[i] !== 0 || seen[i] === 1 || block === undefined || !isFact(block)) continue
    // A label whose value is not kept says nothing.
    if ((kept[i + 1] === 1 || !/[:：]$/.test(lineOf(block))) && !isIn(frame, block, controls)) kept[i] = 1
  }
}

/**
 * The index of the first kept block after a heading that is running text or a heading; `first` itself when there is none
 * nearby.
 */
export function textAfter({ blocks, heading, signs }: Frame, kept: Uint8Array, first: number): number {
  const last = Math.min(blocks.all.length, first + (signs.isProduct ? nearOfProduct : near))
  for (let i = first + 1; i < last; i++) if (kept[i] === 1 && (heading[i] !== 0 || (blocks.all[i]?.measure.letters ?? 0) >= aText)) return i
  return first
}

function isFact(block: Block): boolean {
  if (block.measure.letters > longest || block.linkLetters > 0) return false
  const line = lineOf(block)
  const words = line.toLowerCase().match(/\p{L}+/gu)
  return words === null ? /\d[^\d\s]+\d|\d\s+\D+\s*\d/.test(line.slice(0, longest)) : !isIdle(line)
}

/** Whether a line only labels what is beside it, leads to it, or means nothing alone. */
export const isIdle = (line: string): boolean => idle.has((line.toLowerCase().match(/\p{L}+/gu) ?? []).join(' '))
