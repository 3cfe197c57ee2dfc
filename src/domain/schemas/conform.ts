import { RE2JS } from 're2js'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { isRealDay } from '../../lib/time.ts'
import { localRef } from '../../spec/json-schema.ts'
import { pointed } from '../../lib/json-pointer.ts'

/** A value adapted to a schema, in which every property is nullable (contract §15.25). */
export interface Conformed {
  /** False when not even the outermost value fits. */
  readonly ok: boolean
  readonly value: unknown
  /** JSON pointers of values that did not fit: set to null, or left out of their list. */
  readonly dropped: readonly string[]
}

/** Whether the entry of a map (`additionalProperties` with a schema) with this name may stay. */
export type MayBeNamed = (name: string, at: string) => boolean

type Schema = JsonObject
type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false }

const unfit: Checked = { ok: false }

/** A value tried with one of several schemas. */
interface Tried {
  readonly fitted: Checked
  readonly dropped: readonly string[]
  readonly whole: boolean
}

const maxSteps = 200_000
/** Characters of a text, times the size of the pattern, that count as one step. */
const stepSize = 200
/** Maximum nesting of values, and of schemas that refer to each other. */
const maxDepth = 150
const isNumber = (value: unknown): value is number => typeof value === 'number'

const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  time: /^\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i,
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/i,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  url: /^[a-z][a-z0-9+.-]*:\S+$/i,
  uuid: /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
}

const canonical = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner))

