import type { Shape } from '../../domain/schemas/shape.ts'
import { isoDate, writtenDate } from '../../content/evidence/dates.ts'
import { readings } from '../../content/evidence/numbers.ts'
import { signsOf } from '../../content/evidence/signs.ts'
import { isBound } from './bounds.ts'
import { type Entity, type FactValue, follow, isEntity, valuesOf } from '../../content/facts/entity.ts'

type Scalar = Extract<Shape, { kind: 'string' | 'number' | 'integer' | 'boolean' | 'any' }>

/** Unit symbols for the codes of UN/CEFACT. */
const units: Readonly<Record<string, string>> = {
  KGM: 'kg', GRM: 'g', MGM: 'mg', TNE: 't', LBR: 'lb', ONZ: 'oz', MTR: 'm', CMT: 'cm', MMT: 'mm', KMT: 'km', INH: 'in', FOT: 'ft', YRD: 'yd', SMI: 'mi', MTK: 'm²', FTK: 'ft²',
  LTR: 'l', MLT: 'ml', CLT: 'cl', WTT: 'W', KWT: 'kW', KWH: 'kWh', VLT: 'V', AMP: 'A', HTZ: 'Hz', CEL: '°C', FAH: '°F', P1: '%', SEC: 's', MIN: 'min', HUR: 'h', DAY: 'd',
}

/** A unit as people write it; null for an unknown code, undefined without a unit. */
function written(text: FactValue | undefined, code: FactValue | undefined): string | null | undefined {
  if (typeof text === 'string') return text
  if (typeof code !== 'string') return undefined
  return Object.hasOwn(units, code) ? units[code] : /^[A-Z\d]{2,3}$/.test(code) ? null : code
}

/** The text of an entity where a text is wanted: its name, or a value with its unit. */
export function textOfEntity(entity: Entity): string | number | null {
  const first = (name: string): FactValue | undefined => valuesOf(entity, name).find((value) => !isEntity(value))
  const amount = first('value')
  const value = amount ?? first('name') ?? first('@value') ?? first('url')
  if (value === undefined || isEntity(value) || typeof value === 'boolean') return null
  const unit = amount === undefined ? undefined : written(first('unitText'), first('unitCode'))
  return unit === null ? null : unit !== undefined && unit.length < 20 ? `${String(value).replace(/\.0+$/, '')} ${unit}` : value
}

/** Digits in groups of three, and perhaps decimals: a space that breaks no line only stands within a number. */
const groups = /^\d{1,3}(?:['’\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?$/u
/** The same with spaces that may also stand between two numbers: one number if it has cents, or is money. */
const spacedGroups = /^\d{1,3}(?: \d{3})+([.,]\d{2})?$/u
const currencyMark = /[$€£₽₴]|(?<!\p{L})(?:EUR|USD|kr|zł|Kč|Ft)(?!\p{L})/u

/** The number that digits in groups stand for; undefined if they may be several numbers. */
function inGroups(run: string, text: string): number | undefined {
  // "1,234" is a thousand and more nearly everywhere; "1.234" differs by country.
  if (/^\d{1,3}(?:,\d{3})+$/.test(run)) return Number(run.replace(/,/g, ''))
  const spaced = spacedGroups.exec(run)
  const isOne = groups.test(run) || (spaced !== null && (spaced[1] !== undefined || currencyMark.test(text)))
  return isOne ? Number(run.replace(/['’\s]/gu, '').replace(',', '.')) : undefined
}

/** The only number in a text, with at most a currency or unit beside it; null otherwise, and for a bound ("from 9 €"). */
export function soleNumber(text: string): number | null {
  if (text.length > 40) return null
  const runs = [...text.matchAll(/\d+(?:[.,'’ \u00a0\u202f]\d+)*/gu)]
  const [run] = runs
  if (runs.length !== 1 || run === undefined || isBound(text, run.index, run.index + run[0].length)) return null
  const values = readings(run[0])
  const size = values.length === 1 ? values[0] : inGroups(run[0], text)
  const [sign = 1, other] = signsOf(text, run.index, run.index + run[0].length)
  return size === undefined || other !== undefined ? null : size * sign
}

const yes = /^(?:true|yes|y)$/i
const no = /^(?:false|no|n)$/i

function numeric(value: FactValue, integer: boolean): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? (/^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : soleNumber(value)) : null
  return number === null || (integer && !Number.isInteger(number)) ? null : number
}

function dated(text: string, format: string | null): string | null {
  if (format === 'date') return (isoDate(text)?.day ?? null) !== null ? text.trim().slice(0, 10) : writtenDate(text)
  if (format === 'date-time') return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) ? text : null
  return text
}

/** The allowed value that equals a value, ignoring case and spacing; null when there is none. */
function allowedOf(value: unknown, values: readonly unknown[]): unknown {
  const plain = (one: unknown): string => String(one).toLowerCase().replace(/^https?:\/\/schema\.org\//, '').replace(/[^\p{L}\p{N}]+/gu, '')
  return values.find((one) => plain(one) === plain(value)) ?? null
}

/** Converts a fact to a value of that shape; null when that is not possible. */
export function typed(value: FactValue, shape: Scalar): unknown {
  const bare = isEntity(value) ? textOfEntity(value) : value
  if (bare === null) return null
  if (shape.values !== null) return allowedOf(bare, shape.values)
  switch (shape.kind) {
    case 'number':
    case 'integer':
      return numeric(bare, shape.kind === 'integer')
    case 'boolean':
      return typeof bare === 'boolean' ? bare : yes.test(String(bare)) ? true : no.test(String(bare)) ? false : null
    case 'string':
      return typeof bare === 'boolean' ? null : dated(String(bare), shape.format)
    default:
      return bare
  }
}

/** The offers of an entity and of its variants. */
export function offersOf(entity: Entity): readonly Entity[] {
  const nested = [['offers'], ['offers', 'offers'], ['hasVariant', 'offers']].flatMap((path) => follow(entity, path).filter(isEntity))
  return nested.length > 0 ? nested : entity.types.some((type) => type === 'Offer' || type === 'AggregateOffer') ? [entity] : []
}

/** What all offers say about a property; a price may be in a nested specification. */
export function offered(entity: Entity, names: readonly string[]): readonly FactValue[] {
  return offersOf(entity).flatMap((offer) => {
    const own = names.flatMap((name) => valuesOf(offer, name))
    return own.length > 0 ? own : names.flatMap((name) => follow(offer, ['priceSpecification', name]))
  })
}
