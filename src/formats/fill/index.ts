import { type Entity, type FactSource, follow, isEntity, isOf, valuesOf } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import { conform } from '../../domain/schemas/conform.ts'
import { type Field, isScalar, type Shape, shapeOf } from '../../domain/schemas/shape.ts'
import { typesCalled } from './concepts.ts'
import { keysOf, scalarOf, scalarsOf } from './scalar.ts'
import { pageSource, type Source } from './source.ts'
import { subjectOf } from './subject.ts'
import { textOfEntity, typed } from './values.ts'
import { bareKey, keyOf, wordsOf } from './words.ts'
import { pointed } from '../../lib/json-pointer.ts'

/** A schema, filled as far as the page proves it. */
export interface Fill {
  readonly value: unknown
  /** Where each value was found, by JSON pointer. */
  readonly sources: Readonly<Record<string, FactSource>>
  /** Pointers of what could not be proven: properties that are null, lists that are empty. */
  readonly missing: readonly string[]
}

/** Names of objects that only group properties of the thing itself. */
const groups: ReadonlySet<string> = new Set(['data', 'detail', 'info', 'information', 'pricing', 'price', 'metadata', 'meta', 'spec', 'specification', 'attribute', 'content', 'result', 'seo', 'basic', 'general', 'property', 'characteristic', 'feature'])
const organizations: ReadonlySet<string> = new Set(['company', 'organization', 'organisation', 'contact', 'business', 'publisher', 'contact information', 'contact info', 'contact detail'])
const maxItems = 500

/** Fills a schema from one page. */
class Filling {
  readonly sources: Record<string, FactSource> = {}
  readonly missing: string[] = []
  #left = 5_000

  value(field: Field, source: Source, at: string): unknown {
    if (this.#left-- <= 0) return this.#none(at, null)
    const { shape } = field
    if (shape.kind === 'object') return this.object(shape, this.#within(field, source), at)
    if (shape.kind === 'array') return this.#list(field, shape.items, source, at)
    const found = scalarOf(field, source)
    if (found === null) return this.#none(at, null)
    this.sources[at] = found.source
    return found.value
  }

  object(shape: Extract<Shape, { kind: 'object' }>, source: Source | null, at: string): unknown {
    // A map has no property names to look for.
    if (source === null || (shape.map && shape.properties.length === 0)) return this.#none(at, null)
    return Object.fromEntries(shape.properties.map((field) => [field.name, this.value(field, source, pointed(at, field.name))]))
  }

  #none<T>(at: string, value: T): T {
    this.missing.push(at)
    return value
  }

  /** The source for a nested object: a part of the thing, the thing itself, or the organization behind the page. */
  #within(field: Field, source: Source): Source | null {
    const keys = keysOf(field)
    const nested = source.subject.main.flatMap((entity) => [...entity.props].filter(([name]) => keys.has(keyOf(name))).flatMap(([, values]) => values.filter(isEntity)))
    const about = (main: readonly Entity[], whole: boolean): Source => ({ ...source, whole, subject: { main, page: [], organization: whole ? source.subject.organization : [] } })
    if (nested.length > 0) return about(nested.slice(0, 1), false)
    const types = new Set(typesCalled[bareKey(field.name)] ?? [])
    if (source.subject.main.some((entity) => isOf(entity, types))) return source
    const key = keyOf(field.name)
    if (organizations.has(key)) return { ...source, subject: { main: source.subject.organization, page: [], organization: source.subject.organization } }
    return wordsOf(field.name).every((word) => groups.has(word) || word in typesCalled) ? source : null
  }

  #list(field: Field, items: Shape, source: Source, at: string): unknown {
    if (items.kind === 'object') return this.#objects(field, items, source, at)
    const found = isScalar(items) ? scalarsOf(field, items, source).slice(0, maxItems) : []
    if (found.length === 0) return this.#none(at, [])
    for (const [index, { source: where }] of found.entries()) this.sources[pointed(at, index)] = where
    return found.map(({ value }) => value)
  }

  #objects(field: Field, items: Extract<Shape, { kind: 'object' }>, source: Source, at: string): unknown {
    const rows = entitiesFor(field, source).slice(0, maxItems).map((entity): Source => ({ ...source, whole: false, subject: { main: [entity], page: [], organization: [] } }))
    const made: unknown[] = []
    for (const row of rows) {
      const missed = this.missing.length
      const before = Object.keys(this.sources).length
      const value = this.object(items, row, pointed(at, made.length))
      if (Object.keys(this.sources).length > before) made.push(value)
      else this.missing.length = missed
    }
    const list = made.length > 0 || !source.whole ? made : this.#fromTable(items, source, at)
    return list.length === 0 ? this.#none(at, []) : list
  }

  /** The rows of the only table whose headings match the properties. */
  #fromTable(items: Extract<Shape, { kind: 'object' }>, { facts }: Source, at: string): unknown[] {
    const columns = facts.layout.tables.map((table) => ({ table, of: items.properties.map((field) => ({ field, index: table.headings.findIndex((heading) => keysOf(field).has(keyOf(heading))) })) }))
    const fitting = columns.map((one) => ({ ...one, hits: one.of.filter(({ index }) => index >= 0).length })).filter(({ hits }) => hits >= Math.min(2, items.properties.length))
    const most = Math.max(0, ...fitting.map(({ hits }) => hits))
    const [best, other] = fitting.filter(({ hits }) => hits === most)
    if (best === undefined || other !== undefined) return []
    return best.table.rows.slice(0, maxItems).map((row, index) =>
      Object.fromEntries(best.of.map(({ field, index: column }) => {
        const cell = column < 0 ? undefined : row[column]
        const where = pointed(pointed(at, index), field.name)
        const value = cell === undefined || cell === '' || !isScalar(field.shape) ? null : typed(cell, field.shape)
        if (value === null) this.missing.push(where)
        else this.sources[where] = 'table'
        return [field.name, value]
      })),
    )
  }
}

