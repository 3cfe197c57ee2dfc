import { type Entity, valuesOf } from '../facts/entity.ts'
import { attribute, type Element, isElement, oneLine, walk } from '../html/tree.ts'
import { namesOf } from './entity.ts'
import { isAside, isNear, ofPage, partsOf } from './place.ts'
import type { Clue, Scan } from './scan.ts'

/** What the rules look at. */
export interface Source {
  readonly scan: Scan
  readonly articles: readonly Entity[]
  /** The values of `meta` elements, by name in lower case. */
  readonly metas: ReadonlyMap<string, readonly string[]>
}

const maxName = 100
const maxLine = 300
const mostNames = 12
/** Most nodes between the first and the last of several authors. */
const together = 60
const introduction = /^(?:(?:(?:article|story|post|recipe|words|text|written|posted|published|created|added|submitted|opened|started|reported|authored|publié|escrito|geschrieben|verfasst|veröffentlicht)\s+(?:by|par|por|von)|by|von|par|por|door|av|text|autor(?:in)?|authors?)(?:\s*[:–-]\s*|\s+)|(?:автор|текст|autorka|szerző|forfatter|yazar|yazan|συντάκτης|tác giả|penulis|oleh|بقلم|الكاتب|נכתב על ידי|מאת|作者|著者|筆者|執筆者?|記者|记者|撰文|文|글)\s*[:：／]\s*|(?:author|autor)\s*:?$|(?:(?:written|posted|created|added|submitted|opened|started|reported) )?by:?$)/i
const nobody = /^(?:(?:site|web|noc|wp|super)?[ -]?(?:admin(?:istrator)?|master|user)|editor(?:s|ial)?|staff|(?:the |no )?authors?|undefined|null|none|guest|anonymous|unknown|root|default|n\/a|by|on|in|and|name|about the author|redaktion|team|share|updated|published|posted|written|view (?:all )?posts?.*|view all .*|posts? by.*|follow.*|read more.*|more (?:from|by).*|all posts.*|see (?:all|more).*|log ?in|home|contact|news|agencies|agency|updates?|min(?:ute)?s? read|(?:recipe|story|article|words|text|photos?|images?) (?:by|von)|.* (?:reporter|editor|writer|correspondent)|veröffentlicht.*|posted on.*|published.*|updated.*|reviewed.*|edited.*|fact.?checked.*)$/i
const dated = /\b(?:19|20)\d\d\b|\d{1,2}[:.]\d\d|\d/

/** A name as people write it; undefined for anything else, such as an address or a role. */
function nameIn(text: string): string | undefined {
  const name = oneLine(text.replace(/\u00ad/g, '')).replace(introduction, '').replace(/^[\s,;:|·•–-]+|[\s,;:|·•–-]+$/g, '')
  if (name === '' || name.length > maxName || nobody.test(name) || /https?:|www\.|@|[<>{}[\]=/\\]|\.(?:com|org|net|html?)$/i.test(name) || !/\p{L}.*\p{L}/u.test(name)) return undefined
  return name
}

/** A person's name as shown on a page: a few words that start with a capital letter. */
function shownName(parts: readonly string[]): string | undefined {
  for (const part of parts.slice(0, 5)) {
    const first = part.split(/\s*[|·•—–]\s*|\s+-\s+|,?\s+(?:on|am|le|el|in|updated|published|posted)\s+(?=[\d\p{Lu}])/u).find((one) => one.replace(introduction, '').trim() !== '')
    const name = first === undefined ? undefined : nameIn(first)
    if (name !== undefined && name.length > 2 && !dated.test(name) && name.split(/\s+/).length <= 6 && /^[\p{Lu}\p{Lo}]/u.test(name)) return name
    if (first !== undefined && name !== undefined) return undefined
  }
  return undefined
}

const joined = (names: readonly string[]): string | undefined => (names.length === 0 ? undefined : [...new Set(names)].slice(0, mostNames).join(', '))
const valid = (names: readonly string[]): readonly string[] => names.flatMap((name) => nameIn(name) ?? [])
const ordered = (name: string): string => name.replace(/^([^,]+), ([^,]+)$/, '$2 $1')

const metaNames = ['author', 'article:author', 'parsely-author', 'sailthru.author', 'dc.creator', 'dcterms.creator', 'byl', 'cxenseparse:author']
const nameClass = /^(?:[\w-]*[_-])?(?:author|byline|by-line|writer)(?:s?[_-]{0,2}(?:name|link|title|text|info|item|by|url|fn|inner|wrapper|content|block|meta|details|data))*$/i
const inOther = /avatar|image|img|photo|bio|desc|social|box|role|job|position|icon|comment/i

