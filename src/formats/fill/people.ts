import { type FactValue, isEntity } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import { quoted } from '../../lib/quoted.ts'
import { hostNames, plainText, tight } from './names.ts'
import type { Candidate, Source } from './source.ts'
import { textOfEntity } from './values.ts'

/** How far below its heading an article names who wrote it. */
const bylineReach = 2_000

/** The text in which a page names who wrote it: from a little above its heading on. */
function bylineText({ text, headings }: Facts['layout'], above: number): string {
  const start = Math.max(-1, ...headings.map((heading) => text.indexOf(heading)))
  return start < 0 ? '' : text.slice(Math.max(0, start - above), start + bylineReach)
}

/** Lines below the heading that are a byline and nothing else: in a menu "By" stands before much else. */
function bylines(layout: Facts['layout']): readonly string[] {
  const found = bylineText(layout, 0).split('\n').flatMap((line) => /^\s*(?:written |posted )?by:?\s+(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3})\s*$/iu.exec(line)?.[1] ?? [])
  return [...new Set(found.filter((name) => /^\p{Lu}/u.test(name)))]
}

/** The only one whom links and lines of a page call its author, where its heading is near. */
export function shownAuthors({ layout }: Facts): readonly string[] {
  const names = [...new Set(layout.authors.length > 0 ? layout.authors : bylines(layout))]
  return names.length === 1 && names.every((name) => bylineText(layout, 400).includes(name)) ? names : []
}

/** An author that no reader would call one. */
const noPerson = /^(?:admin|administrator|webmaster|editor|guest|staff|anonymous|unknown|root|user|wordpress|.*@.*|https?:.*|(?:view|read|see|more|all)\b.*|.*\b(?:posts|articles))$/i

/** A name, and no office or place behind it. */
const name = /^[\p{L}\p{N}_.'’-]+(?: [\p{L}\p{N}_.'’-]+){0,3}$/u

/** Whether what stands beside a label is a name, near the heading: "Author" stands before much else. */
export const isNameNear = (value: string, { facts }: Source): boolean => name.test(value.trim()) && !/\d{4}/.test(value) && bylineText(facts.layout, 400).includes(value)

/** The name of an author without what its site puts before it, and behind a line; null where there is none. */
export function authorIn(value: FactValue): string | null {
  const bare = isEntity(value) ? textOfEntity(value) : value
  return typeof bare === 'string' ? bareAuthor(bare) : null
}

const bareAuthor = (author: string): string => author.replace(/^(?:(?:written|posted) )?by:?\s+/i, '').split(/\s+[|•·]\s+/)[0] ?? author

/** Whether somebody is called as the site is: who wrote it is not said then. */
const isSite = (author: string, { facts }: Source): boolean => [...hostNames(facts.url), ...(facts.meta.props.get('siteName') ?? []).map((site) => tight(String(site)))].includes(tight(author))

/** Whether a page names somebody else in one breath with an author. */
function hasCompany(author: string, { facts: { layout } }: Source): boolean {
  const other = `\\p{Lu}[\\p{L}.'’-]{1,30} \\p{Lu}[\\p{L}.'’-]{1,30}`
  const joined = new RegExp(`${quoted(author)}[\\s\\d*]{0,12}(?:,|;|&|\\band\\b)[\\s,]{0,12}(?:and |& )?${other}|${other}[\\s\\d*]{0,12}(?:,|;|&|\\band\\b)[\\s,]{0,12}(?:and |& )?${quoted(author)}`, 'u')
  return joined.test(layout.text.slice(0, 60_000))
}

/** Whether a party that is no person is named as the one who wrote. */
const isByline = (author: string, { facts }: Source): boolean => new RegExp(`\\bby:?\\s+${quoted(author)}`, 'i').test(bylineText(facts.layout, 400))

/** Whether a value can be who wrote a page. */
export function isAuthor({ value }: Candidate, source: Source): boolean {
  const bare = authorIn(value)
  if (bare === null || noPerson.test(bare.trim()) || bare.length > 100 || isSite(bare, source)) return false
  return !isEntity(value) || !value.types.includes('Organization') || value.types.includes('Person') || isByline(bare, source)
}

/** The author on whom all sources agree, by name; none where there are several, of whom nobody can say which is wanted. */
export function agreedAuthors(candidates: readonly Candidate[], source: Source): readonly Candidate[] {
  const named = candidates.flatMap((one) => {
    const value = authorIn(one.value)
    return value === null ? [] : [{ ...one, value }]
  })
  const longest = named.reduce((longer, { value }) => (value.length > longer.length ? value : longer), '')
  const [first] = named
  return first === undefined || named.some(({ value }) => !plainText(longest).includes(plainText(value))) || (source.whole && hasCompany(first.value, source)) ? [] : [first]
}
