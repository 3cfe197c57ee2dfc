import { longestNote, mostNotes, noteAround, placeAt, placeOfNote } from '../../../root/note-links.ts'
import { type Frame, withName } from '../../frame.ts'
import { isIn } from '../lines.ts'

/** Notes with more letters than this share of the text are a bibliography, a part of its own that the trees judge. */
const mostOfText = 0.5
/** The chance from which on a line with notes is kept behind the text. */
const ofText = 0.2

/** Keeps the footnotes that kept text refers to: the trees see only that they are far below it, and short. */
export function keepFootnotes(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const places = placesOf(frame, kept, chances)
  if (places.size === 0) return
  const notes = notesOf(frame, places)
  let [text, noted] = [0, 0]
  frame.blocks.all.forEach(({ measure }, i) => {
    if (notes.has(i)) noted += measure.letters
    else if (kept[i] === 1) text += measure.letters
  })
  if (noted <= text * mostOfText) for (const block of notes) kept[block] = 1
}

/** The blocks of the notes at places of the page. */
function notesOf(frame: Frame, places: ReadonlyMap<string, number>): ReadonlySet<number> {
  const notes = new Set<number>()
  const { outline: o, blocks } = frame
  o.elements.forEach((element, i) => {
    const place = placeAt(element)
    const from = place === undefined ? undefined : places.get(place)
    const note = from === undefined || from >= i ? -1 : noteAround(o, i)
    if (note <= (from ?? 0) || (o.text[note] ?? 0) > longestNote || isOfSite(frame, note)) return
    for (let block = blocks.first[note] ?? 0; block < (blocks.end[note] ?? 0); block++) notes.add(block)
  })
  return notes
}

/** Whether a note stands in furniture, such as the small print of a site. The footer of an article is none. */
function isOfSite({ outline: o, rules }: Frame, note: number): boolean {
  let footer = false
  for (let at = note; at >= 0; at = o.parent[at] ?? -1) {
    const name = o.elements[at]?.name
    if (name === 'article' || name === 'main') return false
    if (name === 'footer') footer = true
    else if (rules.verdict[at] === 1) return true
  }
  return footer
}

/** The places on the page that links to footnotes in kept text lead to, each with the first of them. */
function placesOf(frame: Frame, kept: Uint8Array, chances: Float32Array): ReadonlyMap<string, number> {
  const { outline: o, blocks } = frame
  const places = new Map<string, number>()
  for (const i of withName(frame, 'a')) {
    const place = places.size < mostNotes ? placeOfNote(o, i) : undefined
    const first = blocks.first[i] ?? 0
    const block = (blocks.end[i] ?? 0) > first ? first : first - 1
    // A line with notes right behind the text is probably a part of it.
    const line = place === undefined || kept[block - 1] !== 1 || (chances[block] ?? 0) < ofText ? undefined : blocks.all[block]
    if (line !== undefined && !isIn(frame, line)) kept[block] = 1
    if (place !== undefined && kept[block] === 1 && !places.has(place)) places.set(place, i)
  }
  return places
}
