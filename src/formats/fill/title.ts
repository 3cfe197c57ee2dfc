import { dateIn } from '../../content/evidence/dates.ts'
import { type FactValue, follow } from '../../content/facts/entity.ts'
import { hostNames, plainText, related, tight } from './names.ts'
import type { Candidate, Source } from './source.ts'
import { urlOf } from '../../lib/url-of.ts'

/** Separators between the parts of a title. */
const between = /\s+[|•·»–—:/-]+\s+|\s*[|»]\s*/

/** The parts of a page's `title`; one of them is often the site's name. */
const partsOf = (title: string): readonly string[] => title.split(between).map((part) => part.trim()).filter((part) => part !== '')

/** Whether a title only names the site, because its first part is missing (`| Shop`). */
const isSiteAlone = (title: string): boolean => /^\s*[|•·»–—:/-]/.test(title)

/** Whether a text is the site's name by its address, on a page other than the home page. */
const isHost = (text: string, url: string): boolean => (urlOf(url)?.pathname ?? '').length > 1 && hostNames(url).includes(tight(text))

/** A title without the site's name at its end; null when it may contain an unknown name. */
function withoutSite(title: string, sites: ReadonlySet<string>): string | null {
  const named = /^(.{3,}) (?:on|at|from|by) (\S.*)$/u.exec(title)
  if (named?.[1] !== undefined && sites.has(tight(named[2] ?? ''))) return named[1]
  const parts = partsOf(title)
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return title
  return parts.length === 2 && sites.has(tight(last)) ? title.slice(0, title.lastIndexOf(last)).replace(/[\s|•·»–—:/-]+$/u, '') : null
}

/** The longer of two titles if one begins with the other: data is often cut. */
const whole = (named: string, titles: readonly string[]): string => (named.length < 90 && !/(?:…|\.{3})$/.test(named) ? named : (titles.find((title) => title.length > named.length && plainText(title).startsWith(plainText(named).slice(0, -3))) ?? named))

/** Titles that software gives to unnamed pages. */
const unnamed = /^(?:home|home ?page|index|welcome|untitled(?: document)?|start|main|page|blog|menu|search|404|error|loading)$/i

/** The words of a title that spell a text whose spaces are missing. */
function spacedAs(text: string, titles: readonly string[]): string | undefined {
  const own = tight(text)
  for (const words of titles.map((title) => title.slice(0, 500).split(/\s+/))) {
    const bare = words.map(tight)
    for (let from = 0; from < words.length; from++) {
      let to = from
      let joined = ''
      while (to < words.length && joined.length < own.length) joined += bare[to++] ?? ''
      const part = words.slice(from, to).join(' ')
      if (joined === own && part.length > text.length) return part
    }
  }
  return undefined
}

/** The titles in the head and the data of a page. */
interface Titles {
  /** The `title` element; '' when it only names the site. */
  readonly own: string
  readonly cards: readonly string[]
  readonly named: readonly Candidate[]
  /** The possible names of the site, without spaces. */
  readonly sites: ReadonlySet<string>
}

/** Most titles and headings that are read: no page has more. */
const maxTitles = 10
const maxHeadings = 50

const texts = (values: readonly FactValue[] | undefined): string[] => (values ?? []).filter((value) => typeof value === 'string')

function titlesOf({ facts, subject }: Source): Titles {
  const { meta } = facts
  const ofPage = (title: string): boolean => !isSiteAlone(title) && !isHost(title, facts.url)
  return {
    own: ofPage(facts.title) ? facts.title : '',
    cards: texts(meta.props.get('ogTitle')).filter(ofPage).slice(0, maxTitles),
    named: subject.main.slice(0, maxTitles).flatMap((entity) => [...follow(entity, ['headline']), ...follow(entity, ['name'])].flatMap((value): Candidate[] => (typeof value === 'string' ? [{ value, source: entity.source }] : []))),
    sites: new Set([...[facts.title].filter(isSiteAlone).flatMap(partsOf), ...texts(meta.props.get('siteName')), ...subject.organization.flatMap((entity) => texts(follow(entity, ['name'])))].map(tight)),
  }
}

/** How the titles of a page confirm a heading, best first. */
const bearings = ['same', 'within', 'beyond', 'alike'] as const
type Bearing = (typeof bearings)[number]

/** Among several headings, a title must match at least this share of the heading. */
const share = 0.4

/** Whether the text after the name in a heading is about the named thing ("Rope: how long?"). */
const isSubtitle = (heading: string, name: string): boolean => plainText(heading).startsWith(plainText(name)) && /^\s*[:?!,–—-]/.test(heading.slice(name.length)) && !isFurniture(heading, name)

