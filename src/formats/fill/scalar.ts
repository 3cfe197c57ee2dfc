import { type Entity, type FactSource, type FactValue, follow, isEntity, isOf } from '../../content/facts/entity.ts'
import type { Field, Shape } from '../../domain/schemas/shape.ts'
import { isScalar } from '../../domain/schemas/shape.ts'
import { quoted } from '../../lib/quoted.ts'
import { type Concept, conceptOf, typesCalled } from './concepts.ts'
import { isOwnMail, soleMail, solePhone } from './contacts.ts'
import { dayOf, isProvenDay, type SaidDays, shownDays } from './days.ts'
import { isOfSite } from './names.ts'
import { agreedAuthors, authorIn, isAuthor, isNameNear, shownAuthors } from './people.ts'
import type { Candidate, Source } from './source.ts'
import { stateOf } from './special.ts'
import { titleOf } from './title.ts'
import { textOfEntity, typed } from './values.ts'
import { bareKey, keyOf } from './words.ts'

/** A value, and where it was found. */
export interface Filled {
  readonly value: unknown
  readonly source: FactSource
}

const from = (entities: readonly Entity[], paths: readonly (readonly string[])[]): Candidate[] =>
  entities.flatMap((entity) => paths.flatMap((path) => follow(entity, path).map((value): Candidate => ({ value, source: entity.source }))))

/** Values of properties with that name, the entities' own or additional ones. */
function generic(entities: readonly Entity[], keys: ReadonlySet<string>): Candidate[] {
  return entities.flatMap((entity): Candidate[] => {
    const own = [...entity.props].filter(([name]) => keys.has(keyOf(name))).flatMap(([, values]) => values)
    const additional = follow(entity, ['additionalProperty']).filter(isEntity).filter((one) => follow(one, ['name']).some((name) => typeof name === 'string' && keys.has(keyOf(name)))).flatMap((one) => follow(one, ['value']))
    return [...own, ...additional].map((value): Candidate => ({ value, source: entity.source }))
  })
}

/** The value of labels that are named like the property; empty when they disagree. */
function labelled({ labels }: Source, keys: ReadonlySet<string>): Candidate[] {
  const found = [...keys].flatMap((key) => labels().get(key) ?? [])
  const [first] = found
  return first !== undefined && found.every((value) => value === first) ? [{ value: first, source: 'label' }] : []
}

const jobs: ReadonlySet<string> = new Set(typesCalled['job'])

/** All names of a property: its name, its title, a short description, and synonyms. */
export function keysOf(field: Pick<Field, 'name' | 'title' | 'description'>): ReadonlySet<string> {
  const own = [field.name, field.title, ...(field.description.split(/\s+/).length <= 6 ? [field.description.replace(/[.]$/, '')] : [])].filter((text) => text !== '')
  return new Set(own.flatMap((text) => [keyOf(text), bareKey(text)]).filter((key) => key !== ''))
}

function conceptFor(field: Pick<Field, 'name' | 'title'>, { subject }: Source): Concept | undefined {
  // A person's job title is not the title of the page about the person.
  if (keyOf(field.name) === 'job title' && !subject.main.some((entity) => isOf(entity, jobs))) return undefined
  return conceptOf(keyOf(field.name)) ?? conceptOf(bareKey(field.name)) ?? (field.title === '' ? undefined : conceptOf(keyOf(field.title)))
}

function conceptCandidates(concept: Concept, source: Source): Candidate[] {
  const { subject, facts, whole } = source
  const special = stateOf(concept, source)
  if (special !== null) return [...special]
  if (concept.name === 'title' && whole) return titleOf(source)
  const party = concept.of === 'organization' ? from(subject.organization, concept.paths) : []
  const own = from(subject.main, concept.name === 'organization' ? concept.paths.slice(0, -1) : concept.paths)
  const ofPage = whole && pageSays.has(concept.name) ? from(subject.page, concept.paths).filter(({ value }) => concept.name === 'language' || isShown(value, source)) : []
  const meta = whole ? (concept.meta ?? []).flatMap((name) => (facts.meta.props.get(name) ?? []).map((value): Candidate => ({ value, source: 'meta' }))) : []
  return [...own, ...(whole ? party : []), ...meta, ...ofPage, ...pageCandidates(concept, source)]
}

