import { attribute, type Document, type Element, named } from '../../../html/tree.ts'
import { jsonLdText } from '../../../structured/ld-scripts.ts'
import { isProductPage, listsProducts } from '../../kinds/product.ts'
import { pageTitle } from '../../titles/title-heading.ts'

/** What a page says about itself outside of its text, as numbers. */
export interface PageSigns {
  /** The words of the title with more than two letters. */
  readonly title: ReadonlySet<string>
  /** The title in small letters. */
  readonly titleLine: string
  readonly address: string
  readonly numbers: readonly number[]
  /** Whether the page says that it is an article, and not about a thing that has facts of its own. */
  readonly isArticle: boolean
  /** Whether the page says that it is about one product. */
  readonly isProduct: boolean
  readonly metas: readonly Element[]
}

const dataTypes = [/Article|BlogPosting/, /Product|Offer/, /ItemList|CollectionPage|OfferCatalog/, /FAQPage|Question/, /DiscussionForumPosting|QAPage|Comment/, /LocalBusiness|Service|Organization|Corporation/, /Recipe|HowTo|Event|JobPosting/, /BreadcrumbList/, /WebSite|SearchAction/]
const addressHints = [
  /\/(?:blog|news|article|story|stories|post|magazine|press|opinion)s?[/.-]|\/20\d\d\/\d/i,
  /\/(?:product|item|dp|p|shop|buy|gp)s?[/.-]|\.html?$/i,
  /\/(?:categor(?:y|ies)|collections?|c|browse|catalog|department|cat|store|shop)[/.-]/i,
  /\/(?:docs?|documentation|reference|guide|manual|api|wiki|tutorial|help|learn|support)s?[/.-]|\/\/(?:docs|developer|help|support|api|wiki)\./i,
  /\/(?:services?|solutions?|about|company|pricing|features?|industries|platform)[/.-]?/i,
  /\/(?:tag|topic|search|list|directory|archive|best|top|jobs?|events?|people|results)s?[/.-]/i,
]
/** Types of things that have facts of their own; many sites call every page an article as well. */
const aboutThing = /JobPosting|Event|Product|Recipe|RealEstateListing|Apartment|House|Vehicle|Movie|Course\b/
const maxData = 100_000

/** Collects the signs; scripts are only searched for the types that they name. */
export function pageSigns(document: Document, address: string): PageSigns {
  const title = pageTitle(document)
  const metas = named(document, 'meta')
  const said = metas.findLast((meta) => attribute(meta, 'property') === 'og:type')
  const kind = said === undefined ? '' : (attribute(said, 'content') ?? '').toLowerCase().slice(0, 40)
  const types = typesIn(named(document, 'script'))
  const url = address.slice(0, 500)
  const path = url.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*$/, '')
  const folders = path.split('/').filter((part) => part !== '')
  const last = folders.at(-1) ?? ''
  const numbers = [
    ...dataTypes.map((type) => Number(type.test(types))),
    kind.includes('article') ? 1 : kind.includes('product') ? 2 : kind === '' ? 0 : 3,
    ...addressHints.map((hint) => Number(hint.test(url))),
    folders.length,
    last.split(/[-_]/).length,
    Number(/\d{3}/.test(last)),
    Number(url.includes('?')),
  ]
  return { title: new Set(wordsOf(title)), titleLine: title, address, numbers, isArticle: (/Article|BlogPosting/.test(types) || kind.includes('article')) && !aboutThing.test(types), isProduct: isProductPage(document) && !listsProducts(document), metas }
}

/** The types that the structured data of a page names. */
function typesIn(scripts: readonly Element[]): string {
  let types = ''
  let data = 0
  for (const script of scripts) {
    const part = data > maxData ? '' : jsonLdText(script, maxData)
    data += part.length
    for (const [, type = ''] of part.matchAll(/"@type"\s*:\s*\[?\s*"(\w{1,40})"/g)) if (types.length < 4000) types += ` ${type}`
  }
  return types
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)

/** The share of a line's words (of more than two letters) that are in a set. */
export function sharedWords(line: string, others: ReadonlySet<string>): number {
  const words = wordsOf(line)
  return words.filter((word) => others.has(word)).length / Math.max(words.length, 1)
}
