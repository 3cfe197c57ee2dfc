import { type Entity, type FactSource, type FactValue, follow, isEntity } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import type { Field, Shape } from '../../domain/shape.ts'
import { isScalar } from '../../domain/shape.ts'
import { type Concept, conceptOf } from './concepts.ts'
import { headingOf, hostNames, stateOf, tight } from './special.ts'
import type { Source } from './source.ts'
import { textOfEntity, typed } from './values.ts'
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
  return entities.flatMap((entity): Candidate[] => {
    const own = [...entity.props].filter(([name]) => keys.has(keyOf(name))).flatMap(([, values]) => values)
    const additional = follow(entity, ['additionalProperty']).filter(isEntity).filter((one) => follow(one, ['name']).some((name) => typeof name === 'string' && keys.has(keyOf(name)))).flatMap((one) => follow(one, ['value']))
    return [...own, ...additional].map((value): Candidate => ({ value, source: entity.source }))
  })
}

/** Labels of the page that are called as the property is; none when they disagree. */
function labelled({ labels }: Source, keys: ReadonlySet<string>): Candidate[] {
  const found = [...keys].flatMap((key) => labels().get(key) ?? [])
  const [first] = found
  return first !== undefined && found.every((value) => value === first) ? [{ value: first, source: 'label' }] : []
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
  const ofPage = whole && pageSays.has(concept.name) ? from(subject.page, concept.paths).filter(({ value }) => concept.name === 'language' || isShown(value, source)) : []
  const meta = whole ? (concept.meta ?? []).flatMap((name) => (facts.meta.props.get(name) ?? []).map((value): Candidate => ({ value, source: 'meta' }))) : []
  return [...own, ...(whole ? party : []), ...meta, ...ofPage, ...pageCandidates(concept, source)]
}

/** What the data of a page may say of the page rather than of what it is about. */
const pageSays: ReadonlySet<string> = new Set(['datePublished', 'dateModified', 'language'])

/** Whether a person sees that day: the software of a site dates every page, and nobody else does. */
const isShown = (value: FactValue, { seen }: Source): boolean => typeof value === 'string' && seen().scalar(value.slice(0, 10)) !== undefined

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
      return sole(ownMails(facts))
    case 'phone':
      return sole(phonesOf(facts))
    case 'author':
      return sole([...new Set(layout.authors.length > 0 ? layout.authors : bylines(layout))])
    default:
      return []
  }
}

/** Telephone numbers that a page shows or links, each once. */
function phonesOf({ layout }: Facts): readonly string[] {
  const shown = layout.text.slice(0, 300_000).match(/(?<![\d.-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,4}\)|(?:1-)?\d{3,4})[ .-]\d{3,4}[ .-]\d{4}(?![\d-])/g) ?? []
  const digits = (phone: string): string => phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  return [...new Map([...layout.phones, ...shown].filter((phone) => !sample.test(phone)).map((phone) => [digits(phone), phone])).values()]
}

/** Numbers that stand in templates of sites: all one digit, or of an area that no country has. */
const sample = /^(?:\D*(\d)(?:\D*\1){6,}\D*|\(?1\d\d\)?[ .-]\d{3}[ .-]\d{4})$/

/** How far below its heading an article names who wrote it. */
const bylineReach = 2_000

/** Lines below the heading that are a byline and nothing else: in a menu "By" stands before much else. */
function bylines({ text, headings }: Facts['layout']): readonly string[] {
  const start = Math.max(-1, ...headings.map((heading) => text.indexOf(heading)))
  const lines = (start < 0 ? '' : text.slice(start, start + bylineReach)).split('\n')
  const found = lines.flatMap((line) => /^\s*(?:written |posted )?by:?\s+(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3})\s*$/iu.exec(line)?.[1] ?? [])
  return [...new Set(found.filter((name) => /^\p{Lu}/u.test(name)))]
}

/** Addresses of the site's own: another's may stand on any page. */
function ownMails({ layout, url }: Facts): readonly string[] {
  const label = (host: string): string => host.toLowerCase().replace(/^www\./, '').split('.').slice(-2).join('.')
  const here = label(new URL(url).hostname)
  const written = layout.text.slice(0, 300_000).match(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g) ?? []
  const own = [...new Set([...layout.mails, ...written].map((mail) => mail.toLowerCase().replace(/[.]$/, '')))].filter((mail) => label(mail.split('@')[1] ?? '') === here)
  const [general] = own.filter((mail) => /^(?:info|contact|hello|support|office|sales|mail|kontakt)@/.test(mail))
  return own.length === 1 ? own : general !== undefined && own.filter((mail) => /^(?:info|contact|hello|support|office|sales|mail|kontakt)@/.test(mail)).length === 1 ? [general] : []
}

