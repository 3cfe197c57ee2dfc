import { signsOf } from './signs.ts'

/** A number in a text, and its position. */
export interface FoundNumber {
  readonly value: number
  readonly start: number
  readonly end: number
}

/** Matches digits with the separators of any country, and a multiplier or percent sign after them. No number has more groups; a list of millions would be more than the expression can hold. */
const numeral = /\d+(?:[.,'’ \u00a0\u202f]\d+){0,99}(?:\s?(?:%|k\b|m\b|bn\b|thousand\b|million\b|billion\b|mio\b|mrd\b))?/giu
const multipliers: Readonly<Record<string, number>> = { '%': 0.01, k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, mio: 1e6, bn: 1e9, billion: 1e9, mrd: 1e9 }
const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const wordPattern = new RegExp(`\\b(?:${words.join('|')})\\b`, 'gi')
const maxNumbers = 20_000

/** The possible values of digits with separators: `1.234` is a thousand and more, or a little more than one. */
export function readings(text: string): readonly number[] {
  const bare = text.replace(/['’ \u00a0\u202f]/g, ' ')
  const found = new Set<number>()
  const add = (digits: string): void => {
    if (/^\d{1,18}(\.\d{1,18})?$/.test(digits)) found.add(Number(digits))
  }
  const parts = bare.split(' ')
  if (parts.length > 1) {
    for (const part of parts) for (const value of readings(part)) found.add(value)
    if (!parts.slice(1).every((part) => /^\d{3}\b/.test(part))) return [...found]
  }
  const joined = parts.join('')
  const marks = [...joined.matchAll(/[.,]/g)].map((mark) => mark[0])
  const last = marks.at(-1)
  if (last === undefined) add(joined)
  else if (marks.every((mark) => mark === last) && marks.length > 1) add(joined.replace(/[.,]/g, ''))
  else {
    const cut = joined.lastIndexOf(last)
    const [whole, rest] = [joined.slice(0, cut).replace(/[.,]/g, ''), joined.slice(cut + 1)]
    add(`${whole}.${rest}`)
    if (marks.length === 1 && rest.length === 3) add(whole + rest)
  }
  return [...found]
}

/** Every number of a text, in order, with its sign, once for each possible value. */
export function numbersIn(text: string): readonly FoundNumber[] {
  const found: FoundNumber[] = []
  for (const match of text.matchAll(numeral)) {
    if (found.length >= maxNumbers) break
    const [whole] = match
    const at = { start: match.index, end: match.index + whole.length }
    const suffix = /[^\d.,'’ \u00a0\u202f].*$/u.exec(whole)?.[0] ?? ''
    const digits = whole.slice(0, whole.length - suffix.length).trim()
    const factor = multipliers[suffix.trim().toLowerCase()]
    const values = readings(digits).flatMap((value) => (factor === undefined ? [value] : [value, value * factor]))
    for (const sign of signsOf(text, at.start, at.end)) for (const value of values) found.push({ value: value * sign, ...at })
  }
  for (const match of text.matchAll(wordPattern)) {
    if (found.length >= maxNumbers) break
    found.push({ value: words.indexOf(match[0].toLowerCase()), start: match.index, end: match.index + match[0].length })
  }
  return found
}

/** Whether two numbers are equal, apart from rounding in floating point. */
export function sameNumber(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9
}
