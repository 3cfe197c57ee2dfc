import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'
import { isIn, lineOf } from './lines.ts'

/** Letters of a line that says one thing, and those from which on a block is the text that facts are ahead of. */
const longest = 80
const aText = 120
/** Blocks behind the heading among which its facts stand. */
const near = 14
const controls: ReadonlySet<string> = new Set(['button', 'form', 'label', 'select', 'a', 'nav'])
/** Lines that name what is beside them, lead to it or have no meaning alone. */
const idle: ReadonlySet<string> = new Set(
  `contents|table of contents|on this page|in this article|print|sort|sort by|sorted by|filter|filters|loading|or|by|and|written by|posted by|quantity|qty|tag|tags|topic
  topics|filed under|featured|trending on|trending|search|listen|listen to this article|advertisement|sponsored|sponsored by|menu|overview|specs|reviews|share|share this
  share article|share this article|share this page|share on|map key|expand description|ok|close|show more|show me how|read more`.split(/[|\n]\s*/),
)

/**
 * Keeps the short lines between the heading of a page and its text: stock and size, place and pay, day and hour. The pages that teach the trees often
 * have none of them in their truth; a reader asks for them first. What says that it is an article has its author there, and is left alone.
 */
export function keepFacts(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, rules, seen, signs } = frame
  const first = heading.indexOf(1)
  if (kept[first] !== 1 || rules.forum || signs.isArticle) return
  for (let i = textAfter(frame, kept, first) - 1; i > first; i--) {
    const block = blocks.all[i]
    if (kept[i] === 1 || heading[i] !== 0 || seen[i] === 1 || block === undefined || !isFact(block)) continue
    // A name whose value is left out says nothing.
    if ((kept[i + 1] === 1 || !/[:：]$/.test(lineOf(block))) && !isIn(frame, block, controls)) kept[i] = 1
  }
}

/** The first block behind a heading that is kept and is text, or a heading itself; the place of the heading where there is none near. */
export function textAfter({ blocks, heading }: Frame, kept: Uint8Array, first: number): number {
  const last = Math.min(blocks.all.length, first + near)
  for (let i = first + 1; i < last; i++) if (kept[i] === 1 && (heading[i] !== 0 || (blocks.all[i]?.measure.letters ?? 0) >= aText)) return i
  return first
}

function isFact(block: Block): boolean {
  if (block.measure.letters > longest || block.linkLetters > 0) return false
  const line = lineOf(block)
  const words = line.toLowerCase().match(/\p{L}+/gu)
  return words === null ? /\d[^\d\s]+\d|\d\s+\D+\s*\d/.test(line.slice(0, longest)) : !idle.has(words.join(' '))
}
