import { numbersIn, sameNumber } from '../../content/evidence/index.ts'
import { type FactValue, follow, isEntity } from '../../content/facts/entity.ts'
import { once } from '../../lib/once.ts'
import { quoted } from '../../lib/quoted.ts'
import type { Concept } from './concepts.ts'
import type { Candidate, Source } from './source.ts'
import { offered, soleNumber } from './values.ts'

/** The last part of a name in a vocabulary (`InStock` of `https://schema.org/InStock`); empty for what is no text. */
export const schemaName = (value: FactValue | undefined): string => (typeof value === 'string' ? (value.split(/[/#]|^schema:/).at(-1) ?? '').trim() : '')
const inStock: ReadonlySet<string> = new Set(['instock', 'limitedavailability', 'onlineonly', 'instoreonly', 'available'])
const outOfStock: ReadonlySet<string> = new Set(['outofstock', 'soldout', 'discontinued', 'oos'])

/** Whether an availability says that there is a thing in stock; null where it says neither, as in a language that is not known here. */
export function saysStock(value: FactValue): boolean | null {
  const word = schemaName(value).toLowerCase().replace(/[\s_-]+/g, '')
  return inStock.has(word) ? true : outOfStock.has(word) ? false : null
}

/** Price, availability and similar properties on which a thing's offers agree; null for other concepts. */
export function stateOf(concept: Concept, source: Source): readonly Candidate[] | null {
  switch (concept.name) {
    case 'price':
      return priceOf(source)
    case 'currency':
      return agreed(source, ['priceCurrency'], 'priceCurrency').filter(({ value }) => isShownCurrency(schemaName(value), source))
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

/** The values on which all offers of the first entity with offers agree; otherwise those of the page's `meta` elements. */
function agreed(source: Source, names: readonly string[], meta: string): Candidate[] {
  for (const entity of source.subject.main) {
    const values = offered(entity, names)
    const [first] = values
    if (first === undefined) continue
    return new Set(values.map((value) => (isEntity(value) ? '' : schemaName(String(value)).toLowerCase()))).size === 1 ? [{ value: first, source: entity.source }] : []
  }
  return metaOf(source, meta)
}

/** A price as data has it, a number or a text with one number; null for anything else. */
export const amountIn = (value: FactValue): number | null => (typeof value === 'number' ? value : typeof value === 'string' ? (/^\d{1,12}(\.\d{1,6})?$/.test(value.trim()) ? Number(value) : soleNumber(value)) : null)

// Bounded: a page may be one long number.
const money = /[$€£¥]\s?\d[\d.,]{0,15}|\d[\d.,]{0,15}\s?[€£]/gu
const beside = 40

/** Whether a lower price is directly beside a price, which makes it the former one. */
function isFormer(price: number, text: string): boolean {
  const amounts = [...text.slice(0, 300_000).matchAll(money)].slice(0, 2_000).map((match) => ({ at: match.index, value: soleNumber(match[0]) }))
  const own = amounts.filter(({ value }) => value === price)
  return own.some(({ at }) => amounts.some((other) => Math.abs(other.at - at) <= beside && other.value !== null && other.value < price && other.value >= price * 0.4))
}

/** How pages write a currency: its code, and its symbol. */
export function marksOf(currency: string): readonly string[] {
  if (!/^[A-Z]{3}$/.test(currency)) return []
  const sign = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(0).find((part) => part.type === 'currency')?.value
  return [currency, ...(sign === undefined || sign === currency ? [] : [sign])]
}

/** Whether amounts on the page have the mark of a currency, or no mark at all. */
function isShownCurrency(currency: string, { facts }: Source): boolean {
  const text = facts.layout.text.slice(0, 300_000)
  const marks = marksOf(currency.toUpperCase()).map(quoted).join('|')
  return marks !== '' && (!/[$€£¥₹]\s?\d|\d\s?[€£]/.test(text) || new RegExp(`(?:${marks})\\s?\\d|\\d[\\s.,–-]{0,2}(?:${marks})`, 'iu').test(text))
}

/**
 * Marks of any currency after and before an amount. Created on demand: the engine's list of currencies would cost some
 * milliseconds at the start.
 */
const otherMarks = once(() => {
  const codes = Intl.supportedValuesOf('currency').join('|')
  return { after: new RegExp(`^\\s?(?:[$€£¥₹]|(?:${codes})\\b)`, 'u'), before: new RegExp(`(?:[$€£¥₹]|\\b(?:${codes}):?)\\s?$`, 'u') }
})

/** Whether the page shows a price only in other currencies. */
function isForeign(price: number, currency: string, { facts }: Source): boolean {
  const text = facts.layout.text.slice(0, 300_000)
  const marks = marksOf(currency.toUpperCase())
  const places = numbersIn(text).filter(({ value }) => sameNumber(value, price)).map(({ start, end }) => [otherMarks().before.exec(text.slice(Math.max(0, start - 6), start))?.[0], otherMarks().after.exec(text.slice(end, end + 6))?.[0]])
  return marks.length > 0 && places.length > 0 && places.every((around) => around.some((mark) => mark !== undefined) && !around.some((mark) => mark !== undefined && marks.some((own) => mark.includes(own))))
}

/** The price, if the page shows it: the data of many pages is outdated, or for another country. */
function priceOf(source: Source): Candidate[] {
  const [currency] = agreed(source, ['priceCurrency'], 'priceCurrency')
  const seen = (value: number): boolean => source.seen().number(value) !== undefined && !isFormer(value, source.facts.layout.text) && (currency === undefined || !isForeign(value, schemaName(currency.value), source))
  for (const entity of source.subject.main) {
    const prices = [...new Set(offered(entity, ['price']).map(amountIn).filter((price): price is number => price !== null && price > 0))]
    const shown = prices.filter(seen)
    if (shown.length === 1 && shown[0] !== undefined) return [{ value: shown[0], source: entity.source }]
    if (prices.length > 0) return []
    const [low, high] = [offered(entity, ['lowPrice']), offered(entity, ['highPrice'])].map((list) => amountIn(list[0] ?? ''))
    if (low !== null && low !== undefined && low > 0) return seen(low) && (low === high || high === null || high === undefined || !seen(high)) ? [{ value: low, source: entity.source }] : []
  }
  const meta = [...metaOf(source, 'salePrice'), ...metaOf(source, 'price')]
  return meta.flatMap((one) => {
    const value = amountIn(one.value)
    return value !== null && value > 0 && seen(value) ? [{ ...one, value }] : []
  })
}

/** Matches a line that says that something is unavailable. */
const gone = /^[ \t]{0,80}(?:no longer available|(?:currently |temporarily )?(?:unavailable|out of stock)|sold out|discontinued)[ \t]{0,80}[.!]?[ \t]{0,80}$/im

/** Matches words for unavailability anywhere: the data often says "out of stock" for available things. */
const missing = /out of stock|sold out|unavailable|not available|no longer|discontinued|notify me|wait ?list|back ?order|ausverkauft|nicht (?:verfügbar|lieferbar|auf lager)|rupture|épuisé|indisponible|agotado|esaurito|non disponibil/i

/** The availability in a page's data, if the page does not contradict it. */
function stockOf(source: Source): Candidate[] {
  const text = source.facts.layout.text.slice(0, 300_000)
  return stockSaid(source).filter(({ value }) => (value === true ? !gone.test(text) : missing.test(text)))
}

function stockSaid(source: Source): Candidate[] {
  return agreed(source, ['availability'], 'availability').flatMap((one): Candidate[] => {
    const value = saysStock(one.value)
    return value === null ? [] : [{ ...one, value }]
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
