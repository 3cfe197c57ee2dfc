import { isNonContent } from '../non-content.ts'
import { type ChildNode, type Element, isElement, isText, type ParentNode, walk } from '../tree.ts'
import { isHidden } from './hidden.ts'
import { markWhere } from './mark.ts'
import type { Page } from './step.ts'

/** Letters under which a page says next to nothing, and over which what it hides is all that it has to say. */
const nearlyNothing = 100
const aPage = 500

/** Marks what is hidden; but where nothing else is left, a page has only drawn a veil over itself until its scripts have run. */
export function markHidden(page: Page): number {
  const before = new Set(page.removed)
  const count = markWhere(page, isHidden)
  if (count === 0 || lettersIn(page.document, page.removed, nearlyNothing) >= nearlyNothing) return count
  const veils = new Set<ChildNode>()
  for (const node of page.removed) if (!before.has(node) && isElement(node) && lettersIn(node, before, aPage) >= aPage) veils.add(node)
  if (veils.size === 0) return count
  for (const node of veils) page.removed.delete(node)
  return count - veils.size + markWhere(page, (element: Element) => isHidden(element) && !veils.has(element))
}

/** Letters below a node without what is removed, counted up to a limit. */
function lettersIn(root: ParentNode, removed: ReadonlySet<ChildNode>, limit: number): number {
  let letters = 0
  walk(root, (node) => {
    if (letters >= limit || removed.has(node) || (isElement(node) && isNonContent(node))) return false
    if (isText(node)) letters += node.data.replace(/\s+/g, '').length
  })
  return letters
}
