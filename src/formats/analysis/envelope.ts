import type { Shape } from '../../domain/schemas/shape.ts'
import { isEmpty } from './ground.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { pointed } from '../../lib/json-pointer.ts'

type Schema = JsonObject

/** Whether an answer is in the envelope; the schema may have a property `data` of its own. */
function isEnvelope(value: unknown, schema: Schema | null): value is Record<string, unknown> {
  if (!isObject(value) || !('data' in value)) return false
  const own = isObject(schema?.['properties']) && 'data' in schema['properties']
  return !own || 'evidence' in value || (isObject(value['data']) && 'data' in value['data'])
}

/** The data and quotes of an answer, whether or not the model used the envelope. */
export function opened(value: unknown, schema: Schema | null): { readonly data: unknown; readonly quotes: ReadonlyMap<string, string> } {
  if (!isEnvelope(value, schema)) return { data: value, quotes: new Map() }
  const list = Array.isArray(value['evidence']) ? value['evidence'].filter(isObject) : []
  const pointer = (text: string): string => `/${text.replace(/^#?\/?(?:data\/)?/, '')}`
  return { data: value['data'], quotes: new Map(list.flatMap(({ pointer: at, quote }) => (typeof at === 'string' && typeof quote === 'string' ? [[pointer(at), quote] as const] : []))) } // a pair
}

/** Whether the data of an answer has the kind that the schema describes. Null means that the page says nothing. */
export function isOfKind(data: unknown, kind: Shape['kind']): boolean {
  if (data === null || kind === 'any') return true
  return kind === 'object' ? isObject(data) : kind === 'array' ? Array.isArray(data) : typeof data !== 'object'
}

/** Pointers of values that are empty although not every answer says so: the model omitted them, or got them wrong. */
export function ungiven(shape: Shape, answers: readonly unknown[], value: unknown, at = ''): readonly string[] {
  if (answers.every((answer) => answer === null)) return []
  if (isEmpty(value) && answers.includes(undefined)) return [at]
  if (shape.kind !== 'object' || shape.properties.length === 0) return isEmpty(value) && !answers.every((answer) => answer === '' || isEmpty(answer)) ? [at] : []
  const inner = (one: unknown, name: string): unknown => (isObject(one) && Object.hasOwn(one, name) ? one[name] : one === null ? null : undefined)
  return shape.properties.flatMap(({ name, shape: part }) => ungiven(part, answers.map((answer) => inner(answer, name)), inner(value, name), pointed(at, name)))
}