/** An author that no reader would call one. */
const noPerson = /^(?:admin|administrator|webmaster|editor|guest|staff|anonymous|unknown|root|user|wordpress|.*@.*|https?:.*)$/i

/** What stands beside a rating, or a count of them, where a page shows it. */
const beside: Readonly<Record<string, RegExp>> = {
  rating: /rat(?:ed|ing)|stars?\b|out of|\/\s?5|★|review|score/i,
  reviewCount: /review|rating|vote|opinion|bewertung|avis/i,
}
const around = 40
const unrated = /\b(?:no|0) (?:customer )?(?:reviews|ratings) yet\b|\bbe the first to (?:write a )?review\b|\bnot (?:yet )?(?:rated|reviewed)\b|\bbased on 0 reviews\b/i
const identifiers: ReadonlySet<string> = new Set(['sku', 'mpn', 'model', 'gtin'])

/** Whether a person sees a value as what it is said to be: small numbers and parts of codes stand on every page. */
function seenAs(concept: Concept, value: string | number, { facts, seen }: Source): boolean {
  const { text } = facts.layout
  const near = beside[concept.name]
  const exact = (word: string): RegExp => new RegExp(`(?<![\\w.,-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|[.,]\\d)`, 'gi')
  if (near !== undefined) {
    if (unrated.test(text)) return false
    const forms = [...new Set([String(value), Number(value).toLocaleString('en-US'), Number(value).toFixed(1)])]
    return forms.some((form) => [...text.matchAll(exact(form))].slice(0, 200).some(({ index }) => near.test(text.slice(Math.max(0, index - around), index + form.length + around))))
  }
  if (identifiers.has(concept.name)) return exact(String(value)).test(text)
  return seen().scalar(value) !== undefined
}

/** Whether somebody is called as the site is: who wrote it is not said then. */
const isSite = (name: string, { facts }: Source): boolean => [...hostNames(facts.url), ...(facts.meta.props.get('siteName') ?? []).map((site) => tight(String(site)))].includes(tight(name))

function believable(value: FactValue, concept: Concept | undefined, source: Source): boolean {
  const bare = isEntity(value) ? textOfEntity(value) : value
  if (concept?.name === 'author' && typeof bare === 'string' && (noPerson.test(bare.trim()) || bare.length > 100 || isSite(bare, source))) return false
  // Measures in the data of a page are those of its parcel as often as not.
  if (concept === undefined && isEntity(value) && bare !== null) return (String(bare).match(/\d+(?:\.\d+)?/g) ?? []).every((number) => source.seen().number(Number(number)) !== undefined)
  if (concept?.seen !== true || bare === null || typeof bare === 'boolean') return true
  if (concept.name === 'brand' && typeof bare === 'string' && /\s[|–—-]\s/.test(bare)) return false
  return seenAs(concept, bare, source)
}

/** A name without what its site puts behind a line. */
const withoutOffice = (author: string): string => author.split(/\s+[|•·]\s+/)[0] ?? author

/** A name, and no office or place behind it. */
const name = /^[\p{L}\p{N}_.'’-]+(?: [\p{L}\p{N}_.'’-]+){0,3}$/u

/** Whether what stands beside a label is what it is called: "Title" and "Author" stand before much else. */
function tells(value: string, concept: Concept | undefined, { facts }: Source): boolean {
  if (concept?.name === 'author') return name.test(value.trim())
  return concept?.name !== 'title' || facts.title === '' || facts.title.includes(value)
}

/** The value of a property that is no object and no list, or null where the page does not prove one. */
export function scalarOf(field: Field, source: Source): Filled | null {
  const { shape } = field
  if (!isScalar(shape)) return null
  const concept = conceptFor(field)
  const keys = new Set([...keysOf(field), ...(concept === undefined ? [] : concept.called)])
  const own = concept === undefined ? generic(source.subject.main, keysOf(field)) : conceptCandidates(concept, source)
  // What a page is called has been looked at from all sides.
  const settled = concept === undefined || (concept.name === 'title' && source.whole)
  const candidates = [...own, ...(settled ? [] : generic(source.subject.main, keysOf(field))), ...(source.whole ? labelled(source, keys).filter(({ value }) => tells(String(value), concept, source)) : [])]
  for (const { value: given, source: where } of candidates) {
    const value = concept?.name === 'author' && typeof given === 'string' ? withoutOffice(given) : given
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
