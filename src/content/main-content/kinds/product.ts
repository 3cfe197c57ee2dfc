import { attribute, type Document, type Element, named } from '../../html/tree.ts'
import { jsonLdText } from '../../structured/ld-scripts.ts'

/** Types of products, and of lists of them, as JSON-LD names them. */
const product = /"@type"\s*:\s*\[?\s*"(?:Individual)?Product(?:Group)?"/
const list = /"@type"\s*:\s*\[?\s*"(?:ItemList|CollectionPage|SearchResultsPage|OfferCatalog)"/
/** Characters of each script that are searched. */
const mostData = 100_000

/** Whether the data of a page says that it is about a product; it may list others besides. */
export function isProductPage(document: Document): boolean {
  return named(document, 'meta').some(saysProduct) || named(document, 'script').some(holdsProduct)
}

/** Whether the data of a page names a list: what it says about products may be said of any of several. */
export const listsProducts = (document: Document): boolean => named(document, 'script').some(holdsList)

const saysProduct = (meta: Element): boolean => attribute(meta, 'property') === 'og:type' && /^(?:og:)?product(?:\.(?!group)\w+)?$/i.test(attribute(meta, 'content') ?? '')

const holdsProduct = (script: Element): boolean => product.test(jsonLdText(script, mostData))

const holdsList = (script: Element): boolean => list.test(jsonLdText(script, mostData))
