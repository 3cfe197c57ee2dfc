import { type Element, walkElements } from '../../html/tree.ts'
import type { Setting } from '../setting.ts'

/** Whether an element holds one with this name. */
export function holds(element: Element, name: string): boolean {
  let found = false
  walkElements(element, (inner) => {
    found ||= inner.name === name
    return found ? false : undefined
  })
  return found
}

/** Whether an element stands in one with one of these names. */
export function isInside({ outline: o }: Setting, i: number, tags: readonly string[]): boolean {
  for (let at = o.parent[i] ?? -1; at >= 0; at = o.parent[at] ?? -1) {
    if (tags.includes(o.elements[at]?.name ?? '')) return true
  }
  return false
}
