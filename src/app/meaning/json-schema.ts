import { isObject, type JsonObject } from '../../lib/is-object.ts'

type Schema = JsonObject

/** A schema in the form given to a model: references moved into `data`, properties nullable. */
function rewritten(value: unknown, property: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => rewritten(one, false))
  if (!isObject(value)) return value
  // Inside another schema, these would change what references are relative to.
  const entries = Object.entries(value).filter(([key, inner]) => !(typeof inner === 'string' && (key === '$schema' || key === '$id'))).map(([key, inner]): [string, unknown] => {
    if (key === '$ref' && typeof inner === 'string') return [key, `#/properties/data${inner.slice(1)}`]
    if (key === 'properties' && isObject(inner)) return [key, Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, rewritten(one, true)]))]
    if (property && key === 'type' && typeof inner === 'string' && inner !== 'null') return [key, [inner, 'null']]
    if (property && key === 'enum' && Array.isArray(inner) && !inner.includes(null)) return [key, [...inner, null]]
    return [key, key === 'enum' || key === 'const' || key === 'default' || key === 'examples' ? inner : rewritten(inner, false)]
  })
  return Object.fromEntries(entries)
}

/** The part of a schema whose root properties are still missing; null when none are. */
export function remaining(schema: Schema, missing: readonly string[]): Schema | null {
  const { properties, required } = schema
  if (!isObject(properties) || missing.includes('')) return schema
  const open = new Set(missing.map((pointer) => (pointer.split('/')[1] ?? '').replace(/~1/g, '/').replace(/~0/g, '~')))
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
      data: schema === null ? { type: 'object' } : rewritten(schema, false),
      evidence: { type: 'array', items: { type: 'object', properties: { pointer: { type: 'string' }, quote: { type: 'string' } }, required: ['pointer', 'quote'] } },
    },
    required: ['data', 'evidence'],
  }
}
