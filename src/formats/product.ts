import { type Entity, follow, isEntity, valuesOf } from '../content/facts/entity.ts'
import type { Facts } from '../content/facts/index.ts'
import type { ScrapeData } from '../spec/scrape.ts'
import { amountIn, saysStock, schemaName } from './fill/special.ts'
import { subjectOf } from './fill/subject.ts'
import { offersOf, textOfEntity } from './fill/values.ts'
import type { FormatHandler } from './format.ts'

type Product = NonNullable<ScrapeData['product']>
type Variant = Product['variants'][number]

const productTypes = /^(?:Product|ProductGroup|IndividualProduct|ProductModel|SomeProducts|Vehicle|Car|Book)$/
const maxVariants = 200

function firstText(entity: Entity, ...names: readonly string[]): string | undefined {
  for (const value of names.flatMap((name) => valuesOf(entity, name))) {
    const text = isEntity(value) ? textOfEntity(value) : value
    if (typeof text === 'string' && text !== '') return text
    if (typeof text === 'number') return String(text)
  }
  return undefined
}

const present = <T extends object>(object: T): T => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T // the same keys, without those that are not there

function amountOf(offer: Entity, ...names: readonly string[]): number | undefined {
  const text = firstText(offer, ...names) ?? follow(offer, ['priceSpecification', 'price']).map(String)[0]
  if (text === undefined) return undefined
  return amountIn(text) ?? undefined
}

function priceOf(offer: Entity): Variant['price'] {
  const amount = amountOf(offer, 'price', 'lowPrice')
  if (amount === undefined) return undefined
  const currency = firstText(offer, 'priceCurrency') ?? follow(offer, ['priceSpecification', 'priceCurrency']).map(String)[0]
  return present({ amount, currency })
}

/** What can be ordered, and is still to come. */
const toCome = /^(?:(?:pre|back|made[\s_-]?to)[\s_-]?(?:order|sale)|reserved)$/i

/** The availability of an offer; undefined where its words say neither that it is in stock nor that it is not. */
function availabilityOf(offer: Entity): Variant['availability'] {
  const text = schemaName(firstText(offer, 'availability'))
  const inStock = saysStock(text) ?? (toCome.test(text) ? false : null)
  return inStock === null ? undefined : { inStock, text }
}

const imagesOf = (entity: Entity): Variant['images'] => {
  const urls = [...new Set([...follow(entity, ['image']), ...follow(entity, ['image', 'url']), ...follow(entity, ['image', 'contentUrl'])].filter((value): value is string => typeof value === 'string' && /^https?:\/\//.test(value)))]
  return urls.length === 0 ? undefined : urls.slice(0, 50).map((url) => ({ url }))
}

const named = ['color', 'size', 'material', 'pattern'] as const

function variantOf(entity: Entity, offer: Entity | undefined): Variant {
  const values = Object.fromEntries(named.flatMap((name) => {
    const text = firstText(entity, name)
    return text === undefined ? [] : [[name, text] as const] // a pair
  }))
  return present({
    sku: firstText(offer ?? entity, 'sku') ?? firstText(entity, 'sku'),
    title: firstText(offer ?? entity, 'name') ?? firstText(entity, 'name'),
    values: Object.keys(values).length === 0 ? undefined : values,
    price: offer && priceOf(offer),
    availability: offer && availabilityOf(offer),
    images: imagesOf(entity),
  })
}

function variantsOf(product: Entity): Variant[] {
  const variants = follow(product, ['hasVariant']).filter(isEntity)
  if (variants.length > 0) return variants.slice(0, maxVariants).map((variant) => variantOf(variant, offersOf(variant)[0]))
  const offers = offersOf(product)
  return offers.length === 0 ? [variantOf(product, undefined)] : offers.slice(0, maxVariants).map((offer) => variantOf(product, offer))
}

/** The product that a page is about, by its structured data; null when that describes none or several. */
function productOf(facts: Facts): Product | null {
  const product = subjectOf(facts).main.find((entity) => entity.types.some((type) => productTypes.test(type)))
  const title = product && firstText(product, 'name')
  if (product === undefined || title === undefined) return null
  return present({
    title,
    brand: firstText(product, 'brand', 'manufacturer'),
    category: firstText(product, 'category'),
    url: facts.canonical ?? facts.url,
    description: firstText(product, 'description'),
    variants: variantsOf(product),
  })
}

export const product: FormatHandler<'product'> = {
  needs: [],
  run(reading) {
    const facts = reading.facts()
    const found = facts === null ? null : productOf(facts)
    return found === null ? { warning: 'product: the page describes no product, or several, in its structured data.' } : { product: found }
  },
}
