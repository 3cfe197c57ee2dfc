import { imageSource, isPlaceholder } from '../html/images.ts'
import { type ChildNode, type Element, isElement, isText, named, walk } from '../html/tree.ts'
import type { Page } from './step.ts'

/** With fewer letters and digits outside, a larger `noscript` may be the content. */
const littleText = 600
/** With fewer letters and digits outside, the page says nothing without its `noscript`. */
const nearlyNothing = 100

/**
 * Marks `noscript` elements, except those with the content (crawler views of forums) or the image of a lazily loaded
 * picture.
 */
export function markNoscripts(page: Page): number {
  if (named(page.document, 'noscript').length === 0) return 0
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
    if (isContent(page, element, outside)) continue
    const beside = [imageBeside(element, 'prev'), imageBeside(element, 'next')].filter((image) => image !== undefined)
    if (isImage(element) && !beside.some(hasAddress)) {
      // It replaces the placeholder that is shown until a script loads the image.
      for (const image of beside) page.removed.add(image)
      continue
    }
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
  // On an empty page, a heading and a paragraph are more than a request to enable scripts.
  const enough = outside < nearlyNothing ? 1 : 3
  return length > 200 && blocks >= enough && (outside < littleText || length > outside * 0.5)
}

/** Whether an element holds only an image. */
function isImage(element: Element): boolean {
  const inner = element.children.filter(isElement)
  return inner.length === 1 && inner[0]?.name === 'img'
}

function hasAddress(image: Element): boolean {
  const source = imageSource(image)
  return source !== undefined && source !== '' && !isPlaceholder(source)
}

/** The image, or the one of the `picture`, directly before or after an element. */
function imageBeside(element: Element, side: 'prev' | 'next'): Element | undefined {
  let at = element[side]
  while (at && !isElement(at)) at = at[side]
  if (!at || !isElement(at)) return undefined
  return at.name === 'picture' ? at.children.filter(isElement).find(({ name }) => name === 'img') : at.name === 'img' ? at : undefined
}