/** The entities for a list with that name. */
function entitiesFor(field: Field, { subject, facts, whole }: Source): readonly Entity[] {
  const keys = keysOf(field)
  const nested = subject.main.flatMap((entity) => [...entity.props].filter(([name]) => keys.has(keyOf(name))).flatMap(([, values]) => values.filter(isEntity)))
  if (nested.length > 0) return nested
  const types = new Set(typesCalled[bareKey(field.name)] ?? typesCalled[wordsOf(field.name).at(-1) ?? ''] ?? [])
  if (types.size === 0 || !whole) return []
  const inside = subject.main.flatMap((entity) => [...entity.props.values()].flat().filter(isEntity)).filter((entity) => isOf(entity, types))
  const listed = facts.entities.flatMap((entity) => [...follow(entity, ['itemListElement', 'item']), ...follow(entity, ['itemListElement']), ...follow(entity, ['mainEntity']), ...follow(entity, ['mainEntity', 'itemListElement', 'item']), ...follow(entity, ['mainEntity', 'itemListElement'])].filter(isEntity)).filter((entity) => isOf(entity, types))
  const top = facts.entities.filter((entity) => isOf(entity, types))
  return distinct(inside.length > 0 ? inside : listed.length > 0 ? listed : top)
}

/** What a thing is called and where it leads; '' for one without name and address, which two things may share. */
const markOf = (entity: Entity): string => ['url', 'name', 'headline', 'title'].flatMap((name) => valuesOf(entity, name).filter((value) => !isEntity(value)).slice(0, 1)).join(' ')

/** What an entity says, by property, for comparisons. */
const toldOf = ({ props }: Entity): ReadonlyMap<string, string> => new Map([...props].map(([name, values]) => [name, JSON.stringify(values.map((value) => (isEntity(value) ? textOfEntity(value) : value)))]))

/** The entities without those that describe the same thing once more: an event that takes place twice is two things. */
function distinct(entities: readonly Entity[]): readonly Entity[] {
  const kept: Entity[] = []
  const known = new Map<string, { readonly source: FactSource; readonly told: ReadonlyMap<string, string> }[]>()
  for (const entity of entities) {
    if (kept.length >= maxItems) break
    const { source } = entity
    const told = toldOf(entity)
    const alike = known.get(markOf(entity))
    const pairs = [...told]
    const isKnown = alike?.some((other) => other.source !== source || pairs.every(([name, values]) => (other.told.get(name) ?? values) === values))
    if (isKnown === true) continue
    if (alike === undefined) known.set(markOf(entity), [{ source, told }])
    else alike.push({ source, told })
    kept.push(entity)
  }
  return kept
}

/** Fills a schema from the facts of a page; what they do not prove is null (contract §15.5). */
export function fill(schema: Readonly<Record<string, unknown>>, facts: Facts): Fill {
  const source = pageSource(facts, subjectOf(facts))
  const filling = new Filling()
  const shape = shapeOf(schema)
  const root: Field = { name: '', title: typeof schema['title'] === 'string' ? schema['title'] : '', description: '', shape }
  const raw = shape.kind === 'object' ? filling.object(shape, source, '') : filling.value(root, source, '')
  const { ok, value, dropped } = conform(raw, schema)
  if (!ok) return { value: null, sources: {}, missing: [''] }
  // When a list entry was dropped, the later ones have other pointers.
  const gone = dropped.map((pointer) => pointer.replace(/\/\d+$/, ''))
  const sources = Object.fromEntries(Object.entries(filling.sources).filter(([pointer]) => !gone.some((drop) => pointer === drop || pointer.startsWith(`${drop}/`))))
  return { value, sources, missing: [...new Set([...filling.missing, ...dropped])] }
}
