import { attribute, type Element } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

/** Boxes around what is said of a person, of which one may be one of several alike. */
const boxesOfMember = 3

/** Whether an element says who one of several people is: who wrote the page is named once. */
export function isOfMember(o: Outline, i: number): boolean {
  for (let at = i, boxes = 0; boxes < boxesOfMember && at >= 0; boxes++, at = o.parent[at] ?? -1) {
    const element = o.elements[at]
    const next = o.elements[o.end[at] ?? -1]
    const isLast = at > 0 && (o.end[at] ?? 0) === o.end[o.parent[at] ?? -1]
    if (element === undefined) return false
    if (isAlike(element, next) || (isLast && isAlike(element, o.elements[(o.parent[at] ?? 0) + 1]))) return true
  }
  return false
}

/** Whether another element stands beside one and is named like it. */
function isAlike(element: Element, other: Element | undefined): boolean {
  const names = namesIn(element)
  return names !== '' && other !== undefined && other !== element && other.parent === element.parent && other.name === element.name && namesIn(other) === names
}

const namesIn = (element: Element | undefined): string => (element === undefined ? '' : (attribute(element, 'class') ?? '').slice(0, 300).trim())
