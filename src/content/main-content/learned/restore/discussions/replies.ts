import { type Frame, ofKind } from '../../frame.ts'
import { isAuthor, isTime, lineAround, longestLine } from './bylines.ts'
import { isIn } from '../lines.ts'
import { classOf } from '../../../../html/tree.ts'

/** What the texts of posts are called. */
const texts = /(?:^|[\s_-])(?:comment|message|post|reply|answer|note|email)[_-](?:body|content|text|message)(?:\s|$)/i
/** Fewest texts, and boxes around one in which who wrote it stands before it, and elements that are looked at there. */
const fewest = 2
const mostBoxes = 6
const mostElements = 100
/** Most letters of a name or a time. */
const longestName = 60

/**
 * Keeps all texts of a discussion, with who wrote them and when, if they are alike and each says both: the trees omit short
 * answers to a long text.
 */
export function keepReplies(frame: Frame, kept: Uint8Array): void {
  const { blocks, rules } = frame
  if (!rules.forum) return
  for (const places of kindsOfTexts(frame)) {
    const bylines = places.map((i, n) => bylineOf(frame, i, frame.outline.end[places[n - 1] ?? -1] ?? 0))
    if (places.length < fewest || bylines.some((lines) => lines.includes(-1))) continue
    // What the trees left out of a text that they kept may be its signature.
    for (const i of places) if (!kept.subarray(blocks.first[i], blocks.end[i]).includes(1)) kept.fill(1, blocks.first[i], blocks.end[i])
    for (const line of bylines.flat()) kept[line] = 1
  }
}

/** The elements that are called texts, by kind, in document order; none is in another of its kind, or in furniture. */
function kindsOfTexts(frame: Frame): readonly (readonly number[])[] {
  const { outline: o, blocks, kind } = frame
  const kinds = new Map<number, number[]>()
  for (const i of ofKind(frame, (element) => texts.test(classOf(element)))) {
    const block = blocks.all[blocks.first[i] ?? 0]
    const places = kinds.get(kind[i] ?? 0) ?? []
    if (blocks.first[i] === blocks.end[i] || block === undefined || isIn(frame, block) || (o.end[places.at(-1) ?? -1] ?? 0) > i) continue
    kinds.set(kind[i] ?? 0, places)
    places.push(i)
  }
  return [...kinds.values()]
}

/** The lines before a text that name who wrote it and when, as indices into the blocks; -1 for one that there is not. */
function bylineOf(frame: Frame, i: number, behind: number): readonly number[] {
  const { outline: o, blocks } = frame
  let box = i
  for (let up = 0; up < mostBoxes && (o.parent[box] ?? -1) >= 0; up++) box = o.parent[box] ?? -1
  const from = Math.max(behind, box + 1, i - mostElements)
  return [isAuthor, isTime].map((is) => {
    for (let at = i - 1; at >= from; at--) {
      const element = o.elements[at]
      const letters = o.text[at] ?? 0
      if (element === undefined || letters === 0 || letters > longestName || !is(element)) continue
      const line = lineAround(frame, at)
      return (blocks.all[line]?.measure.letters ?? longestLine) < longestLine ? line : -1
    }
    return -1
  })
}
