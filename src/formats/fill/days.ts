import { dateIn } from '../../content/evidence/dates.ts'
import { isoDate, writtenDate } from '../../content/evidence/index.ts'
import type { Entity, FactValue } from '../../content/facts/entity.ts'
import type { Source } from './source.ts'

/** The day that a value consists of, in ISO 8601; null when it is no day or ambiguous. */
export function dayOf(value: FactValue): string | null {
  if (typeof value !== 'string') return null
  return (isoDate(value)?.day ?? null) === null ? writtenDate(value) : value.trim().slice(0, 10)
}

const oneDay = 86_400_000
const apart = (a: string, b: string): number => (Date.parse(a) - Date.parse(b)) / oneDay
/** Time zones differ: the same moment may be on the day before or after. */
const near = (a: string, b: string): boolean => Math.abs(apart(a, b)) <= 1

/** How many characters before and after its heading may say when a page was written. */
const reach = { before: 400, after: 2_500 } as const
const longestLine = 100
const cuts = /(?=\b(?:updated|modified|reviewed|edited|published|posted)\b)|[|•·]/i
const labelled = /^\s*(?:first |last |originally )?(?:published|posted|updated|modified|created)\b/i

/** The days in short lines: sentences mention days of all kinds. */
const daysIn = (text: string, which: (line: string) => boolean): string[] =>
  text.split('\n').filter((line) => line.trim().length <= longestLine).flatMap((line) => line.split(cuts)).filter(which).flatMap((part) => dateIn(part.trim()) ?? [])

/** The days that a page shows as its own: around its heading, and after words that say so. */
export function shownDays({ facts }: Source): readonly string[] {
  const text = facts.layout.text.slice(0, 300_000)
  const places = facts.layout.headings.map((heading) => text.indexOf(heading)).filter((at) => at >= 0)
  const at = places.length === 0 ? 0 : Math.max(...places.slice(0, 3))
  return [...daysIn(text.slice(Math.max(0, at - reach.before), at + reach.after), () => true), ...daysIn(text, (line) => labelled.test(line))]
}

const threads: ReadonlySet<string> = new Set(['DiscussionForumPosting', 'SocialMediaPosting', 'Question', 'QAPage'])

/** The days in a page's data. They need proof, because they are often set by the software rather than by the author. */
export interface SaidDays {
  readonly published: string | null
  readonly modified: string | null
  /** The days that the page shows as its own. */
  readonly shown: readonly string[]
}

/**
 * Whether a day in a page's data is that of its text: the page shows it, or shows no other. A publication after the last
 * change is impossible, and a thread shows the days of all its posts.
 */
export function isProvenDay(value: FactValue, name: 'datePublished' | 'dateModified', { source, said }: { readonly source: Source; readonly said: SaidDays }): boolean {
  const day = dayOf(value)
  if (day === null) return false
  const seen = [-1, 0, 1].some((by) => source.seen().scalar(new Date(Date.parse(day) + by * oneDay).toISOString().slice(0, 10)) !== undefined)
  if (seen && source.subject.main.some((entity: Entity) => entity.types.some((type) => threads.has(type)))) return true
  const { shown } = said
  if (shown.some((one) => near(one, day))) return true
  if (said.published !== null && said.modified !== null && apart(said.published, said.modified) > 1 && !seen) return false
  return shown.every((one) => name === 'dateModified' && said.published !== null && near(one, said.published))
}
