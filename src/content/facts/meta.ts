import { attribute, type Document, isElement, oneLine, walk } from '../html/tree.ts'
import { cleanText, type Entity, type FactValue } from './entity.ts'

/** Properties by the names that `meta` elements use. */
const known: ReadonlyMap<string, string> = new Map([
  ['og:title', 'ogTitle'], ['twitter:title', 'ogTitle'], ['og:description', 'description'], ['description', 'description'], ['twitter:description', 'description'],
  ['og:image', 'image'], ['og:url', 'url'], ['og:site_name', 'siteName'], ['application-name', 'siteName'], ['og:locale', 'inLanguage'],
  ['product:price:amount', 'price'], ['og:price:amount', 'price'], ['product:sale_price:amount', 'salePrice'], ['product:price:currency', 'priceCurrency'],
  ['og:price:currency', 'priceCurrency'], ['product:brand', 'brand'], ['og:brand', 'brand'], ['product:availability', 'availability'], ['og:availability', 'availability'],
  ['product:condition', 'itemCondition'], ['product:retailer_item_id', 'sku'], ['product:category', 'category'], ['product:color', 'color'],
  ['article:published_time', 'datePublished'], ['article:modified_time', 'dateModified'], ['article:author', 'author'], ['author', 'author'], ['article:section', 'articleSection'],
  ['article:tag', 'keywords'], ['keywords', 'metaKeywords'], ['date', 'datePublished'], ['dc.date', 'datePublished'], ['dc.creator', 'author'], ['parsely-author', 'author'],
  ['parsely-pub-date', 'datePublished'], ['citation_title', 'name'], ['citation_author', 'author'], ['citation_publication_date', 'datePublished'], ['citation_doi', 'doi'],
  ['book:isbn', 'isbn'], ['business:contact_data:phone_number', 'telephone'], ['business:contact_data:email', 'email'],
])

const types: readonly (readonly [RegExp, string])[] = [[/^product/i, 'Product'], [/^article/i, 'Article'], [/^(website|blog)/i, 'WebSite'], [/^(business|restaurant)/i, 'LocalBusiness'], [/^video/i, 'VideoObject'], [/^book/i, 'Book'], [/^profile/i, 'Person']]

/** A label and its value, as a page shows them beside each other. */
export interface LabelValue {
  readonly label: string
  readonly value: string
}

/** What a page says about itself in `meta` elements: one entity, and the labels of its card. */
export function metaFacts(document: Document): { readonly entity: Entity; readonly labels: readonly LabelValue[] } {
  const props = new Map<string, FactValue[]>()
  const card = new Map<string, string>()
  let type = ''
  let seen = 0
  walk(document, (node) => {
    if (!isElement(node) || node.name !== 'meta' || ++seen > 1_000) return
    const name = (attribute(node, 'property') ?? attribute(node, 'name') ?? '').trim().toLowerCase()
    const content = cleanText(attribute(node, 'content') ?? '')
    if (content === '') return
    if (name === 'og:type') type = content
    if (/^twitter:(label|data)\d$/.test(name)) card.set(name, oneLine(content))
    const wire = known.get(name)
    if (wire !== undefined) props.set(wire, [...(props.get(wire) ?? []), content])
  })
  const labels = [...card].flatMap(([name, label]) => {
    const value = name.startsWith('twitter:label') ? card.get(name.replace('label', 'data')) : undefined
    return value === undefined ? [] : [{ label, value }]
  })
  return { entity: { types: types.filter(([pattern]) => pattern.test(type)).map(([, name]) => name), id: null, source: 'meta', props }, labels }
}
