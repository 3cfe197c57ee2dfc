import { attribute, type ChildNode, type Element, isElement, isText, walk } from '../tree.ts'
import type { Page } from './step.ts'

/** Letters and digits of a page's ordinary text under which a larger `noscript` is taken for the content. */
const littleText = 600
/** The same, under which the page says nothing without its `noscript`. */
const nearlyNothing = 100

/**
 * Marks `noscript` elements but for those that hold the content (crawler views of forums) or the picture of a lazily loaded image.
 */
export function markNoscripts(page: Page): number {
  const found: Element[] = []
  let outside = 0
  walk(page.document, (node) => {
    if (page.removed.has(node)) return false
    if (isText(node)) outside += node.data.trim().length
    if (!isElement(node) || node.name !== 'noscript') return
    found.push(node)
    return false
  })
  let count = 0
  for (const element of found) {
    if (isContent(page, element, outside) || isLazyImage(element)) continue
    page.removed.add(element)
    count++
  }
  return count
}

function isContent(page: Page, element: Element, outside: number): boolean {
  let length = 0
  let blocks = 0
  walk(element, (node: ChildNode) => {
    if (page.removed.has(node)) return false
    if (isText(node)) length += node.data.trim().length
    else if (isElement(node) && (node.name === 'p' || node.name === 'a' || node.name === 'li' || node.name === 'div')) blocks++
  })
  // Where there is nothing else, a heading and a paragraph are more than a wish for scripts.
  const enough = outside < nearlyNothing ? 1 : 3
  return length > 200 && blocks >= enough && (outside < littleText || length > outside * 0.5)
}

/** An image that stands in for a lazily loaded one, when that one has no address of its own that `images.ts` finds. */
function isLazyImage(element: Element): boolean {
  const inner = element.children.filter(isElement)
  if (inner.length !== 1 || inner[0]?.name !== 'img') return false
  const before = previousElement(element)
  if (before?.name !== 'img') return true
  const src = attribute(before, 'src')
  return src === undefined || src.startsWith('data:')
}

function previousElement(element: Element): Element | undefined {
  let at = element.prev
  while (at && !isElement(at)) at = at.prev
  return at ?? undefined
}
