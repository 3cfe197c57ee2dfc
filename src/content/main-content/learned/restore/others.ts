import type { Frame } from '../frame.ts'
import { lineOf } from './lines.ts'
import { otherThings } from '../../trim/other-things.ts'

const longest = 80
/** The largest share of the kept letters that such a part has, and fewest letters of a text: a part with one is no list of things. */
const share = 0.4
const aText = 200

/** Drops the parts below headings that name other things to buy or to look at. */
export function leaveOthers(frame: Frame, kept: Uint8Array): void {
  const { blocks, heading, rules } = frame
  if (rules.forum) return
  let all = -1
  for (let i = 0; i < kept.length; i++) {
    const block = blocks.all[i]
    if (block === undefined || (heading[i] ?? 0) < 2 || block.measure.letters > longest || !otherThings.test(lineOf(block))) continue
    const end = endOf(frame, i)
    if (all < 0) all = lettersOf(frame, kept, 0, kept.length)
    if (lettersOf(frame, kept, i, end) > all * share || hasText(frame, i + 1, end)) continue
    kept.fill(0, i, end)
    i = end - 1
  }
}

/** Behind the part that a heading opens: the outermost element that begins with it, up to the next heading of its rank, or what stands beside it up to there. */
function endOf({ outline: o, blocks, heading }: Frame, i: number): number {
  let box = blocks.all[i]?.at ?? -1
  for (let at = box; at >= 0 && blocks.first[at] === i; at = o.parent[at] ?? -1) box = at
  const up = o.parent[box] ?? -1
  const last = (blocks.end[box] ?? 0) > i + 1 ? (blocks.end[box] ?? 0) : up >= 0 ? (blocks.end[up] ?? 0) : blocks.all.length
  let end = i + 1
  while (end < last && (heading[end] === 0 || (heading[end] ?? 0) > (heading[i] ?? 0))) end++
  return end
}

function lettersOf({ blocks }: Frame, kept: Uint8Array, from: number, to: number): number {
  let letters = 0
  for (let i = from; i < to; i++) if (kept[i] === 1) letters += blocks.all[i]?.measure.letters ?? 0
  return letters
}

function hasText({ blocks }: Frame, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const { measure, linkLetters = 0 } = blocks.all[i] ?? {}
    if (measure !== undefined && measure.letters - linkLetters >= aText) return true
  }
  return false
}
