import type { Outline } from '../outline.ts'

/** Elements that are more than the part of a page that shows a product. */
const wholes: ReadonlySet<string> = new Set(['html', 'body', 'main'])

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