/** Concepts that the data may say about the page itself rather than its subject. */
const pageSays: ReadonlySet<string> = new Set(['datePublished', 'dateModified', 'language'])

/** Whether the page shows that day: software dates every page, whether or not the text has a date. */
const isShown = (value: FactValue, { seen }: Source): boolean => typeof value === 'string' && seen().scalar(value.slice(0, 10)) !== undefined

/** Values that the page shows without structured data. */
function pageCandidates(concept: Concept, { facts, whole }: Source): Candidate[] {
  if (!whole) return []
  const sole = (list: readonly string[]): Candidate[] => (list.length === 1 && list[0] !== undefined ? [{ value: list[0], source: 'page' }] : [])
  switch (concept.name) {
    case 'url':
      return [{ value: facts.canonical ?? facts.url, source: 'page' }]
    case 'language':
      return facts.language === null ? [] : [{ value: facts.language, source: 'page' }]
    case 'email':
      return sole(soleMail(facts))
    case 'phone':
      return sole(solePhone(facts))
    case 'author':
      return sole(shownAuthors(facts))
    default:
      return []
  }
}

/** Words beside a rating, or a number of ratings, on a page. */
const beside: Readonly<Record<string, RegExp>> = {
  rating: /rat(?:ed|ing)|stars?\b|out of|\/\s?5|★|review|score/i,
  reviewCount: /review|rating|vote|opinion|bewertung|avis/i,
}
const around = 40
const unrated = /\b(?:no|0) (?:customer )?(?:reviews|ratings) yet\b|\bbe the first to (?:write a )?review\b|\bnot (?:yet )?(?:rated|reviewed)\b|\bbased on 0 reviews\b/i
const identifiers: ReadonlySet<string> = new Set(['sku', 'mpn', 'model', 'gtin'])

/** Whether the page shows a value with its meaning: small numbers and parts of codes are on every page. */
function seenAs(concept: Concept, value: string | number, { facts, seen }: Source): boolean {
  const { text } = facts.layout
  const near = beside[concept.name]
  const exact = (word: string): RegExp => new RegExp(`(?<![\\w.,-])${quoted(word)}(?![\\w-]|[.,]\\d)`, 'gi')
  if (near !== undefined) {
    if (unrated.test(text)) return false
    const forms = [...new Set([String(value), Number(value).toLocaleString('en-US'), Number(value).toFixed(1)])]
    return forms.some((form) => [...text.matchAll(exact(form))].slice(0, 200).some(({ index }) => near.test(text.slice(Math.max(0, index - around), index + form.length + around))))
  }
  if (identifiers.has(concept.name)) return exact(String(value)).test(text)
  return seen().scalar(value) !== undefined
}

/** Whether a page shows a measure with its unit: measures in the data are often those of the parcel. */
function isShownMeasure(measure: string, { facts }: Source): boolean {
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(\D+)$/.exec(measure) ?? []
  return amount === undefined || unit === undefined || unit.length > 12 || new RegExp(`(?<![\\d.,])${quoted(amount)}\\s{0,2}${quoted(unit)}s?(?![\\p{L}\\d])`, 'iu').test(facts.layout.text.slice(0, 300_000))
}

function believable(candidate: Candidate, concept: Concept | undefined, source: Source): boolean {
  const { value } = candidate
  if (concept?.name === 'author') return isAuthor(candidate, source) && seenAs(concept, authorIn(value) ?? '', source)
  const bare = isEntity(value) ? textOfEntity(value) : value
  if (concept === undefined && candidate.source !== 'label' && typeof bare === 'string') return isShownMeasure(bare, source)
  if (bare === null || typeof bare === 'boolean') return true
  if (concept === undefined && isEntity(value)) return source.seen().scalar(bare) !== undefined
  if (concept?.seen !== true) return true
  if (concept.name === 'brand' && typeof bare === 'string' && /\s[|–—-]\s/.test(bare)) return false
  // The organization behind a page is often given as one of its services.
  if (concept.name === 'organization' && source.whole && !isOfSite(String(bare), source.facts)) return false
  return seenAs(concept, bare, source)
}

