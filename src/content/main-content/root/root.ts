import { attribute } from '../../html/tree.ts'
import { nameKind } from '../names.ts'
import type { Outline } from '../outline.ts'

/**
 * Share of the content that a child must hold for the search to continue inside it: on pages of paragraphs, and on other
 * pages.
 */
const proseDominance = 0.75
const otherDominance = 0.87

/** The letters outside links; those in paragraphs count twice. */
export function weight(o: Outline, i: number): number {
  return (o.text[i] ?? 0) - (o.linkText[i] ?? 0) + (o.proseText[i] ?? 0)
}

/** Share of the content that an element named as content must hold. */
const namedShare = 0.45

/**
 * The index of the innermost element that holds nearly all content of the page, or that is named as content and holds most
 * of it; -1 when the page has none.
 */
export function contentRoot(o: Outline, kinds: Uint8Array): number {
  const at = descend(o, bestChild(o, -1))
  const named = at < 0 ? -1 : namedContent(o, at, kinds)
  return named < 0 ? at : descend(o, named)
}

function dominance(o: Outline, at: number): number {
  const letters = (o.text[at] ?? 0) - (o.linkText[at] ?? 0)
  return (o.proseText[at] ?? 0) > letters * 0.5 ? proseDominance : otherDominance
}

function namedContent(o: Outline, root: number, kinds: Uint8Array): number {
  const least = namedShare * weight(o, root)
  const end = o.end[root] ?? 0
  for (let i = root + 1; i < end; i++) {
    if (weight(o, i) < least || !isNamed(o, i, kinds)) continue
    return hasEqual(o, i, { end, kinds }) ? -1 : i
  }
  return -1
}

function isNamed(o: Outline, i: number, kinds: Uint8Array): boolean {
  const element = o.elements[i]
  if (!element || closed.has(element.name)) return false
  return element.name === 'article' || element.name === 'main' || kinds[i] === nameKind.content || /articleBody/.test(attribute(element, 'itemprop') ?? '')
}

/**
 * Whether a later element is named as content, too, and holds at least half as much: the first of two posts is not the
 * whole content, nor is a cell of a layout that has others of its kind (newsletters).
 */
function hasEqual(o: Outline, i: number, { end, kinds }: { readonly end: number; readonly kinds: Uint8Array }): boolean {
  const least = o.elements[i]?.name === 'td' ? 1 : weight(o, i) / 2
  for (let at = o.end[i] ?? end; at < end; at++) if (weight(o, at) >= least && isNamed(o, at, kinds)) return true
  return false
}

function descend(o: Outline, start: number): number {
  let at = start
  while (at >= 0) {
    const child = bestChild(o, at)
    if (child < 0 || closed.has(o.elements[child]?.name ?? '') || weight(o, child) < dominance(o, at) * weight(o, at)) return at
    at = child
  }
  return at
}

/** Elements that hold text, and cannot be the root of a page's content. */
export const closed: ReadonlySet<string> = new Set(['p', 'table', 'tbody', 'tr', 'ul', 'ol', 'dl', 'pre', 'blockquote', 'a', 'span', 'figure', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'dd'])

function bestChild(o: Outline, parent: number): number {
  let best = -1
  const end = parent < 0 ? o.elements.length : (o.end[parent] ?? 0)
  for (let child = parent + 1; child < end; child = o.end[child] ?? end) {
    if (best < 0 || weight(o, child) > weight(o, best)) best = child
  }
  return best
}
