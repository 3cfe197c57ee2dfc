import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'

/** The element directly after another, with nothing but white space between them. */
function elementAfter(element: Element, skip: ReadonlySet<AnyNode>): Element | undefined {
  let { next } = element
  while (next !== null && ((isText(next) && next.data.trim() === '') || next.type === 'comment')) next = next.next
  return next !== null && isElement(next) && !skip.has(next) ? next : undefined
}

const items = ({ children }: Element): readonly AnyNode[] => children.filter((child) => isElement(child) && child.name === 'li')

/**
 * The list that goes on where another ends: one that counts on from `following`, or one of the same class where each item
 * has a list of its own. That is how word processors and notebooks write a list (Google Docs, Notion).
 */
export function listAfter(list: Element, following: number | null, skip: ReadonlySet<AnyNode>): Element | undefined {
  const next = elementAfter(list, skip)
  if (next === undefined || next.name !== list.name || 'role' in next.attribs || 'aria-hidden' in next.attribs) return undefined
  if (following !== null) return following > 1 && next.attribs['start'] === String(following) && next.attribs['type'] === list.attribs['type'] && !('reversed' in next.attribs) ? next : undefined
  const { class: name = '' } = list.attribs
  return list.name === 'ul' && name !== '' && next.attribs['class'] === name && items(list).length === 1 && items(next).length === 1 ? next : undefined
}
