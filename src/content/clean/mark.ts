import { type Element, isElement, walk } from '../tree.ts'
import type { Page } from './step.ts'

/** Marks every element that `leave` answers true for, looking no deeper than a marked one; answers how many are new. */
export function markWhere(page: Page, leave: (element: Element) => boolean): number {
  const keep = new Set(page.wanted)
  let count = 0
  walk(page.document, (node) => {
    if (page.removed.has(node)) return false
    if (!isElement(node) || keep.has(node) || !leave(node)) return
    page.removed.add(node)
    count++
    return false
  })
  return count
}
