import { namesPart } from './named-parts.ts'

/** A number in a line at the edge of a page. */
interface LineNumber {
  /** Its kind, and its value relative to the page number: equal on all pages that it counts. */
  readonly name: string
  /** Whether it stands where page numbers stand. */
  readonly isAtEnd: boolean
  /** The line with a placeholder for it, so that "Page 3" and "Page 4" are equal on adjacent pages. */
  readonly rest: string
}

const mostNumbers = 5
/** In a line of at most this many characters, a page number may stand anywhere: "- 3 -", "Page 3 of 12". */
const shortLine = 30

const pageWord = '(?:page|pg|p|seite|s|p[áa]gina|pagina|pág|pag|strona|str|страница|стр|с|sida|side|sivu|sayfa|strana|folio|blatt|slide|folie|foglio|hoja|feuille)'
const of = '(?:of|von|de|sur|di|van|av|z|из|/)'
/** A page number that says so, by a word or by the number of pages: no repetition is needed to know it. */
const called = new RegExp(`^${pageWord}\\.?\\s*(\\d{1,5})(?:\\s*${of}\\s*\\d{1,5})?$`, 'iu')
const counted = new RegExp(`^(\\d{1,5})\\s*${of}\\s*(\\d{1,5})$`, 'iu')
/** The source of an expression for the number of a page and of all pages: "1/2", "Page 1 of 2". */
export const pageCount = `(?:${pageWord}\\.?\\s*)?\\p{Nd}{1,5}\\s*${of}\\s*\\p{Nd}{1,5}`

/** A number between dashes. */
const dashed = /^([–—-])\s*(\d{1,5})\s*\1$/

/** Whether a text is the number of its page, and says so: "Page 3", "– 3 –", "3 / 12" on the third of twelve pages. */
export function isPageNumber(text: string, pageNumber: number, last: number): boolean {
  if (Number(dashed.exec(text.trim())?.[2] ?? NaN) === pageNumber) return true
  const line = text.replace(/^[\s–—|-]+|[\s–—|-]+$/g, '')
  const [, number, total] = counted.exec(line) ?? []
  return Number(called.exec(line)?.[1] ?? NaN) === pageNumber || (Number(number ?? NaN) === pageNumber && Number(total) === last)
}

/** Names of months in some languages, and their short forms. */
const month = `(?:${[
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec',
  'januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|okt|dez|mrz',
  'janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|janv|févr|avr|juil|déc',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|ene|abr|ago|dic',
  'gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro',
  'januari|februari|maart|mei|augustus|maj|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia',
  'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря',
].join('|')})\\.?`
/** Dates: their days count the pages of a calendar or a diary as page numbers do. */
const dates = new RegExp(`\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?\\s*(?:de\\s+)?${month}(?!\\p{L})|(?<!\\p{L})${month}\\s+\\d{1,2}(?:st|nd|rd|th)?(?!\\d)|\\d{1,4}([./-])\\d{1,2}\\1\\d{1,4}|\\d{1,4}\\s*年(?:\\s*\\d{1,2}\\s*月)?(?:\\s*\\d{1,2}\\s*日)?|\\d{1,2}\\s*月\\s*\\d{1,2}\\s*日`, 'giu')
/** Whether a text begins with a date. */
export const startsWithDate = (text: string): boolean => text.search(dates) === 0

/** A single word with a number behind it names something, unless the word is one for pages: "Room 101", "Team 3". */
const named = /^(\p{L}{2,}\.?)\s\d{1,5}$/u
const isPageWord = new RegExp(`^${pageWord}\\.?$`, 'iu')
const pageFirst = new RegExp(`^${pageWord}(?!\\p{L})`, 'iu')
/** Whether a text begins with a word for pages. */
export const namesPage = (text: string): boolean => pageFirst.test(text)

const romanDigits: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 }

function romanValue(text: string): number {
  const digits = [...text.toLowerCase()].map((digit) => romanDigits[digit] ?? 0)
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0)
}

/** Whether a text is a name with a number, whose numbers may count the pages although they are part of what the pages say. */
const isName = (text: string): boolean => namesPart(text) || !isPageWord.test(named.exec(text)?.[1] ?? 'page')

/** Where such names stand in a line of these parts. */
function namesIn(parts: readonly string[]): { start: number; end: number }[] {
  let at = 0
  return parts.flatMap((part) => {
    const start = at
    at += part.length + 1
    return isName(part) ? [{ start, end: start + part.length }] : []
  })
}

/** The numbers in a line that may count the pages, decimal and Roman. `parts` are the parts of the line between wide gaps. */
export function numbersOf(text: string, parts: readonly string[], pageNumber: number): LineNumber[] {
  const said = [...text.matchAll(dates)].map(({ 0: date, index }) => ({ start: index, end: index + date.length })).concat(namesIn(parts))
  const isSaid = (at: number): boolean => said.some(({ start, end }) => at >= start && at < end)
  const found = [...text.matchAll(/\d{1,5}/g)]
    .filter(({ index }) => !isSaid(index))
    .slice(0, mostNumbers)
    .map((match) => ({ kind: 'n', value: Number(match[0]), at: match.index, length: match[0].length }))
  const roman = /^[ivxlc]{1,7}(?!\S)|(?<!\S)[ivxlc]{1,7}$|^[IVXLC]{1,7}(?!\S)|(?<!\S)[IVXLC]{1,7}$/.exec(text)
  if (roman !== null && !isSaid(roman.index)) found.push({ kind: 'r', value: romanValue(roman[0]), at: roman.index, length: roman[0].length })
  return found.map(({ kind, value, at, length }) => {
    const name = `${kind}${value - pageNumber}`
    const isAtEnd = at === 0 || at + length === text.length || text.length <= shortLine
    return { name, isAtEnd, rest: `${text.slice(0, at)}#${name}${text.slice(at + length)}` }
  })
}
