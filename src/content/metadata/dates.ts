import { isDay } from '../../lib/time.ts'
import { type Entity } from '../facts/entity.ts'
import { dateIn } from '../evidence/dates.ts'
import { headingTags } from '../html/tag-sets.ts'
import { attribute, type ChildNode, type Element, isElement, isText, type ParentNode, type Text } from '../html/tree.ts'
import { textIn } from './entity.ts'
import { isOfEntry, lineOf, ofPage } from './place.ts'
import type { Clue, Scan } from './scan.ts'

/** Dates in other years are placeholders. */
const plausible = /^(?:199\d|20[0-4]\d)-/

/** Machine-readable forms: ISO 8601, and RFC 2822 with a time. */
const machine = /^\d{4}-\d{2}-\d{2}|^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d/

/**
 * The date in a field for dates: as written when machine-readable, otherwise the day that it names; undefined when
 * implausible.
 */
function fieldDate(value: string | undefined): string | undefined {
  if (value === undefined || value.length > 80) return undefined
  const day = dateIn(value)
  if (day === undefined || !plausible.test(day)) return undefined
  return machine.test(value.trim()) ? value.trim() : day
}

type Metas = ReadonlyMap<string, readonly string[]>

/** What the rules look at. */
export interface DateSource {
  readonly scan: Scan
  readonly articles: readonly Entity[]
  readonly pages: readonly Entity[]
  readonly metas: Metas
  readonly url: string
}

type Rule = readonly [name: string, find: (source: DateSource) => string | undefined]

/** The result of the first rule that has one. */
export function dateBy(rules: readonly Rule[], source: DateSource): string | undefined {
  for (const [, find] of rules) {
    const date = find(source)
    if (date !== undefined) return date
  }
  return undefined
}

const published = ['article:published_time', 'og:article:published_time', 'og:published_time', 'article:published', 'datepublished', 'parsely-pub-date', 'sailthru.date', 'cxenseparse:recs:publishtime', 'publish-date', 'publish_date', 'publishdate', 'pubdate', 'published_time', 'published', 'article.published', 'bt:pubdate', 'citation_publication_date', 'citation_date', 'citation_online_date', 'dcterms.issued', 'dc.date.issued', 'dcterms.created', 'dc.date.created', 'dcterms.date', 'dc.date', 'date', 'release_date', 'publication_date', 'displaydate', 'created', 'originalpublicationdate', 'dc.date.published', 'article_date_original']
const modified = ['article:modified_time', 'og:updated_time', 'datemodified', 'article:modified', 'dcterms.modified', 'dc.date.modified', 'lastmod', 'last-modified', 'revised', 'article:updated_time']

/** The ways in which pages say when they were published, most certain first. */
export const publishedRules: readonly Rule[] = [
  ['json-ld', ({ articles }) => fieldDate(textIn(articles, 'datePublished'))],
  ['meta', ({ metas }) => firstMeta(published, metas)],
  ['itemprop', ({ scan }) => firstClue(scan, scan.named.filter(({ element }) => /\bdate(?:Published|Created)\b/i.test(attribute(element, 'itemprop') ?? '')))],
  ['time pubdate', ({ scan }) => firstClue(scan, scan.times.filter(({ element }) => attribute(element, 'pubdate') !== undefined || /\b(?:published|entry-date)\b/i.test(attribute(element, 'class') ?? '')))],
  ['time', ({ scan }) => firstClue(scan, scan.times.filter(({ element }) => !isModified(element)))],
  ['class', ({ scan }) => firstClue(scan, scan.named.filter(({ element }) => isDateClass(element) && !isModified(element)))],
  ['url', ({ url }) => urlDate(url)],
  ['near heading', ({ scan }) => textDate(scan)],
  ['json-ld uploaded', ({ articles }) => fieldDate(textIn(articles, 'uploadDate') ?? textIn(articles, 'dateCreated'))],
  ['json-ld page', ({ pages }) => fieldDate(textIn(pages, 'datePublished'))],
]

/** The ways in which pages say when they were modified, most certain first. */
export const modifiedRules: readonly Rule[] = [
  ['meta', ({ metas }) => firstMeta(modified, metas)],
  ['json-ld', ({ articles, pages }) => fieldDate(textIn([...articles, ...pages], 'dateModified'))],
  ['itemprop', ({ scan }) => firstClue(scan, scan.named.filter(({ element }) => /\bdateModified\b/i.test(attribute(element, 'itemprop') ?? '')))],
  ['time', ({ scan }) => firstClue(scan, scan.times.filter(({ element }) => isModified(element)))],
]

