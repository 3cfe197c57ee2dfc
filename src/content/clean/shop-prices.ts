import { around } from '../html/find.ts'
import { attribute, type Element, named, walkElements } from '../html/tree.ts'
import type { Page } from './step.ts'

/** Elements between a former price and the box of the price that it belongs to. */
const boxes = 5

/**
 * Marks what a price of Shopify's themes does not show. Its box has the price twice, with and without a reduction, and the
 * badges "Sale" and "Sold out"; its classes say which of them are true, and only the style sheet hides the others.
 */
export function markShopPrices(page: Page): number {
  let count = 0
  for (const former of named(page.document, 's')) {
    if (!classesOf(former).has('price-item')) continue
    const box = around(former, (up) => classesOf(up).has('price'), boxes)
    if (box === undefined || page.removed.has(box)) continue
    const isFalse = falsePart(classesOf(box))
    walkElements(box, (element) => {
      if (page.removed.has(element)) return false
      if (!isFalse(classesOf(element)) || page.wanted?.includes(element) === true) return
      page.removed.add(element)
      count++
      return false
    })
  }
  return count
}

const classesOf = (element: Element): ReadonlySet<string> => new Set((attribute(element, 'class') ?? '').slice(0, 300).split(/\s+/))

/** Tells the classes of parts that do not hold for a price with these classes. */
function falsePart(price: ReadonlySet<string>): (part: ReadonlySet<string>) => boolean {
  const isReduced = price.has('price--on-sale')
  const isSoldOut = price.has('price--sold-out')
  const untrue = [isReduced ? 'price__regular' : 'price__sale', ...(isReduced && !isSoldOut ? [] : ['price__badge-sale']), ...(isSoldOut ? [] : ['price__badge-sold-out'])]
  return (part) => untrue.some((name) => part.has(name))
}
