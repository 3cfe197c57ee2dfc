import { type Element, walkElements } from '../html/tree.ts'
import type { Page } from './step.ts'

/**
 * Marks every element for which `leave` returns true, without visiting its children; returns the number of newly marked
 * elements.
 */
export function markWhere(page: Page, leave: (element: Element) => boolean): number {
  const keep = new Set(page.wanted)
  let count = 0
  walkElements(page.document, (element) => {
    if (page.removed.has(element)) return false
    if (keep.has(element) || !leave(element)) return
    page.removed.add(element)
    count++
    return false
  })
  return count
}