const isModified = (element: Element): boolean => /updat|modif|edited|geändert|aktualisiert/i.test(`${attribute(element, 'class') ?? ''} ${attribute(element, 'itemprop') ?? ''}`)
const dateClass = /(?:^|[\s_-])(?:date|dateline|published|pubdate|publish(?:ed)?[_-]?(?:date|on|time)|posted[_-]?on|timestamp|time|datum|fecha|postmetadata|posted|meta[_-]?date|created)(?:$|[\s_-])/i

function isDateClass(element: Element): boolean {
  const names = (attribute(element, 'class') ?? '').slice(0, 300)
  return dateClass.test(names) && !/updat|update|event|countdown/i.test(names)
}

function firstMeta(names: readonly string[], metas: Metas): string | undefined {
  for (const name of names) for (const value of metas.get(name) ?? []) {
    const date = fieldDate(value)
    if (date !== undefined) return date
  }
  return undefined
}

function firstClue(scan: Scan, clues: readonly Clue[]): string | undefined {
  for (const { element } of ofPage(scan, clues)) {
    const field = fieldDate(attribute(element, 'datetime') ?? attribute(element, 'content'))
    const shown = field ?? fieldDate(lineOf(element, 80))
    if (shown !== undefined && !saysUpdated(element)) return shown
  }
  return undefined
}

const updated = /updat|modif|edited|reviewed|aktualisiert|geändert|mis à jour|actualizado|aggiornat|atualizado|bijgewerkt|uppdater|opdater|zaktualizowan|обновлен|изменен|оновлен|güncelle|ενημερώ|cập nhật|diperbarui|更新|修订|改訂|수정|업데이트|تحديث|עודכן|\bstand\b/i

/** Whether the words before a date say that it is the date of an update. */
function saysUpdated(element: Element): boolean {
  const own = lineOf(element, 160)
  const before = element.parent && isElement(element.parent) ? lineOf(element.parent, 400) : own
  const at = before.indexOf(own)
  const words = before.slice(0, Math.max(at, 0)).slice(-25) + own.split(/\d/)[0]
  return updated.test(words) && !/publi/i.test(words)
}

/** The day in an address such as /2024/05/17/. */
function urlDate(url: string): string | undefined {
  const found = /[/_-]((?:199|20[0-3])\d)[/_-](0?[1-9]|1[0-2])[/_-](0?[1-9]|[12]\d|3[01])(?=[/_.?#-]|$)/.exec(url) ?? /\/(20[0-3]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?=[/_.?#-]|$)/.exec(url)
  return found === null || !isDay(Number(found[1]), Number(found[2]), Number(found[3])) ? undefined : `${found[1]}-${found[2]?.padStart(2, '0')}-${found[3]?.padStart(2, '0')}`
}

const linesAfter = 40
const longLine = 80

/** The date in a short text directly below the heading. */
function textDate(scan: Scan): string | undefined {
  const { heading } = scan
  if (heading === undefined) return undefined
  let at: ChildNode | null = heading.element
  let before = ''
  for (let seen = 0; at && seen < linesAfter; seen++) {
    at = following(at)
    if (at === null) return undefined
    if (isText(at) && at.data.length <= longLine && at.data.trim() !== '') {
      const day = dateIn(at.data)
      if (day !== undefined && (isOfRelease(at) || (at.parent !== null && isElement(at.parent) && isOfEntry(scan, at.parent)))) return undefined
      if (day !== undefined && plausible.test(day) && !updated.test(`${before} ${at.data.split(/\d/)[0]}`)) return day
      before = at.data.slice(-25)
    } else if (isText(at) && at.data.trim().length > 2 * longLine) return undefined
  }
  return undefined
}

/** Whether a text is in a heading that names a version and its day: there begins a list of changes. */
function isOfRelease({ parent }: Text): boolean {
  return parent !== null && isElement(parent) && headingTags.has(parent.name) && /\d\.\d\S*\s.*\d{4}/.test(lineOf(parent, longLine))
}

/** The next node in document order, skipping the content of first-level headings. */
function following(node: ChildNode): ChildNode | null {
  const inside = isElement(node) && node.name !== 'h1' ? node.children[0] : undefined
  if (inside) return inside
  for (let up: ChildNode | ParentNode | null = node; up && 'next' in up; up = up.parent) if (up.next) return up.next
  return null
}