/** A text converted to the type that the schema requires, when it says nothing more than that. */
function coerced(value: unknown, types: readonly unknown[]): unknown {
  if (typeof value === 'string' && !types.includes('string')) {
    const text = value.trim()
    if ((types.includes('number') || types.includes('integer')) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
    if (types.includes('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  }
  if (isNumber(value) && types.includes('string') && !types.includes('number') && !types.includes('integer')) return String(value)
  return value
}

function textFits(text: string, schema: Schema, matches: (pattern: string, text: string) => boolean): boolean {
  const { minLength, maxLength, pattern, format } = schema
  const length = [...text].length
  if ((isNumber(minLength) && length < minLength) || (isNumber(maxLength) && length > maxLength)) return false
  if (typeof pattern === 'string' && !matches(pattern, text)) return false
  const form = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined
  return form === undefined || (form.test(text) && (!String(format).startsWith('date') || isRealDay(text)))
}

function numberFits(value: number, { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf }: Schema): boolean {
  if (!Number.isFinite(value)) return false
  if ((isNumber(minimum) && value < minimum) || (isNumber(maximum) && value > maximum)) return false
  if ((isNumber(above) && value <= above) || (isNumber(below) && value >= below)) return false
  // Until the fourth draft of JSON Schema, these say of the others that they are exclusive.
  if ((above === true && value === minimum) || (below === true && value === maximum)) return false
  return !isNumber(multipleOf) || multipleOf <= 0 || Math.abs(value / multipleOf - Math.round(value / multipleOf)) < 1e-9
}

/** Whether an object has a property: one that is null is not there. */
const has = (value: unknown, name: string): boolean => isObject(value) && Object.hasOwn(value, name) && value[name] !== null

/** What a schema wants of objects that have a property: a schema, or names of others. */
function dependentsOf({ dependentRequired, dependentSchemas, dependencies }: Schema): readonly [string, unknown][] {
  return [dependentRequired, dependentSchemas, dependencies].flatMap((held) => (isObject(held) ? Object.entries(held) : []))
}

/** The names of properties that an object lacks: they become null. */
function lackingIn(kept: readonly (readonly [string, unknown])[], schema: Schema): readonly string[] {
  const names = new Map(kept)
  const wanted = dependentsOf(schema).flatMap(([name, inner]) => ((names.get(name) ?? null) !== null && Array.isArray(inner) ? inner : []))
  const all = new Set([...(Array.isArray(schema['required']) ? schema['required'] : []), ...wanted])
  return [...all].filter((key): key is string => typeof key === 'string' && !names.has(key))
}

/** Whether an object has fewer properties than its schema wants, or more: those that are null are not there. */
function hasFewOrMany(kept: readonly (readonly [string, unknown])[], { minProperties, maxProperties }: Schema): boolean {
  const count = kept.filter(([, value]) => value !== null).length
  return (isNumber(minProperties) && count < minProperties) || (isNumber(maxProperties) && count > maxProperties)
}

/** Walks a value along its schema. */
class Conforming {
  readonly dropped: string[] = []
  readonly #root: Schema
  readonly #mayBeNamed: MayBeNamed
  readonly #patterns = new Map<string, RE2JS>()
  /** How often a value was made to fit by more than leaving something out: converted, or completed. */
  #adapted = 0
  #steps = 0
  #depth = 0
  /** How many conditions (`not`, `if`) are being asked about: for them, what is null is not there. */
  #conditions = 0

  constructor(root: Schema, mayBeNamed: MayBeNamed) {
    this.#root = root
    this.#mayBeNamed = mayBeNamed
  }

  /** The value as it fits; not ok when its place must be null. */
  fit(value: unknown, schema: unknown, at: string): Checked {
    if (++this.#steps > maxSteps || this.#depth >= maxDepth || schema === false) return unfit
    this.#depth++
    const fitted = this.#fitted(value, schema, at)
    this.#depth--
    return fitted
  }

  #fitted(value: unknown, schema: unknown, at: string): Checked {
    if (value === null || !isObject(schema)) return { ok: true, value }
    const target = typeof schema['$ref'] === 'string' ? localRef(this.#root, schema['$ref']) : undefined
    const first = target === undefined ? { ok: true as const, value } : this.fit(value, target, at)
    if (!first.ok) return unfit
    const own = this.#own(first.value, schema, at)
    return own.ok ? this.#combined(own.value, schema, at) : unfit
  }

  readonly #matches = (pattern: string, text: string): boolean => {
    const known = this.#patterns.get(pattern) ?? RE2JS.compile(pattern)
    this.#patterns.set(pattern, known)
    this.#steps += Math.ceil((text.length * known.programSize()) / stepSize)
    if (this.#steps > maxSteps) return false
    return known.matcher(text).find()
  }

  #own(given: unknown, schema: Schema, at: string): Checked {
    const { type, const: fixed, enum: values } = schema
    const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
    const value = coerced(given, types)
    if (value !== given) this.#adapted++
    if (types.length > 0 && !types.some((name) => typeof name === 'string' && typeTests[name]?.(value) === true)) return unfit
    const allowed: readonly unknown[] | null = fixed === undefined ? (Array.isArray(values) ? values : null) : [fixed]
    if (allowed !== null && !allowed.some((one) => canonical(one) === canonical(value))) return unfit
    if (typeof value === 'string' && !textFits(value, schema, this.#matches)) return unfit
    if (isNumber(value) && !numberFits(value, schema)) return unfit
    if (Array.isArray(value)) return this.#list(value, schema, at)
    return isObject(value) ? this.#object(value, schema, at) : { ok: true, value }
  }

  #list(list: readonly unknown[], schema: Schema, at: string): Checked {
    const { items, prefixItems, additionalItems, minItems, maxItems, uniqueItems } = schema
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
    const seen = new Set<string>()
    const kept: unknown[] = []
    for (const [index, item] of list.entries()) {
      const where = pointed(at, index)
      const fitted = this.fit(item, index < first.length ? first[index] : Array.isArray(items) ? additionalItems : items, where)
      // Of a tuple each place has a meaning of its own.
      if (index < first.length && !fitted.ok) {
        this.dropped.push(where)
        kept.push(null)
        continue
      }
      const double = uniqueItems === true && fitted.ok && seen.has(canonical(fitted.value))
      if (!fitted.ok || (fitted.value === null && index >= first.length) || double || (isNumber(maxItems) && kept.length >= maxItems)) {
        if (item !== null && !double) this.dropped.push(where)
        continue
      }
      if (uniqueItems === true) seen.add(canonical(fitted.value))
      kept.push(fitted.value)
    }
    return (isNumber(minItems) && kept.length < minItems) || !this.#contains(kept, schema, at) ? unfit : { ok: true, value: kept }
  }

  /** Whether as many items of a list as its schema wants fit `contains`. */
  #contains(list: readonly unknown[], { contains, minContains, maxContains }: Schema, at: string): boolean {
    if (contains === undefined) return true
    const count = list.filter((item, index) => item !== null && this.#holds(item, contains, pointed(at, index))).length
    return count >= (isNumber(minContains) ? minContains : 1) && !(isNumber(maxContains) && count > maxContains)
  }

  #object(object: Record<string, unknown>, schema: Schema, at: string): Checked {
    const properties = isObject(schema['properties']) ? schema['properties'] : {}
    const { additionalProperties: more, propertyNames } = schema
    const patterns = Object.entries(isObject(schema['patternProperties']) ? schema['patternProperties'] : {})
    const kept: [string, unknown][] = []
    for (const [key, value] of Object.entries(object)) {
      if (value === null && this.#conditions > 0) continue
      const where = pointed(at, key)
      const known = [...(Object.hasOwn(properties, key) ? [properties[key]] : []), ...patterns.filter(([pattern]) => this.#matches(pattern, key)).map(([, inner]) => inner)]
      if ((known.length === 0 && more === false) || (propertyNames !== undefined && !this.#holds(key, propertyNames, where))) {
        this.dropped.push(where)
        continue
      }
      if (known.length === 0 && isObject(more) && !this.#mayBeNamed(key, where)) continue
      const fitted = (known.length > 0 ? known : [more]).reduce<Checked>((so, inner) => (so.ok ? this.fit(so.value, inner, where) : so), { ok: true, value })
      if (!fitted.ok) this.dropped.push(where)
      kept.push([key, fitted.ok ? fitted.value : null])
    }
    const lacking = lackingIn(kept, schema)
    this.#adapted += lacking.length
    return hasFewOrMany(kept, schema) ? unfit : { ok: true, value: Object.fromEntries([...kept, ...lacking.map((key) => [key, null] as const)]) } // a pair
  }

  #combined(given: unknown, schema: Schema, at: string): Checked {
    let value = given
    for (const part of Array.isArray(schema['allOf']) ? schema['allOf'] : []) {
      const fitted = this.fit(value, part, at)
      if (!fitted.ok) return unfit
      value = fitted.value
    }
    for (const keyword of ['anyOf', 'oneOf']) {
      const options = schema[keyword]
      if (!Array.isArray(options)) continue
      const best = this.#alternative(value, options, at)
      if (!best.ok) return unfit
      value = best.value
    }
    for (const inner of this.#conditional(value, schema, at)) {
      const fitted = this.fit(value, inner, at)
      if (!fitted.ok) return unfit
      value = fitted.value
    }
    return 'not' in schema && this.#holds(value, schema['not'], at) ? unfit : { ok: true, value }
  }

  /** The schemas that count for a value because of what it is, or of what it has. */
  #conditional(value: unknown, schema: Schema, at: string): readonly unknown[] {
    const { if: condition, then, else: otherwise } = schema
    const branch = condition === undefined ? undefined : this.#holds(value, condition, at) ? then : otherwise
    const dependents = dependentsOf(schema)
    this.#steps += dependents.length
    const wanted = dependents.filter(([name, inner]) => !Array.isArray(inner) && has(value, name)).map(([, inner]) => inner)
    return branch === undefined ? wanted : [branch, ...wanted]
  }

  /** Whether a value fits a condition as it is; nothing is changed by asking. */
  #holds(value: unknown, condition: unknown, at: string): boolean {
    this.#conditions++
    const { whole } = this.#tried(value, condition, at)
    this.#conditions--
    return whole
  }

  /** The value as it fits an alternative, and whether it does so unchanged. Leaves `dropped` as it was. */
  #tried(value: unknown, option: unknown, at: string): Tried {
    const [before, adapted] = [this.dropped.length, this.#adapted]
    const fitted = this.fit(value, option, at)
    const dropped = this.dropped.splice(before)
    return { fitted, dropped, whole: fitted.ok && dropped.length === 0 && this.#adapted === adapted }
  }

  /** The first alternative that the value fits unchanged, otherwise the first that it can be adapted to, best without losing a part. */
  #alternative(value: unknown, options: readonly unknown[], at: string): Checked {
    let second: Tried | null = null
    for (const option of options) {
      const tried = this.#tried(value, option, at)
      if (tried.whole) return tried.fitted
      if (tried.fitted.ok && (second === null || (second.dropped.length > 0 && tried.dropped.length === 0))) second = tried
    }
    if (second === null) return unfit
    this.dropped.push(...second.dropped)
    return second.fitted
  }
}

/** Adapts a value to a schema that passed `schemaFault`: the smallest part that does not fit becomes null. */
export function conform(value: unknown, schema: Schema, mayBeNamed: MayBeNamed = () => true): Conformed {
  const walk = new Conforming(schema, mayBeNamed)
  const fitted = value === null ? unfit : walk.fit(value, schema, '')
  return fitted.ok ? { ok: true, value: fitted.value, dropped: walk.dropped } : { ok: false, value: null, dropped: [''] }
}
