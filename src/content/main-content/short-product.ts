import { attribute, type Document, isText, walkElements } from '../html/tree.ts'
import type { Outline } from './outline.ts'

const product = /"@type"\s*:\s*\[?\s*"Product(?:Group)?"/
const mostData = 100_000
/** Elements that are more than the part of a page that shows a product. */
const wholes: ReadonlySet<string> = new Set(['html', 'body', 'main'])

/** Whether a page says in its data that it is about one product. */
export function isProductPage(document: Document): boolean {
  let found = false
  walkElements(document, (element) => {
    if (found) return false
    if (element.name === 'meta') found = attribute(element, 'property') === 'og:type' && /^(?:og:)?product(?:\.item)?$/i.test(attribute(element, 'content') ?? '')
    else if (element.name === 'script' && attribute(element, 'type') === 'application/ld+json') {
      const [text] = element.children
      found = text !== undefined && isText(text) && product.test(text.data.slice(0, mostData))
    }
    return undefined
  })
  return found
}

/**
 * The part of a short page that shows a product: the innermost element around its description and its heading, where that
 * is not all of the page; otherwise the description. Prices and properties stand between and beside them, and may be
 * shorter than any paragraph.
 */
export function aroundProduct(o: Outline, description: number): number {
  const heading = o.elements.findIndex(({ name }, i) => name === 'h1' && (o.text[i] ?? 0) > 0)
  if (heading < 0) return description
  let at = description
  while (at >= 0 && !(at <= heading && heading < (o.end[at] ?? 0))) at = o.parent[at] ?? -1
  return at < 0 || wholes.has(o.elements[at]?.name ?? '') ? description : at
}
