import { type FactValue, isEntity } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import { quoted } from '../../lib/quoted.ts'
import { hostNames, plainText, tight } from './names.ts'
import type { Candidate, Source } from './source.ts'
import { textOfEntity } from './values.ts'

/** How far after its heading an article may name its author, in characters. */
const bylineReach = 2_000

/** The part of the text that may name the author: from a little before the heading. */
function bylineText({ text, headings }: Facts['layout'], above: number): string {
  const start = Math.max(-1, ...headings.map((heading) => text.indexOf(heading)))
  return start < 0 ? '' : text.slice(Math.max(0, start - above), start + bylineReach)
}

/** The names in lines after the heading that are only a byline: in a menu, "By" precedes many things. */
function bylines(layout: Facts['layout']): readonly string[] {
  const found = bylineText(layout, 0).split('\n').flatMap((line) => /^\s*(?:written |posted )?by:?\s+(\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]*){1,3})\s*$/iu.exec(line)?.[1] ?? [])
  return [...new Set(found.filter((name) => /^\p{Lu}/u.test(name)))]
}

/** The only author that links or bylines of a page name, if it is near the heading. */
export function shownAuthors({ layout }: Facts): readonly string[] {
  const names = [...new Set(layout.authors.length > 0 ? layout.authors : bylines(layout))]
  return names.length === 1 && names.every((name) => bylineText(layout, 400).includes(name)) ? names : []
}

/** Author names that are not names of persons. */
const noPerson = /^(?:admin|administrator|webmaster|editor|guest|staff|anonymous|unknown|root|user|wordpress|.*@.*|https?:.*|(?:view|read|see|more|all)\b.*|.*\b(?:posts|articles))$/i

/** Matches a name without a role or place after it. */
const name = /^[\p{L}\p{N}_.'’-]+(?: [\p{L}\p{N}_.'’-]+){0,3}$/u

/** Whether the value beside a label is a name near the heading: "Author" labels many things. */
export const isNameNear = (value: string, { facts }: Source): boolean => name.test(value.trim()) && !/\d{4}/.test(value) && bylineText(facts.layout, 400).includes(value)

/** An author's name without the site's additions before it or after a separator; null when there is none. */
export function authorIn(value: FactValue): string | null {
  const bare = isEntity(value) ? textOfEntity(value) : value
  return typeof bare === 'string' ? bareAuthor(bare) : null
}

const bareAuthor = (author: string): string => author.replace(/^(?:(?:written|posted) )?by:?\s+/i, '').split(/\s+[|•·]\s+/)[0] ?? author

/** Whether an author is called like the site, which names no person. */
const isSite = (author: string, { facts }: Source): boolean => [...hostNames(facts.url), ...(facts.meta.props.get('siteName') ?? []).map((site) => tight(String(site)))].includes(tight(author))

/** Whether a page names somebody else together with an author. */
function hasCompany(author: string, { facts: { layout } }: Source): boolean {
  const other = `\\p{Lu}[\\p{L}.'’-]{1,30} \\p{Lu}[\\p{L}.'’-]{1,30}`
  const joined = new RegExp(`${quoted(author)}[\\s\\d*]{0,12}(?:,|;|&|\\band\\b)[\\s,]{0,12}(?:and |& )?${other}|${other}[\\s\\d*]{0,12}(?:,|;|&|\\band\\b)[\\s,]{0,12}(?:and |& )?${quoted(author)}`, 'u')
  return joined.test(layout.text.slice(0, 60_000))
}

/** Whether a byline names an author that is an organization. */
const isByline = (author: string, { facts }: Source): boolean => new RegExp(`\\bby:?\\s+${quoted(author)}`, 'i').test(bylineText(facts.layout, 400))

/** Whether a value can be the author of a page. */
export function isAuthor({ value }: Candidate, source: Source): boolean {
  const bare = authorIn(value)
  if (bare === null || noPerson.test(bare.trim()) || bare.length > 100 || isSite(bare, source)) return false
  return !isEntity(value) || !value.types.includes('Organization') || value.types.includes('Person') || isByline(bare, source)
}

/** The author on whom all sources agree, by name; empty when there are several, because one cannot tell which is wanted. */
export function agreedAuthors(candidates: readonly Candidate[], source: Source): readonly Candidate[] {
  const named = candidates.flatMap((one) => {
    const value = authorIn(one.value)
    return value === null ? [] : [{ ...one, value }]
  })
  const longest = named.reduce((longer, { value }) => (value.length > longer.length ? value : longer), '')
  const [first] = named
  return first === undefined || named.some(({ value }) => !plainText(longest).includes(plainText(value))) || (source.whole && hasCompany(first.value, source)) ? [] : [first]
}
