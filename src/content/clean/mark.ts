import { type Element, isElement, named, type ParentNode, walkElements } from '../html/tree.ts'
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

/** The same of the elements with these names, none of which is inside another. */
export function markNamed(page: Page, names: readonly string[], leave: (element: Element) => boolean): number {
  const keep = new Set(page.wanted)
  let count = 0
  for (const element of names.flatMap((name) => named(page.document, name))) {
    if (!leave(element) || keep.has(element) || isLeftOut(element, page)) continue
    page.removed.add(element)
    count++
  }
  return count
}

/** Whether an element, or one around it, is left out. */
function isLeftOut(element: Element, { removed }: Page): boolean {
  for (let at: ParentNode | null = element; at !== null && isElement(at); at = at.parent) if (removed.has(at)) return true
  return false
}
