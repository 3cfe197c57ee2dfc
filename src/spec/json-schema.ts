import { RE2JS } from 're2js'
import { isObject } from '../lib/is-object.ts'
import { keyIn, pointed } from '../lib/json-pointer.ts'
import { patternBudget } from '../lib/pattern-work.ts'
import { percentDecoded } from '../lib/percent-decoded.ts'
import { visible } from '../lib/visible.ts'

/** How far a caller's JSON Schema may go: it is walked for each page. */
const schemaLimits = { characters: 100_000, depth: 24, nodes: 2_000, patternLength: 1_000, patternSize: 100_000, enumValues: 1_000 } as const

/** What a schema may hold beneath a keyword. */
const one = new Set(['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Keywords beneath which schemas stand by name. */
export const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

/** The part of a schema that a local `$ref` names; undefined when there is none. */
export function localRef(root: unknown, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let at: unknown = root
  for (const raw of ref.slice(2).split('/')) {
    const key = keyIn(percentDecoded(raw))
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Object.entries(at).find(([name]) => name === key)?.[1]
  }
  return at
}

type PatternFault = (pattern: unknown) => string | null

/** What is wrong with the patterns of one schema, each of them and all so far. */
function patternFaults(): PatternFault {
  const affordable = patternBudget()
  let size = 0
  return (pattern) => {
    if (typeof pattern !== 'string') return 'a pattern is no text'
    if (pattern.length > schemaLimits.patternLength) return `the pattern "${visible(pattern)}" has more than ${schemaLimits.patternLength} characters`
    if (!affordable(pattern)) return 'the patterns have too many classes like \\p{L}, or too wide ranges with (?i)'
    try {
      size += RE2JS.compile(pattern).programSize()
    } catch {
      return `the pattern "${visible(pattern)}" cannot be used (regular expressions of RE2: no look-around, no back-references)`
    }
    return size > schemaLimits.patternSize ? `all patterns together, with their repetitions written out, have more than ${schemaLimits.patternSize} characters` : null
  }
}

/** Keywords that no value is adapted to. */
const unsupported: readonly string[] = ['$dynamicRef', '$recursiveRef', 'unevaluatedItems', 'unevaluatedProperties']

/** What is wrong with the keywords of one schema, those beneath it aside. */
function ownFault(schema: Record<string, unknown>, root: unknown, patternFault: PatternFault): string | null {
  const { $ref: ref, type, pattern, enum: values, required } = schema
  const refused = unsupported.find((keyword) => schema[keyword] !== undefined && schema[keyword] !== true)
  if (refused !== undefined) return `${refused} is not supported`
  if (ref !== undefined && (typeof ref !== 'string' || localRef(root, ref) === undefined)) return `$ref must name a part of the same schema (#/$defs/…), and ${JSON.stringify(ref).slice(0, 100)} does not`
  const named: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (!named.every((name) => types.has(name))) return `unknown type ${JSON.stringify(type).slice(0, 100)}`
  const ofPattern = pattern === undefined ? null : patternFault(pattern)
  if (ofPattern !== null) return ofPattern
  if (values !== undefined && (!Array.isArray(values) || values.length === 0 || values.length > schemaLimits.enumValues)) return `enum must be a list of 1 to ${schemaLimits.enumValues} values`
  if (required !== undefined && (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))) return 'required must be a list of names'
  for (const name of isObject(schema['patternProperties']) ? Object.keys(schema['patternProperties']) : []) {
    const fault = patternFault(name)
    if (fault !== null) return fault
  }
  return null
}

/** One schema within another, and where it stands there. */
interface Place {
  readonly schema: unknown
  readonly at: string
  readonly depth: number
}

const inside = (at: string, ...keys: readonly (string | number)[]): string => keys.reduce<string>(pointed, at)

/** The schemas beneath one, or what is wrong with where they should be. */
function beneath(schema: Record<string, unknown>, { at, depth }: Place): readonly Place[] | string {
  const found: Place[] = []
  const add = (inner: unknown, ...keys: readonly (string | number)[]): void => void found.push({ schema: inner, at: inside(at, ...keys), depth: depth + 1 })
  for (const [key, value] of Object.entries(schema)) {
    if (one.has(key) && Array.isArray(value) && key === 'items') for (const [index, inner] of value.entries()) add(inner, key, index)
    else if (one.has(key)) add(value, key)
    else if (lists.has(key)) {
      if (!Array.isArray(value) || value.length === 0) return `${key} must be a list of schemas`
      for (const [index, inner] of value.entries()) add(inner, key, index)
    } else if (namedSchemas.has(key)) {
      if (!isObject(value)) return `${key} must be an object of schemas`
      if (Object.hasOwn(value, '__proto__')) return 'a property cannot be called __proto__'
      for (const [name, inner] of Object.entries(value)) if (key !== 'dependencies' || !Array.isArray(inner)) add(inner, key, name)
    }
  }
  return found
}

/** Keywords that say something of a value. */
const telling: ReadonlySet<string> = new Set([...one, ...lists, ...namedSchemas, 'type', 'enum', 'const', '$ref', 'format', 'pattern', 'required', 'minProperties', 'maxProperties', 'minItems', 'maxItems', 'minimum', 'maximum', 'dependentRequired', 'default', 'examples', ...unsupported])
/** Keywords that say something about a schema, as texts. */
const labels: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'title', 'description'])

/** Whether an object has nothing of a schema in it, as where its properties were given in its place. */
function isNoSchema(schema: Record<string, unknown>): boolean {
  const entries = Object.entries(schema)
  return entries.length > 0 && !entries.some(([key, value]) => telling.has(key) || (labels.has(key) && typeof value === 'string'))
}

/** Whether a schema allows whatever there is. */
export const isOpen = (schema: Readonly<Record<string, unknown>>): boolean => !Object.keys(schema).some((key) => telling.has(key))

/** Why a caller's JSON Schema cannot be used, and where it stands; null when it can. Bounded work, whatever the schema. */
export function schemaFault(root: Readonly<Record<string, unknown>>): string | null {
  if (JSON.stringify(root).length > schemaLimits.characters) return `longer than ${schemaLimits.characters} characters`
  if (isNoSchema(root)) return 'none of its keys is one of JSON Schema; properties stand in "properties": {"type": "object", "properties": {…}}'
  const patternFault = patternFaults()
  const waiting: Place[] = [{ schema: root, at: '', depth: 0 }]
  for (let seen = 0, next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (++seen > schemaLimits.nodes) return `more than ${schemaLimits.nodes} schemas in one`
    if (next.depth > schemaLimits.depth) return `nested deeper than ${schemaLimits.depth} levels`
    const { schema } = next
    if (typeof schema === 'boolean') continue
    const where = next.at === '' ? '' : `${visible(next.at, 300)}: `
    if (!isObject(schema)) return `${where}a schema must be an object`
    const fault = ownFault(schema, root, patternFault)
    if (fault !== null) return where + fault
    const below = beneath(schema, next)
    if (typeof below === 'string') return where + below
    waiting.push(...below)
  }
  return null
}