/** Whether the text around the name in a heading is a date, a number or a category ("Blog: Rope"). */
function isFurniture(heading: string, name: string): boolean {
  const at = heading.toLowerCase().indexOf(name.toLowerCase())
  if (at < 0) return false
  const [before, after] = [heading.slice(0, at), heading.slice(at + name.length)]
  return dateIn(before) !== undefined || dateIn(after) !== undefined || /\p{L}:\s*$/u.test(before) || /(?:^|\D)\d{1,3}$/.test(after) || /\(\d/.test(after)
}

/** How titles confirm a heading; null when none does, or when the heading says more than a name. */
function bearingOf(heading: string, titles: readonly string[], alone: boolean): Bearing | null {
  const own = tight(heading)
  const parts = [...new Set(titles.flatMap((title) => [title, ...partsOf(title).slice(0, maxTitles)]))].filter((part) => tight(part) !== '')
  if (parts.some((part) => tight(part) === own)) return 'same'
  if (titles.some((title) => tight(title).includes(own) && (alone || own.length >= share * tight(title).length))) return 'within'
  const held = parts.filter((part) => tight(part).length > 3 && own.includes(tight(part)))
  if (held.some((part) => isSubtitle(heading, part))) return 'beyond'
  if (held.length > 0 && !alone) return null
  if (held.some((part) => isFurniture(heading, part))) return null
  return alone && (titles.length === 0 || titles.some((title) => related(heading, title))) ? 'alike' : null
}

/**
 * The title of a page as a person reads it: the heading that the page's own title confirms, the only heading, or the title
 * in the head if a line of the page equals it. Empty when there is only a title that may contain the site's name.
 */
export function titleOf(source: Source): Candidate[] {
  const { layout } = source.facts
  const { own, cards, named, sites } = titlesOf(source)
  const [first, ...rest] = partsOf(own)
  const site = (text: string): boolean => sites.has(tight(text)) || (rest.length > 0 && tight(rest.at(-1) ?? '') === tight(text))
  const last = tight(rest.at(-1) ?? '')
  const ofSite = (text: string): boolean => site(text) || isHost(text, source.facts.url) || (first !== undefined && tight(first) !== tight(text) && last.startsWith(tight(text))) || (first !== undefined && !tight(first).includes(tight(text)) && last.includes(tight(text)))
  const headings = [...new Set(layout.headings.slice(0, maxHeadings).map((heading) => heading.replace(/\s*[¶#]$/, '')))].filter((heading) => heading.length < 300 && tight(heading).length > 1 && !unnamed.test(heading) && !ofSite(heading))
  const head = [own, ...cards].filter((title) => title !== '')
  // Names in the data confirm a heading unless the head of the page says something else.
  const names = named.map(({ value }) => String(value)).filter((name) => head.length === 0 || head.some((title) => related(name, title)))
  const heading = bestOf(headings, [...head, ...names])
  const lines = new Set(layout.text.slice(0, 300_000).split('\n').map(tight))
  const behind = heading === null ? undefined : layout.subheadings.find((text) => head.some((title) => title.startsWith(`${heading.text}: `) && tight(title.slice(heading.text.length)) === tight(text)))
  // The text before a colon in a title is a site as often as a subject; a heading below decides.
  if (behind !== undefined) return [{ value: behind, source: 'page' }]
  // Two lines of the page could be its title.
  if (heading?.bearing === 'alike' && head.flatMap((title) => [title, ...partsOf(title)]).some((title) => title.split(' ').length > 3 && !site(title) && lines.has(tight(title)))) return []
  // Several things in one line, of which nothing else on the page names one.
  if (heading !== null && / \| /.test(heading.text) && heading.bearing === 'alike') return []
  if (heading !== null) {
    // The title has spaces that markup swallowed.
    const spelled = spacedAs(heading.text, head) ?? heading.text
    return [{ value: withoutSite(spelled, new Set([...sites, ...hostNames(source.facts.url)])) ?? spelled, source: 'page' }]
  }
  const sub = layout.subheadings.find((text) => tight(text).length > 3 && first !== undefined && tight(text) === tight(first) && !site(text))
  if (sub !== undefined) return [{ value: sub, source: 'page' }]
  // An unconfirmed heading may still be the title; then the title in the head is another.
  return headings.length > 0 ? [] : ofHead({ own, cards, named, sites }, lines)
}

/** The best confirmed heading, the first of several; null when there is none. */
function bestOf(headings: readonly string[], titles: readonly string[]): { readonly text: string; readonly bearing: Bearing } | null {
  const borne = headings.map((text) => ({ text, bearing: bearingOf(text, titles, headings.length === 1) }))
  for (const bearing of bearings) {
    const found = borne.find((one) => one.bearing === bearing)
    if (found !== undefined) return { text: found.text, bearing }
  }
  return null
}

/**
 * The title of a page without headings: a card or the known site name tells which part is the site, or a line of the page
 * is the same.
 */
function ofHead({ own, cards, named, sites }: Titles, lines: ReadonlySet<string>): Candidate[] {
  const shorter = cards.filter((title) => partsOf(title).length === 1 && own.startsWith(title) && /^\s*[|•·»–—:/-]/.test(own.slice(title.length)))
  // Without a heading to confirm one, two different titles prove nothing.
  const agrees = (title: string): boolean => [own, ...cards].every((other) => other === '' || tight(other).startsWith(tight(title)) || tight(title).startsWith(tight(other)))
  const cut = [...cards, own].flatMap((title) => withoutSite(title, sites) ?? []).filter((title) => title !== '' && agrees(title))
  const certain = [...shorter, ...cut.filter((title) => ![own, ...cards].includes(title))]
  const all: readonly Candidate[] = [...named.map((one) => ({ ...one, value: whole(withoutSite(String(one.value), sites) ?? String(one.value), cut) })), ...[...certain, ...cut].map((value): Candidate => ({ value, source: 'meta' }))]
  return all.filter(({ value }) => !unnamed.test(String(value)) && (certain.includes(String(value)) || lines.has(tight(String(value)))))
}
