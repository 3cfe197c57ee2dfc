import { holds } from '../../html/find.ts'
import { type Document, type Element, isElement, textOf } from '../../html/tree.ts'

/** Most letters of such a box and of a paragraph in it, nodes that are read, and boxes around its line. */
const longest = 500
const mostOfParagraph = 100
const mostNodes = 400
const mostUp = 5
/** Elements that are more than a box. */
const wholes: ReadonlySet<string> = new Set(['body', 'html', 'main', 'article', 'table', 'li', 'td'])

/** The outermost box around a line for those who have subscribed that holds only a short offer, neither a text nor the heading of the page. */
export function offerBox(line: Element, roots: readonly (Document | Element)[]): Element {
  let found = line
  for (let at = line.parent, up = 0; up < mostUp && at !== null && isElement(at) && !wholes.has(at.name) && !roots.includes(at) && isOffer(at); at = at.parent, up++) found = at
  return found
}

function isOffer(box: Element): boolean {
  if (textOf(box, longest + 1, mostNodes).length > longest) return false
  return !holds(box, (inner) => inner.name === 'h1' || (inner.name === 'p' && textOf(inner, mostOfParagraph + 1, mostNodes).length > mostOfParagraph))
}
