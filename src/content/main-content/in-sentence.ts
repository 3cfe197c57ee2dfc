import { around } from '../html/find.ts'
import { attribute, type Element, isElement, isText, namesOf, type ParentNode, textOf } from '../html/tree.ts'

/** How a text goes on behind a word of a sentence; how it does before one, where a text also stands behind it. */
const behind = /^\s*(?:[\p{Ll}\p{Lo}]|[.,;!?)”]|[:–—-]\s*\p{L})/u
const before = /\p{L}[\s,;:“"]*$/u
const letter = /\p{L}/u
/** Characters that are looked at. */
const near = 60

/** Whether an element stands within a sentence, or in brackets: without it, the sentence has a gap. */
export function isInSentence({ prev, next }: Element): boolean {
  const said = prev === null || !isText(prev) ? '' : prev.data.slice(-near)
  const further = next === null || !isText(next) ? '' : next.data.slice(0, near)
  return /[([]\s*$/.test(said) || behind.test(further) || (before.test(said) && letter.test(further))
}

/** Boxes that may end with a unit, how one begins, and the names of what only screen readers are told. */
const boxes = 2
const unit = /^\s*[\p{L}%°]/u
const spoken = /sr-only|screen-?reader|visually/i

/**
 * Whether an element may be the unit of the number right before it that only screen readers are told, as in
 * `12<span class="sr-only"> kilometres</span>`: not where one stands behind it for those who see, hidden from them. Of a
 * link, such words tell where it leads.
 */
export function isUnit(element: Element): boolean {
  const { prev } = element
  if (prev === null || !isText(prev) || !/\d\s*$/.test(prev.data.slice(-9)) || !spoken.test(namesOf(element)) || !unit.test(textOf(element, near)) || around(element, 'a', boxes) !== undefined) return false
  let at: ParentNode | null = element
  for (let up = 0; up < boxes && at !== null && isElement(at); up++, at = at.parent) {
    let behind = at.next
    while (behind !== null && isText(behind) && behind.data.trim() === '') behind = behind.next
    if (behind !== null) return !isElement(behind) || attribute(behind, 'aria-hidden') !== 'true'
  }
  return true
}
