import { type Entity, type FactSource, type FactValue, follow, isEntity } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import type { Field, Shape } from '../../domain/shape.ts'
import { isScalar } from '../../domain/shape.ts'
import { type Concept, conceptOf } from './concepts.ts'
import { headingOf, stateOf } from './special.ts'
import type { Source } from './source.ts'
import { typed } from './values.ts'
import { bareKey, keyOf } from './words.ts'

/** A value with where it was found. */
export interface Filled {
  readonly value: unknown
  readonly source: FactSource
}

type Candidate = { readonly value: FactValue; readonly source: FactSource }

const from = (entities: readonly Entity[], paths: readonly (readonly string[])[]): Candidate[] =>
  entities.flatMap((entity) => paths.flatMap((path) => follow(entity, path).map((value): Candidate => ({ value, source: entity.source }))))

/** Entities whose own properties, and additional ones, have that name. */
function generic(entities: readonly Entity[], keys: ReadonlySet<string>): Candidate[] {
  return entities.flatMap((entity) => {
    const own = [...entity.props].filter(([name]) => keys.has(keyOf(name))).flatMap(([, values]) => values)
    const additional = follow(entity, ['additionalProperty']).filter(isEntity).filter((one) => follow(one, ['name']).some((name) => typeof name === 'string' && keys.has(keyOf(name)))).flatMap((one) => follow(one, ['value']))
    return [...own, ...additional].map((value): Candidate => ({ value, source: entity.source }))
  })
}

/** Labels of the page that are called as the property is; none when they disagree. */
function labelled({ layout }: Facts, keys: ReadonlySet<string>): Candidate[] {
  const found = layout.labels.filter(({ label }) => keys.has(keyOf(label)) || keys.has(bareKey(label)))
  const [first] = found
  const agree = first !== undefined && found.every(({ value }) => value === first.value)
  return agree ? [{ value: first.value, source: 'label' }] : []
}

/** All that a property may be called: its name, its title, a description that is but a name, and other words for the same. */
export function keysOf(field: Pick<Field, 'name' | 'title' | 'description'>): ReadonlySet<string> {
  const own = [field.name, field.title, ...(field.description.split(/\s+/).length <= 6 ? [field.description.replace(/[.]$/, '')] : [])].filter((text) => text !== '')
  return new Set(own.flatMap((text) => [keyOf(text), bareKey(text)]).filter((key) => key !== ''))
}

export function conceptFor(field: Pick<Field, 'name' | 'title'>): Concept | undefined {
  return conceptOf(keyOf(field.name)) ?? conceptOf(bareKey(field.name)) ?? (field.title === '' ? undefined : conceptOf(keyOf(field.title)))
}

function conceptCandidates(concept: Concept, source: Source): Candidate[] {
  const { subject, facts, whole } = source
  const special = stateOf(concept, source)
  if (special !== null) return [...special]
  if (concept.name === 'title' && whole) return headingOf(source)
  const party = concept.of === 'organization' ? from(subject.organization, concept.paths) : []
  const own = from(subject.main, concept.name === 'organization' ? concept.paths.slice(0, -1) : concept.paths)
  const ofPage = whole && (concept.name === 'datePublished' || concept.name === 'dateModified' || concept.name === 'language') ? from(subject.page, concept.paths) : []
  const meta = whole ? (concept.meta ?? []).flatMap((name) => (facts.meta.props.get(name) ?? []).map((value): Candidate => ({ value, source: 'meta' }))) : []
  return [...own, ...(whole ? party : []), ...meta, ...ofPage, ...pageCandidates(concept, source)]
}

/** What stands on the page by itself. */
function pageCandidates(concept: Concept, { facts, whole }: Source): Candidate[] {
  if (!whole) return []
  const { layout } = facts
  const sole = (list: readonly string[]): Candidate[] => (list.length === 1 && list[0] !== undefined ? [{ value: list[0], source: 'page' }] : [])
  switch (concept.name) {
    case 'url':
      return [{ value: facts.canonical ?? facts.url, source: 'page' }]
    case 'language':
      return facts.language === null ? [] : [{ value: facts.language, source: 'page' }]
    case 'email':
      return sole(layout.mails)
    case 'phone':
      return new Set(layout.phones.map((phone) => phone.replace(/[^\d+]/g, ''))).size === 1 ? sole(layout.phones.slice(0, 1)) : []
    case 'author':
      return sole([...new Set(layout.authors)])
    default:
      return []
  }
}

/** An author that no reader would call one. */
const noPerson = /^(?:admin|administrator|webmaster|editor|guest|staff|anonymous|unknown|root|user|wordpress|.*@.*|https?:.*)$/i

function believable(value: FactValue, concept: Concept | undefined, { seen }: Source): boolean {
  const bare = isEntity(value) ? null : value
  if (concept?.name === 'author' && typeof bare === 'string' && (noPerson.test(bare.trim()) || bare.length > 100)) return false
  if (concept?.seen !== true || bare === null || typeof bare === 'boolean') return true
  return seen().scalar(bare) !== undefined
}

/** The value of a property that is no object and no list, or null where the page does not prove one. */
export function scalarOf(field: Field, source: Source): Filled | null {
  const { shape } = field
  if (!isScalar(shape)) return null
  const concept = conceptFor(field)
  const keys = new Set([...keysOf(field), ...(concept === undefined ? [] : concept.called)])
  const own = concept === undefined ? generic(source.subject.main, keysOf(field)) : conceptCandidates(concept, source)
  const candidates = [...own, ...(concept === undefined ? [] : generic(source.subject.main, keysOf(field))), ...(source.whole ? labelled(source.facts, keys) : [])]
  for (const { value, source: where } of candidates) {
    if (!believable(value, concept, source)) continue
    const fitted = typed(value, shape)
    if (fitted !== null && fitted !== '') return { value: fitted, source: where }
  }
  return null
}

/** Every value of a property that is a list of scalars. */
export function scalarsOf(field: Field, items: Shape, source: Source): readonly Filled[] {
  if (!isScalar(items)) return []
  const concept = conceptFor(field)
  const keys = keysOf(field)
  const found = concept === undefined ? generic(source.subject.main, keys) : [...conceptCandidates(concept, source)]
  const [first] = found
  const sameSource = found.filter((one) => one.source === first?.source)
  const split = sameSource.flatMap((one) => (typeof one.value === 'string' && concept?.name === 'tags' ? one.value.split(/\s*,\s*/).map((value) => ({ ...one, value })) : [one]))
  const values = split.filter((one) => believable(one.value, concept, source)).flatMap((one) => {
    const value = typed(one.value, items)
    return value === null || value === '' ? [] : [{ value, source: one.source }]
  })
  return [...new Map(values.map((one) => [JSON.stringify(one.value), one])).values()]
}
