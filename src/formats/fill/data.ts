import { conform } from '../../domain/schemas/conform.ts'
import { type Shape, shapeOf } from '../../domain/schemas/shape.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { typed } from './values.ts'
import { keyOf } from './words.ts'
import { pointed } from '../../lib/json-pointer.ts'

const maxItems = 500
const maxValues = 20_000
/** Names that are compared otherwise than as they are written. */
const maxNames = 20_000

/** Fills a schema from data by the names of its properties: what has no such name in the data is null. */
class Projection {
  readonly missing: string[] = []
  #left = maxValues
  #names = maxNames

  value(shape: Shape, data: unknown, at: string): unknown {
    if (shape.kind === 'object') return this.#object(shape, isObject(data) ? data : {}, at)
    if (shape.kind === 'array') return Array.isArray(data) && data.length > 0 ? data.slice(0, maxItems).map((one, i) => this.value(shape.items, one, pointed(at, i))) : this.#none(at, [])
    if (this.#left-- <= 0 || data === undefined || data === null) return this.#none(at, null)
    if (shape.kind === 'any' && shape.values === null) return data
    const isScalar = typeof data === 'string' || typeof data === 'number' || typeof data === 'boolean'
    return (isScalar && data !== '' ? typed(data, shape) : null) ?? this.#none(at, null)
  }

  #object(shape: Extract<Shape, { kind: 'object' }>, data: JsonObject, at: string): unknown {
    // A map has no property names to look for.
    if (shape.map && Object.keys(data).length > 0) return this.#map(shape, data, at)
    if (shape.map && shape.properties.length === 0) return this.#none(at, null)
    const byKey = shape.properties.every(({ name }) => Object.hasOwn(data, name)) ? new Map<string, string>() : this.#byKey(data)
    return Object.fromEntries(shape.properties.map(({ name, shape: inner }) => {
      const own = Object.hasOwn(data, name) ? name : byKey.get(keyOf(name))
      return [name, this.value(inner, own === undefined ? undefined : data[own], pointed(at, name))]
    }))
  }

  /** All data of a map, which may lack some that it requires. */
  #map({ properties }: Extract<Shape, { kind: 'object' }>, data: JsonObject, at: string): unknown {
    for (const { name } of properties) if (!Object.hasOwn(data, name) || data[name] === null) this.missing.push(pointed(at, name))
    return data
  }

  #byKey(data: JsonObject): ReadonlyMap<string, string> {
    const names = Object.keys(data).slice(0, this.#names)
    this.#names -= names.length
    return new Map(names.reverse().map((name) => [keyOf(name), name]))
  }

  #none<T>(at: string, value: T): T {
    this.missing.push(at)
    return value
  }
}

/** The data where the schema looks for it: a bare list is that of the only list asked for. */
function placed(shape: Shape, data: unknown): unknown {
  if (shape.kind !== 'object' || !Array.isArray(data)) return data
  const [list, other] = shape.properties.filter((field) => field.shape.kind === 'array')
  return list === undefined || other !== undefined ? data : { [list.name]: data }
}

/** Fills a schema from the data of a file (JSON, a table); what they do not say is null, as is everything without data. */
export function fillFromData(schema: JsonObject, data: unknown): { readonly value: unknown; readonly missing: readonly string[] } {
  const shape = shapeOf(schema)
  const projection = new Projection()
  const { ok, value, dropped } = conform(projection.value(shape, placed(shape, data), ''), schema)
  return ok ? { value, missing: [...new Set([...projection.missing, ...dropped])] } : { value: null, missing: [''] }
}
