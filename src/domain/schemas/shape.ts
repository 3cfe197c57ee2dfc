import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { localRef } from '../../spec/json-schema.ts'

/** Keywords by which an object may have properties that "properties" does not name. */
const opening = ['patternProperties', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies', 'propertyNames']

/** Whether an object is to have properties that it does not name. Where it names some, others are wanted only if it says so. */
function isOpenObject(schema: Schema): boolean {
  const { properties, additionalProperties: more } = schema
  if (more === true || isObject(more) || opening.some((keyword) => schema[keyword] !== undefined)) return true
  return more !== false && !(isObject(properties) && Object.keys(properties).length > 0)
}

/** A caller's JSON Schema as a template to fill: references resolved, `null` alternatives removed. */
export type Shape =
  /** `open`: properties that it does not name are wanted, too; `map`: so are all that there are, as it describes none, but may require some. */
  | { readonly kind: 'object'; readonly properties: readonly Field[]; readonly open: boolean; readonly map: boolean }
  | { readonly kind: 'array'; readonly items: Shape }
  | { readonly kind: ScalarKind; readonly values: readonly unknown[] | null; readonly format: string | null }

export type ScalarKind = 'string' | 'number' | 'integer' | 'boolean' | 'any'

/** One property of an object. */
export interface Field {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly shape: Shape
}

const anything: Shape = { kind: 'any', values: null, format: null }
/** How far a recursive schema is followed. */
const maxDepth = 12
const maxNodes = 4_000
const maxParts = 20_000
const maxNames = 300_000

type Schema = JsonObject
const textOr = (value: unknown): string => (typeof value === 'string' ? value : '')

/** How many subschemas may still be followed, and names of properties merged: a schema may refer to itself many times. */
interface Budget {
  parts: number
  names: number
}

/** The names in `required`, which need not be among the properties. */
const requiredBy = ({ required }: Schema): readonly string[] => (Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [])

const propertiesOf = ({ properties }: Schema): JsonObject => (isObject(properties) ? properties : {})

/** How many names of properties a schema has, described or required. */
const namesOf = (schema: Schema): number => Object.keys(propertiesOf(schema)).length + requiredBy(schema).length

/** The keywords of a schema merged with those of its references and `allOf` parts. */
function flat(schema: Schema, root: Schema, budget: Budget, depth = 0): Schema {
  if (depth > 8 || budget.parts-- <= 0) return {}
  const { $ref: ref, allOf, ...own } = schema
  const target = typeof ref === 'string' ? localRef(root, ref) : undefined
  const parts = [...(isObject(target) ? [target] : []), ...(Array.isArray(allOf) ? allOf.filter(isObject) : [])]
  return parts.reduce<Schema>((merged, part) => {
    const inner = flat(part, root, budget, depth + 1)
    const names = namesOf(inner)
    if (names > 0) budget.names -= names + namesOf(merged)
    if (names === 0 || budget.names < 0) return { ...inner, ...merged }
    const properties = { ...propertiesOf(inner), ...propertiesOf(merged) }
    const required = [...new Set([...requiredBy(inner), ...requiredBy(merged)])]
    return { ...inner, ...merged, ...(Object.keys(properties).length === 0 ? {} : { properties }), ...(required.length === 0 ? {} : { required }) }
  }, own)
}

/** The only alternative that is not `null`; null when there are several. */
function soleAlternative(schema: Schema, root: Schema, budget: Budget): Schema | null {
  const options = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(options)) return null
  const real = options.filter(isObject).map((option) => flat(option, root, budget)).filter((option) => option['type'] !== 'null' && option['const'] !== null)
  return real.length === 1 ? (real[0] ?? null) : null
}

function typeOf(schema: Schema): string | null {
  const { type } = schema
  const named = (Array.isArray(type) ? type : [type]).filter((one): one is string => typeof one === 'string' && one !== 'null')
  if (named.length === 1) return named[0] ?? null
  if (named.length > 1) return 'any'
  if (isObject(schema['properties'])) return 'object'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'array'
  return null
}

/** The shape of a schema that passed `schemaFault`. */
export function shapeOf(root: Schema): Shape {
  let nodes = 0
  const budget: Budget = { parts: maxParts, names: maxNames }
  const build = (given: unknown, depth: number): Shape => {
    if (!isObject(given) || depth > maxDepth || ++nodes > maxNodes) return anything
    const merged = flat(given, root, budget)
    const sole = soleAlternative(merged, root, budget)
    const schema: Schema = sole === null ? merged : { ...merged, ...sole }
    const kind = typeOf(schema)
    if (kind === 'object') {
      const named = propertiesOf(schema)
      const others = new Set(requiredBy(schema).filter((name) => !Object.hasOwn(named, name)))
      const properties: readonly (readonly [string, unknown])[] = [...Object.entries(named), ...[...others].map((name) => [name, {}] as const)] // `const`: a pair
      const open = isOpenObject(sole === null ? merged : { ...merged, anyOf: undefined, oneOf: undefined, ...sole })
      return { kind, open, map: open && Object.keys(named).length === 0, properties: properties.map(([name, inner]) => field(name, inner, depth)) }
    }
    if (kind === 'array') return { kind, items: build(schema['items'], depth + 1) }
    const { const: fixed, enum: values, format } = schema
    const allowed = fixed === undefined ? (Array.isArray(values) ? values.filter((value) => value !== null) : null) : [fixed]
    const scalar: ScalarKind = kind === 'string' || kind === 'number' || kind === 'integer' || kind === 'boolean' ? kind : allowed?.every((value) => typeof value === 'string') === true ? 'string' : 'any'
    return { kind: scalar, values: allowed, format: typeof format === 'string' ? format : null }
  }
  const field = (name: string, given: unknown, depth: number): Field => {
    const schema = isObject(given) ? flat(given, root, budget) : {}
    return { name, title: textOr(schema['title']), description: textOr(schema['description']), shape: build(given, depth + 1) }
  }
  return build(root, 0)
}

/** Whether a shape holds a single value. */
export function isScalar(shape: Shape): shape is Extract<Shape, { kind: ScalarKind }> {
  return shape.kind !== 'object' && shape.kind !== 'array'
}