/**
 * The ways in which pages name their author, most certain first. A rule returns the name or undefined. `certain` rules may
 * return a single word.
 */
const authorRules: readonly (readonly [name: string, find: (source: Source) => string | undefined, certain: boolean])[] = [
  ['json-ld', ({ articles }) => firstOf(articles, (entity) => joined(valid(namesOf(valuesOf(entity, 'author'))))), true],
  ['json-ld creator', ({ articles }) => firstOf(articles, (entity) => joined(valid(namesOf(valuesOf(entity, 'creator'))))), true],
  ['meta citation', ({ metas }) => joined(valid((metas.get('citation_author') ?? []).map(ordered))), true],
  ['meta', ({ metas }) => firstOf(metaNames, (name) => joined(valid(metas.get(name) ?? []))), true],
  ['meta card', ({ metas }) => firstOf(['1', '2'], (n) => (/^(?:written by|author|von|verfasst von|geschrieben von|écrit par|escrito por|skriven av)$/i.test(metas.get(`twitter:label${n}`)?.[0] ?? '') ? joined(valid(metas.get(`twitter:data${n}`) ?? [])) : undefined)), true],
  ['itemprop', ({ scan }) => shown(scan, ({ element }) => /\bauthor\b/i.test(attribute(element, 'itemprop') ?? ''), propertyParts), true],
  ['rel', ({ scan }) => shown(scan, ({ element }) => element.name === 'a' && /\bauthor\b/i.test(attribute(element, 'rel') ?? ''), lineParts), true],
  ['class', ({ scan }) => firstOf(ofPage(scan, scan.named.filter(isNameClass)), ({ element }) => shownName(lineParts(element))), false],
  ['text', ({ scan }) => firstOf(scan.bylines, ({ text, order }) => (isNear(scan, order) && text.parent !== null && isElement(text.parent) && !isAside(text.parent) ? bylineName(text.data, text.parent) : undefined)), false],
]

/**
 * The author of a page, by the first rule that finds one. Full names come first; single words and the site's own name are
 * used only when there is nothing else.
 */
export function authorOf(source: Source, site: string | undefined): string | undefined {
  let weak: string | undefined
  const own = site?.toLowerCase()
  for (const [, find, certain] of authorRules) {
    const name = find(source)
    if (name === undefined) continue
    if (name.includes(' ') && !(own !== undefined && (name.toLowerCase() === own || own.startsWith(`${name.toLowerCase()} `) || name.toLowerCase().startsWith(`${own} `)))) return name
    if (certain) weak ??= name
  }
  return weak
}

function firstOf<T>(list: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

const lineParts = (element: Element): readonly string[] => partsOf(element, maxLine)

/** The names in elements of a kind that are close to each other. */
function shown(scan: Scan, isOne: (clue: Clue) => boolean, parts: (element: Element) => readonly string[]): string | undefined {
  const clues = ofPage(scan, scan.named.filter(isOne))
  const [first] = clues
  return first && joined(clues.filter(({ order }) => order < first.order + together).flatMap(({ element }) => shownName(parts(element)) ?? []))
}

function isNameClass({ element }: Clue): boolean {
  return (attribute(element, 'class') ?? '').slice(0, maxLine).split(/\s+/).some((name) => nameClass.test(name) && !inOther.test(name))
}

const person = /^(?:\p{Lu}[\p{L}.'’-]*|de|van|von|der|la|di|bin|al|and|und|&)(?:\s+(?:\p{Lu}[\p{L}.'’-]*|de|van|von|der|la|di|bin|al|and|und|&)){1,3}$/u

/** The name in a text that starts like a byline; when the text ends after "By", the name is in the rest of the element. */
function bylineName(text: string, parent: Element): string | undefined {
  const name = shownName(introduction.test(text.trim()) && nameIn(text) === undefined ? lineParts(parent) : [oneLine(text)])
  return name !== undefined && person.test(name) ? name : undefined
}

/** The texts with the name of a marked-up author: its `name` property, otherwise its own text. */
function propertyParts(element: Element): readonly string[] {
  const content = attribute(element, 'content')
  if (content !== undefined) return [content]
  let name: readonly string[] | undefined
  walk(element, (node) => {
    if (name !== undefined) return false
    if (isElement(node) && attribute(node, 'itemprop') === 'name') name = [attribute(node, 'content') ?? ''].filter((one) => one !== '').concat(lineParts(node))
    return undefined
  })
  return name ?? lineParts(element)
}
