import { blockTags } from '../../../html/tag-sets.ts'
import { attribute, type Element, isElement, textOf } from '../../../html/tree.ts'
import { noteLabel } from '../../../note-label.ts'
import { type Frame, ofKind } from '../frame.ts'

/** Most letters of a note, and of what a link to one shows. */
const longest = 6_000
const longestLabel = 12
/** No text that is meant for reading has more notes. */
const mostNotes = 1_000
/** Elements around the place that a link leads to in which its note is looked for, and those that are no note. */
const boxes = 6
const noNotes: ReadonlySet<string> = new Set(['td', 'th', 'tr', 'table', 'ol', 'ul', 'body', 'article', 'main', 'section', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Notes with more letters than this share of the text are a bibliography, a part of its own that the trees judge. */
const mostOfText = 0.5

/** Keeps the footnotes that kept text refers to: the trees see only that they are far below it, and short. */
export function keepFootnotes(frame: Frame, kept: Uint8Array): void {
  const notes = notesOf(frame, placesOf(frame, kept))
  if (notes.size === 0) return
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
  if (places.size === 0) return notes
  const { outline: o, blocks } = frame
  o.elements.forEach((element, i) => {
    const place = attribute(element, 'id') ?? (element.name === 'a' ? attribute(element, 'name') : undefined)
    const from = place === undefined ? undefined : places.get(place)
    const note = from === undefined || from >= i ? -1 : noteAround(frame, i)
    if (note <= (from ?? 0) || (o.text[note] ?? 0) > longest || isOfSite(frame, note)) return
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
function placesOf(frame: Frame, kept: Uint8Array): ReadonlyMap<string, number> {
  const { outline: o, blocks } = frame
  const places = new Map<string, number>()
  for (const i of ofKind(frame, ({ name }) => name === 'a')) {
    const element = o.elements[i]
    const href = element !== undefined && places.size < mostNotes && (o.text[i] ?? 0) <= longestLabel ? attribute(element, 'href') : undefined
    if (element === undefined || href === undefined || !href.startsWith('#') || href.length < 2) continue
    const first = blocks.first[i] ?? 0
    const block = (blocks.end[i] ?? 0) > first ? first : first - 1
    if (kept[block] === 1 && isRaised(element) && !places.has(href.slice(1)) && noteLabel.test(textOf(element, longestLabel * 2).trim())) places.set(href.slice(1), i)
  }
  return places
}

/** Whether a link stands above the line, as one to a footnote does. */
function isRaised({ parent, children }: Element): boolean {
  return (parent !== null && isElement(parent) && parent.name === 'sup') || children.some((child) => isElement(child) && child.name === 'sup')
}

/** The block around a place, as an index into the outline; -1 if that is more than a note. */
function noteAround({ outline: o }: Frame, place: number): number {
  for (let at = place, up = 0; at >= 0 && up < boxes; at = o.parent[at] ?? -1, up++) {
    const name = o.elements[at]?.name ?? ''
    if (noNotes.has(name)) return -1
    if (blockTags.has(name)) return at
  }
  return -1
}
