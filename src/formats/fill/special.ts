import { type FactSource, type FactValue, follow, isEntity } from '../../content/facts/entity.ts'
import type { Concept } from './concepts.ts'
import type { Source } from './source.ts'
import { plainText } from './subject.ts'
import { offered, soleNumber } from './values.ts'

type Candidate = { readonly value: FactValue; readonly source: FactSource }

const schemaName = (value: FactValue): string => (typeof value === 'string' ? (value.split(/[/#]/).at(-1) ?? '').trim() : '')
const inStock: ReadonlySet<string> = new Set(['instock', 'limitedavailability', 'onlineonly', 'instoreonly', 'in stock', 'available'])
const outOfStock: ReadonlySet<string> = new Set(['outofstock', 'soldout', 'discontinued', 'out of stock', 'sold out', 'oos'])

/** Availability, price and the like, that the offers of a thing say together; null for what is no such concept. */
export function stateOf(concept: Concept, source: Source): readonly Candidate[] | null {
  switch (concept.name) {
    case 'price':
      return priceOf(source)
    case 'currency':
      return agreed(source, ['priceCurrency'], 'priceCurrency')
    case 'availability':
      return agreed(source, ['availability'], 'availability').map((one) => ({ ...one, value: schemaName(one.value) }))
    case 'inStock':
      return stockOf(source)
    case 'condition':
      return [...agreed(source, ['itemCondition'], 'itemCondition'), ...direct(source, 'itemCondition')].map((one) => ({ ...one, value: schemaName(one.value).replace(/Condition$/i, '') })).slice(0, 1)
    case 'salary':
      return salaryOf(source)
    default:
      return null
  }
}

function direct({ subject }: Source, name: string): Candidate[] {
  return subject.main.flatMap((entity) => (entity.props.get(name) ?? []).map((value) => ({ value, source: entity.source })))
}

const metaOf = ({ facts, whole }: Source, name: string): Candidate[] => (whole ? (facts.meta.props.get(name) ?? []).slice(0, 1).map((value): Candidate => ({ value, source: 'meta' })) : [])

/** What all offers of the first entity with offers agree on; else what the page's `meta` says. */
function agreed(source: Source, names: readonly string[], meta: string): Candidate[] {
  for (const entity of source.subject.main) {
    const values = offered(entity, names)
    const [first] = values
    if (first === undefined) continue
    return new Set(values.map((value) => (isEntity(value) ? '' : schemaName(String(value)).toLowerCase()))).size === 1 ? [{ value: first, source: entity.source }] : []
  }
  return metaOf(source, meta)
}

const amount = (value: FactValue): number | null => (typeof value === 'number' ? value : typeof value === 'string' ? (/^\d{1,12}(\.\d{1,6})?$/.test(value.trim()) ? Number(value) : soleNumber(value)) : null)

/** A price that a person sees: data of last week, or of another country, is on many pages. */
function priceOf(source: Source): Candidate[] {
  const seen = (value: number): boolean => source.seen().number(value) !== undefined
  for (const entity of source.subject.main) {
    const prices = [...new Set(offered(entity, ['price']).map(amount).filter((price): price is number => price !== null && price > 0))]
    const shown = prices.filter(seen)
    if (shown.length === 1 && shown[0] !== undefined) return [{ value: shown[0], source: entity.source }]
    if (prices.length > 0) return []
    const [low, high] = [offered(entity, ['lowPrice']), offered(entity, ['highPrice'])].map((list) => amount(list[0] ?? ''))
    if (low !== null && low !== undefined && low > 0) return seen(low) && (low === high || high === null || high === undefined || !seen(high)) ? [{ value: low, source: entity.source }] : []
  }
  const meta = [...metaOf(source, 'salePrice'), ...metaOf(source, 'price')]
  return meta.flatMap((one) => {
    const value = amount(one.value)
    return value !== null && value > 0 && seen(value) ? [{ ...one, value }] : []
  })
}

function stockOf(source: Source): Candidate[] {
  return agreed(source, ['availability'], 'availability').flatMap((one): Candidate[] => {
    const name = schemaName(one.value).toLowerCase()
    return inStock.has(name) ? [{ ...one, value: true }] : outOfStock.has(name) ? [{ ...one, value: false }] : []
  })
}

function salaryOf(source: Source): Candidate[] {
  return source.subject.main.flatMap((entity) => {
    const [low, high] = ['minValue', 'maxValue'].map((name) => follow(entity, ['baseSalary', 'value', name])[0])
    const [value] = follow(entity, ['baseSalary', 'value', 'value'])
    if (value !== undefined && !isEntity(value)) return [{ value, source: entity.source }]
    return low !== undefined && high !== undefined ? [{ value: `${String(low)} - ${String(high)}`, source: entity.source }] : []
  })
}

/** What is left of a title when the name of the site is cut off. */
export function withoutSite(title: string, sites: readonly string[]): string {
  const parts = title.split(/\s+[|•·»–—:-]+\s+|\s*[|»]\s*/)
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return title
  const known = sites.map(plainText)
  return known.includes(plainText(last)) ? title.slice(0, title.lastIndexOf(last)).replace(/[\s|•·»–—:-]+$/u, '') : title
}

/** Whether one title is the other, or the other with something around it. */
function related(a: string, b: string): boolean {
  const [x, y] = [plainText(a), plainText(b)]
  return x !== '' && y !== '' && (x.includes(y) || y.includes(x))
}

/** The title of a page as a person reads it: the heading that the page's own data confirms, else what that data says. */
export function headingOf(source: Source): Candidate[] {
  const { facts, subject } = source
  const { layout, meta } = facts
  const named = subject.main.flatMap((entity) => [...follow(entity, ['headline']), ...follow(entity, ['name'])].filter((value) => typeof value === 'string').map((value): Candidate => ({ value, source: entity.source })))
  const ogTitle = (meta.props.get('ogTitle') ?? []).filter((value) => typeof value === 'string')
  const titles = [...named.map(({ value }) => String(value)), ...ogTitle, facts.title]
  const headings = [...new Set(layout.headings)].filter((heading) => heading.length < 300)
  const [confirmed] = headings.filter((heading) => plainText(heading).length > 2 && titles.some((title) => related(heading, title)))
  if (confirmed !== undefined) return [{ value: confirmed, source: 'page' }]
  const sites = [...(meta.props.get('siteName') ?? []), ...subject.organization.flatMap((entity) => follow(entity, ['name']))].filter((value) => typeof value === 'string')
  const [only] = headings
  const rest: Candidate[] = headings.length === 1 && only !== undefined ? [{ value: only, source: 'page' }] : []
  return [...named, ...rest, ...ogTitle.map((title): Candidate => ({ value: withoutSite(title, sites), source: 'meta' })), ...(facts.title === '' ? [] : [{ value: withoutSite(facts.title, sites), source: 'page' as const }])]
}
