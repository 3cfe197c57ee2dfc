import type { ChildNode, Document } from 'domhandler'
import { headTags } from './tag-sets.ts'
import { isElement, isText, noAttributes, PageElement, settle } from './tree.ts'

/** Whether a node comes before the content of a page that omits its tags. */
const isOfHead = (node: ChildNode): boolean => (isElement(node) ? headTags.has(node.name) || node.name === 'head' : isText(node) && node.data.trim() === '')

/**
 * Adds the `body` element that browsers imply (HTML standard, 13.2.6.4.6) to a page with text outside of all elements.
 * Returns the number of levels added. Other pages without a body do not need one, and neither do fragments.
 */
export function settleBody(document: Document): number {
  const { children } = document
  const isLoose = children.some((node) => isText(node) && node.data.trim() !== '')
  if (!isLoose || children.some((node) => isElement(node) && (node.name === 'html' || node.name === 'body'))) return 0
  const at = children.findIndex((node) => !isOfHead(node))
  const inside = children.slice(at)
  const body = new PageElement('body', noAttributes)
  body.children = inside
  for (const node of inside) node.parent = body
  const [first, before] = [inside[0], children[at - 1]]
  if (first) first.prev = null
  body.parent = document
  body.prev = before ?? null
  if (before) before.next = body
  document.children = [...children.slice(0, at), body]
  settle(document)
  return 1
}
