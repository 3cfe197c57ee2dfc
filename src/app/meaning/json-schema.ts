import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { keysOf } from '../../lib/json-pointer.ts'
import { namedSchemas } from '../../spec/json-schema.ts'

type Schema = JsonObject

/** Keywords that hold values, and schemas of which only is asked whether a value fits them. */
const values: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])
const conditions: ReadonlySet<string> = new Set(['not', 'if', 'contains', 'propertyNames'])
/** Keywords by which other schemas say what a value may be. */
const composing: readonly string[] = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if']

/** Where a schema stands: what a property may be is nullable, what is only asked is not. */
type Place = 'property' | 'condition' | 'other'

/** A schema in the form given to a model: references moved into `data`, properties nullable. */
function rewritten(value: unknown, place: Place): unknown {
  const below = place === 'condition' ? place : 'other'
  if (Array.isArray(value)) return value.map((one) => rewritten(one, below))
  if (!isObject(value)) return value
  // Inside another schema, these would change what references are relative to.
  const entries = Object.entries(value).filter(([key, inner]) => !(typeof inner === 'string' && (key === '$schema' || key === '$id'))).map(([key, inner]): [string, unknown] => {
    if (key === '$ref' && typeof inner === 'string') return [key, `#/properties/data${inner.slice(1)}`]
    if (values.has(key)) return [key, inner]
    if (!namedSchemas.has(key) || !isObject(inner)) return [key, rewritten(inner, conditions.has(key) ? 'condition' : below)]
    const inside = below === 'other' && (key === 'properties' || key === 'patternProperties') ? 'property' : below
    return [key, Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, rewritten(one, inside)]))]
  })
  const schema = Object.fromEntries(entries)
  return place === 'property' ? nullable(schema) : schema
}

const allowsNull = (option: unknown): boolean => isObject(option) && (option['type'] === 'null' || (Array.isArray(option['type']) && option['type'].includes('null')))

/** A schema that allows null, too. */
function nullable(schema: Schema): Schema {
  if (composing.some((keyword) => schema[keyword] !== undefined)) {
    const options = schema['anyOf'] ?? schema['oneOf']
    return Array.isArray(options) && options.some(allowsNull) ? schema : { anyOf: [schema, { type: 'null' }] }
  }
  const entries = Object.entries(schema).map(([key, inner]): [string, unknown] => {
    if (key === 'type' && !allowsNull(schema)) return [key, [inner, 'null'].flat()]
    if (key === 'const' && inner !== null) return ['enum', [inner, null]]
    return [key, key === 'enum' && Array.isArray(inner) && !inner.includes(null) ? [...inner, null] : inner]
  })
  return Object.fromEntries(entries)
}

/** The part of a schema whose root properties are still missing; null when none are. */
export function remaining(schema: Schema, missing: readonly string[]): Schema | null {
  const { properties, required } = schema
  if (!isObject(properties) || missing.includes('')) return schema
  const open = new Set(missing.map((pointer) => keysOf(pointer)[0] ?? ''))
  const left = Object.entries(properties).filter(([name]) => open.has(name))
  if (left.length === 0) return null
  // When properties refer to each other, none can be removed.
  if (JSON.stringify(schema).includes('"#/properties/')) return schema
  return { ...schema, properties: Object.fromEntries(left), ...(Array.isArray(required) ? { required: required.filter((name) => open.has(String(name))) } : {}) }
}

/** The schema of a model's answer: the data, and quotes that support what is not said in the page's own words. */
export function answerSchema(schema: Schema | null): object {
  return {
    type: 'object',
    properties: {
      data: schema === null ? { type: 'object' } : rewritten(schema, 'other'),
      evidence: { type: 'array', items: { type: 'object', properties: { pointer: { type: 'string' }, quote: { type: 'string' } }, required: ['pointer', 'quote'] } },
    },
    required: ['data', 'evidence'],
  }
}
