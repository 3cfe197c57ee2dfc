import type { Element } from '../tree.ts'
import type { Outline } from './outline.ts'

/** Share of the content that a child must hold for the search to go on inside it. */
const dominance = 0.8

/** Letters that look like content: outside links, those in paragraphs twice. */
export function weight(o: Outline, i: number): number {
  return (o.text[i] ?? 0) - (o.linkText[i] ?? 0) + (o.proseText[i] ?? 0)
}

/** The innermost element that holds nearly all content of the page; -1 when the page has none. */
export function contentRoot(o: Outline): number {
  let at = bestChild(o, -1)
  while (at >= 0) {
    const child = bestChild(o, at)
    if (child < 0 || !isContainer(o.elements[child]) || weight(o, child) < dominance * weight(o, at)) return at
    at = child
  }
  return at
}

const closed: ReadonlySet<string> = new Set(['p', 'table', 'tbody', 'tr', 'ul', 'ol', 'dl', 'pre', 'blockquote', 'a', 'span', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'dd'])

function isContainer(element: Element | undefined): boolean {
  return element !== undefined && !closed.has(element.name)
}

function bestChild(o: Outline, parent: number): number {
  let best = -1
  const end = parent < 0 ? o.elements.length : (o.end[parent] ?? 0)
  for (let child = parent + 1; child < end; child = o.end[child] ?? end) {
    if (best < 0 || weight(o, child) > weight(o, best)) best = child
  }
  return best
}
