import { isDay } from '../../lib/time.ts'
import { months } from './months.ts'

/** The ISO 8601 date at the start of a text; null when there is none. */
export function isoDate(text: string): { readonly year: number; readonly month: number; readonly day: number | null } | null {
  const match = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:$|[T ]\d)/.exec(text.trim())
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), match[3] === undefined ? null : Number(match[3])]
  return isDay(year, month, day ?? 1) ? { year, month, day } : null
}

/** A pattern of all ways in which pages write a date; null when the text is not an ISO date. */
export function datePattern(text: string): RegExp | null {
  const date = isoDate(text)
  if (date === null) return null
  const { year, month, day } = date
  const names = (months[month - 1] ?? []).join('|')
  const short = `(?:${year}|['’]?${String(year).slice(2)})`
  const m = `0?${month}`
  if (day === null) return new RegExp(`(?<![\\p{L}\\d])(?:(?:${names})\\.?,?\\s+${year}|${year}[-/.]${m}(?!\\d)|${m}[-/.]${year})(?!\\d)`, 'iu')
  const d = `0?${day}`
  const ordinal = `${d}(?:st|nd|rd|th|er|º|\\.)?`
  const ways = [
    `${year}[-/.]${m}[-/.]${d}`, `${d}[-/.]\\s?${m}[-/.]\\s?${short}`, `${m}[-/.]${d}[-/.]${short}`, `${year}(?:年\\s?${m}月\\s?${d}日|년\\s?${m}월\\s?${d}일|\\.\\s${m}\\.\\s${d})`, `令和${year - 2018}年${m}月${d}日`,
    `${ordinal}\\s*(?:de\\s+|of\\s+|-)?(?:${names})\\.?,?\\s*(?:de\\s+|-)?${short}`, `(?:${names})\\.?\\s+${ordinal},?\\s+${short}`,
    `${year}\\s+(?:${names})\\.?\\s+${d}`,
  ]
  return new RegExp(`(?<![\\p{L}\\d])(?:${ways.join('|')})(?!\\d)`, 'iu')
}

/**
 * The date of a text that consists of one of the common English or numeric forms and nothing else, in ISO 8601; null for
 * all others.
 */
export function writtenDate(text: string): string | null {
  const bare = text.trim().replace(/\s+/g, ' ')
  const iso = isoDate(bare)
  if (iso !== null && iso.day !== null) return bare.slice(0, 10)
  const named = /^(?:\p{L}{3,9},? )?(?:(\d{1,2})(?:st|nd|rd|th|\.)? (\p{L}{3,12})\.?,? (\d{4})|(\p{L}{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}))(?:$|[ ,]+(?:at )?\d{1,2}[:.]\d{2})/iu.exec(bare)
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:$|[ ,])/.exec(bare)
  if (dotted !== null) return ymd(dotted[3], Number(dotted[2]), dotted[1])
  if (named === null) return null
  const name = (named[2] ?? named[4] ?? '').toLowerCase()
  const month = months.findIndex((names) => names.includes(name)) + 1
  return ymd(named[3] ?? named[6], month, named[1] ?? named[5])
}

function ymd(year: string | undefined, month: number, day: string | undefined): string | null {
  const date = Number(day)
  // All months have the first 28 days.
  return year === undefined || month < 1 || month > 12 || date < 1 || (date > 28 && !isDay(Number(year), month, date)) ? null : `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
}

/** Hebrew joins "in" to the month. */
const monthOf = (name: string | undefined): number => months.findIndex((names) => names.includes((name ?? '').toLowerCase().replace(/^ב/, ''))) + 1
/** Every form of a date has a year: four digits, or within the Japanese era. */
const year = /\d{4}|令和/
/** The year before the first year of the era. */
const beforeReiwa = 2018
const ofMonthFirst = (month: string | undefined, day: string | undefined, of: string | undefined): string | null => (Number(day) > 12 || month === day ? ymd(of, Number(month), day) : null)
/** The forms of a day, and the meaning of each; null where that is no day or ambiguous. */
const inText: readonly (readonly [RegExp, (found: RegExpExecArray) => string | null])[] = [
  [/(?<!\d)(\d{4})(?:[-/.]|\.\s)(\d{1,2})(?:[-/.]|\.\s)(\d{1,2})(?!\d)/, ([, of, month, day]) => ymd(of, Number(month), day)],
  [/(?<!\d)(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号]/, ([, of, month, day]) => ymd(of, Number(month), day)],
  [/令和(元|\d{1,2})年\s?(\d{1,2})月\s?(\d{1,2})日/, ([, of, month, day]) => ymd(String(beforeReiwa + (of === '元' ? 1 : Number(of))), Number(month), day)],
  [/(?<!\d)(\d{1,2})\s+tháng\s+(\d{1,2}),?\s+(?:năm\s+)?(\d{4})(?!\d)/i, ([, day, month, of]) => ymd(of, Number(month), day)],
  [/(?<!\d)(\d{4})\.\s+(\p{L}{3,12})\s+(\d{1,2})(?!\d)/u, ([, of, month, day]) => ymd(of, monthOf(month), day)],
  [/^(\d{4})(\d{2})(\d{2})(?:T|$)/, ([, of, month, day]) => ymd(of, Number(month), day)],
  [/(?<!\p{L})(\p{L}{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/u, ([, month, day, of]) => ymd(of, monthOf(month), day)],
  [/(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]*(?:de\s+|of\s+)?(\p{L}{3,12})\.?,?[\s-]*(?:de\s+)?(\d{4})(?!\d)/u, ([, day, month, of]) => ymd(of, monthOf(month), day)],
  [/(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/, ([, day, month, of]) => ymd(of, Number(month), day)],
  [/(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/, ([, first, second, of]) => ofMonthFirst(second, first, of) ?? ofMonthFirst(first, second, of)],
]

/** The first unambiguous day in a short text, in ISO 8601; 3/4/2024 is ambiguous. */
export function dateIn(text: string): string | undefined {
  const plain = /[\u0660-\u0669\u06f0-\u06f9０-９]/.test(text) ? text.replace(/[\u0660-\u0669\u06f0-\u06f9０-９]/g, (digit) => String(digit.charCodeAt(0) & 0xf)) : text
  if (!year.test(plain)) return undefined
  for (const [form, meaning] of inText) {
    const found = form.exec(plain)
    const day = found && meaning(found)
    if (day !== null) return day
  }
  return undefined
}
