import { attribute, type Document, named } from '../../html/tree.ts'
import { jsonLdText } from '../../structured/ld-scripts.ts'

/** Types of products, and of lists of them, as JSON-LD names them. */
const product = /"@type"\s*:\s*\[?\s*"(?:Individual)?Product(?:Group)?"/
const list = /"@type"\s*:\s*\[?\s*"(?:ItemList|CollectionPage|SearchResultsPage|OfferCatalog)"/
/** The same in `og:type`. */
const productType = /^(?:og:)?product(?:\.(?!group)\w+)?$/i
/** Characters of each script that are searched. */
const mostData = 100_000

/** Whether the data of a page says that it is about a product; it may list others besides. */
export function isProductPage(document: Document): boolean {
  for (const meta of named(document, 'meta')) if (attribute(meta, 'property') === 'og:type' && productType.test(attribute(meta, 'content') ?? '')) return true
  for (const script of named(document, 'script')) if (product.test(jsonLdText(script, mostData))) return true
  return false
}

/** Whether the data of a page names a list: what it says about products may be said of any of several. */
export const listsProducts = (document: Document): boolean => named(document, 'script').some((script) => list.test(jsonLdText(script, mostData)))
