import { blockTags } from '../../html/tag-sets.ts'
import { attribute, type Element, isElement, textOf } from '../../html/tree.ts'
import { noteLabel } from '../../note-label.ts'
import type { Outline } from '../outline.ts'

/** Most letters of a note, and of what a link to one shows. */
export const longestNote = 6_000
const longestLabel = 12
/** No text that is meant for reading has more notes. */
export const mostNotes = 1_000
/** Elements around the place that a link leads to in which its note is looked for, and those that are no note. */
const boxes = 6
const noNotes: ReadonlySet<string> = new Set(['td', 'th', 'tr', 'table', 'ol', 'ul', 'body', 'article', 'main', 'section', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** The place on the page that an element leads to as a link to a footnote does: a short label above the line. */
export function placeOfNote(o: Outline, i: number): string | undefined {
  const element = o.elements[i]
  const href = element?.name === 'a' && (o.text[i] ?? 0) <= longestLabel ? attribute(element, 'href') : undefined
  if (element === undefined || href === undefined || !href.startsWith('#') || href.length < 2) return undefined
  return isRaised(element) && noteLabel.test(textOf(element, longestLabel * 2).trim()) ? href.slice(1) : undefined
}

/** Names of a link to a footnote whose style raises it. */
const noteLink = /(?:^|\s)(?:footnote|fn)-?(?:anchor|ref|reference)(?:\s|$)/i

/** Whether a link stands above the line, as one to a footnote does. */
function isRaised(element: Element): boolean {
  const { parent, children } = element
  return noteLink.test(attribute(element, 'class') ?? '') || attribute(element, 'role') === 'doc-noteref' || (parent !== null && isElement(parent) && parent.name === 'sup') || children.some((child) => isElement(child) && child.name === 'sup')
}

/** What a link may lead to in an element. */
export const placeAt = (element: Element): string | undefined => attribute(element, 'id') ?? (element.name === 'a' ? attribute(element, 'name') : undefined)

/** The block around a place, as an index into the outline; -1 if that is more than a note. */
export function noteAround(o: Outline, place: number): number {
  for (let at = place, up = 0; at >= 0 && up < boxes; at = o.parent[at] ?? -1, up++) {
    const name = o.elements[at]?.name ?? ''
    if (noNotes.has(name)) return -1
    if (blockTags.has(name)) return at
  }
  return -1
}

/** The footnotes behind an element that its text refers to: on a short page they are content, wherever they stand. */
export function notesBehind(o: Outline, root: number): readonly Element[] {
  const end = o.end[root] ?? 0
  const places = new Set<string>()
  for (let i = root + 1; i < end && places.size < mostNotes; i++) {
    const place = placeOfNote(o, i)
    if (place !== undefined) places.add(place)
  }
  const notes = new Set<Element>()
  for (let i = end; places.size > 0 && i < o.elements.length; i++) {
    const element = o.elements[i]
    const place = element === undefined ? undefined : placeAt(element)
    const note = place !== undefined && places.has(place) ? noteAround(o, i) : -1
    const found = note < end || (o.text[note] ?? 0) > longestNote ? undefined : o.elements[note]
    if (found !== undefined) notes.add(found)
  }
  return [...notes]
}