/** Whether the value beside a label is what the label says: "Title", "Author" and "Company" label many things. */
function tells(value: string, concept: Concept | undefined, source: Source): boolean {
  const { facts } = source
  switch (concept?.name) {
    case 'author':
      return isNameNear(value, source)
    case 'organization':
      return isOfSite(value, facts)
    case 'phone':
      return /^[+\d()\s.–-]{7,25}$/.test(value)
    case 'email':
      return isOwnMail(value, facts)
    case 'sku':
    case 'mpn':
    case 'gtin':
      return /^\S{1,40}$/.test(value)
    case 'price':
      return !value.includes('%')
    case 'title':
      return facts.title === '' || facts.title.includes(value)
    default:
      return true
  }
}

/** The first days that the page's data gives for its text. */
function saidDays(source: Source): SaidDays {
  const of = (key: string): string | null => {
    const concept = conceptOf(key)
    return concept === undefined ? null : (conceptCandidates(concept, source).map(({ value }) => dayOf(value)).find((day) => day !== null) ?? null)
  }
  return { published: of('date published'), modified: of('date modified'), shown: shownDays(source) }
}

/** No page repeats a thing more often. */
const maxCandidates = 100

/** The candidates that nothing on the page contradicts. */
function proven(candidates: readonly Candidate[], concept: Concept | undefined, source: Source): readonly Candidate[] {
  const believed = candidates.slice(0, maxCandidates).filter((one) => believable(one, concept, source))
  if (concept?.name === 'author') return agreedAuthors(believed, source)
  if (!source.whole || (concept?.name !== 'datePublished' && concept?.name !== 'dateModified')) return believed
  const { name } = concept
  const said = saidDays(source)
  return believed.filter(({ value }) => isProvenDay(value, name, { source, said }))
}

/** The value of a scalar property; null when the page does not prove one. */
export function scalarOf(field: Field, source: Source): Filled | null {
  const { shape } = field
  if (!isScalar(shape)) return null
  const concept = conceptFor(field, source)
  const keys = new Set([...keysOf(field), ...(concept === undefined ? [] : concept.called)])
  const own = concept === undefined ? generic(source.subject.main, keysOf(field)) : conceptCandidates(concept, source)
  // The title has been determined from all sources already.
  const settled = concept === undefined || (concept.name === 'title' && source.whole)
  const candidates = [...own, ...(settled ? [] : generic(source.subject.main, keysOf(field))), ...(source.whole ? labelled(source, keys).filter(({ value }) => tells(String(value), concept, source)) : [])]
  for (const { value, source: where } of proven(candidates, concept, source)) {
    const fitted = typed(value, shape)
    if (fitted !== null && fitted !== '') return { value: fitted, source: where }
  }
  return null
}

/** All values of a property that is a list of scalars. */
export function scalarsOf(field: Field, items: Shape, source: Source): readonly Filled[] {
  if (!isScalar(items)) return []
  const concept = conceptFor(field, source)
  const keys = keysOf(field)
  const found = concept === undefined ? generic(source.subject.main, keys) : [...conceptCandidates(concept, source)]
  const [first] = found
  const sameSource = found.filter((one) => one.source === first?.source)
  const split = sameSource.flatMap((one) => (typeof one.value === 'string' && concept?.name === 'tags' ? one.value.split(/\s*,\s*/).map((value) => ({ ...one, value })) : [one]))
  const values = split.filter((one) => believable(one, concept, source)).flatMap((one) => {
    const value = typed(one.value, items)
    return value === null || value === '' ? [] : [{ value, source: one.source }]
  })
  return [...new Map(values.map((one) => [JSON.stringify(one.value), one])).values()]
}
