import { attribute, type ChildNode, type Element, isElement, type ParentNode } from './html/tree.ts'

const named = (node: ParentNode | null, name: string): boolean => node !== null && isElement(node) && (attribute(node, 'class') ?? '').slice(0, 200).split(/\s+/).includes(name)

const holdsTitle = (node: ChildNode): boolean => isElement(node) && named(node, 'titleline')

/**
 * Whether an element that is no heading is the title of its page: the `div.title` of Doxygen's pages, the linked line above a
 * discussion of Hacker News. In lists of discussions, these lines are items.
 */
export function isTitleElement(element: Element): boolean {
  if ((element.name !== 'div' && element.name !== 'td') || !named(element, 'title')) return false
  if (element.name === 'div') return named(element.parent, 'headertitle')
  if (!element.children.some(holdsTitle)) return false
  const table = element.parent?.parent ?? null
  return named(table, 'fatitem') || (table !== null && 'parent' in table && named(table.parent, 'fatitem'))
}
