import { datePattern } from './dates.ts'
import { type FoundNumber, numbersIn, sameNumber } from './numbers.ts'
import { type Sign, signsOf } from './signs.ts'

/** A stretch of a text in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What a page says, to look up whether something is said there. */
export interface Evidence {
  /** Where the text stands, whatever its case, spacing, punctuation and markup; undefined where the page does not say it. */
  text(wanted: string): Span | undefined
  number(wanted: number): Span | undefined
  /** A text, a date in any of its forms, an address, a number: whatever the value is. */
  scalar(value: string | number): Span | undefined
  /** Whether more was to be looked up than there is time for: what was asked for after that counts as not said. */
  spent(): boolean
}

/** What is looked at beside the text: its places are not those of the text. */
export interface Beside {
  /** Title and the like. */
  readonly texts: readonly string[]
  /** Addresses that the page names. */
  readonly urls: readonly string[]
}

const nowhere: Span = { start: -1, end: -1 }

/** A text as it is compared: lower case, one space between words, no marks but those inside words; with the place of each character. */
interface Plain {
  readonly text: string
  readonly places: Uint32Array
  /** As it was. */
  readonly source: string
}

const inside = /[.,:/+%$€£@&'-]/
const quotes: ReadonlyMap<string, string> = new Map([...'’‘`´ʼ'].map((mark): [string, string] => [mark, "'"]).concat([...'–—‑‐−―'].map((mark): [string, string] => [mark, '-'])))

/** Answers where a link's address ends that begins at a place with `](`, or that place when there is none; asked from left to right, it looks at the text once. */
function afterTargets(text: string): (at: number) => number {
  let end = 0
  return (at) => {
    if (text[at] !== ']' || text[at + 1] !== '(') return at
    if (end < at) end = text.indexOf(')', at)
    if (end < 0) end = Number.POSITIVE_INFINITY
    return end - at > 4_000 ? at : end + 1
  }
}

/** What becomes of each character, remembered by its code point: a text uses few of them, and looking into Unicode's tables is what costs. */
const forms = new Map<number, string | null>()
const maxForms = 20_000

/** A character as it is compared: a space for one that separates words, null for one that is passed over. */
function formOf(code: number): string | null {
  const known = forms.get(code)
  if (known !== undefined) return known
  const char = String.fromCodePoint(code)
  const plainChar = quotes.get(char) ?? char
  const invisible = /[\u200b-\u200d\u2060\ufeff\u00ad*_\\]/.test(char)
  const form = /[\p{L}\p{N}\p{M}]/u.test(char) ? char.normalize('NFKC').toLowerCase() : inside.test(plainChar) ? plainChar : invisible ? null : ' '
  if (forms.size >= maxForms) forms.clear()
  forms.set(code, form)
  return form
}

function plain(text: string): Plain {
  const out: string[] = []
  const places = new Uint32Array(text.length * 2 + 2)
  let length = 0
  const put = (piece: string, place: number): void => {
    for (const unit of piece) {
      if (length + 2 > places.length) return
      out.push(unit)
      for (let i = 0; i < unit.length; i++) places[length++] = place
    }
  }
  let gap = true
  const afterTarget = afterTargets(text)
  for (let at = 0; at < text.length; ) {
    const skipped = afterTarget(at)
    if (skipped !== at) {
      at = skipped
      continue
    }
    const code = text.codePointAt(at) ?? 32
    const form = formOf(code)
    if (form !== null && !(gap && form === ' ')) put(form, at)
    if (form !== null) gap = form === ' '
    at += code > 0xffff ? 2 : 1
  }
  return { text: out.join(''), places, source: text }
}

const word = /[\p{L}\p{N}]/u
const unspaced = /[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/

function bounded(text: string, start: number, end: number): boolean {
  const clear = (outer: string | undefined, inner: string | undefined): boolean => outer === undefined || inner === undefined || !word.test(outer) || !word.test(inner) || unspaced.test(inner)
  return clear(text[start - 1], text[start]) && clear(text[end], text[end - 1])
}

/** A text that begins with a number stands only where the number has that sign. */
function find({ text, places, source }: Plain, wanted: string, sign: Sign | null): Span | undefined {
  for (let at = text.indexOf(wanted), tries = 0; at >= 0 && tries < 200; at = text.indexOf(wanted, at + 1), tries++) {
    if (!bounded(text, at, at + wanted.length)) continue
    const span = { start: places[at] ?? 0, end: (places[at + wanted.length - 1] ?? 0) + 1 }
    if (sign === null || signsOf(source, span.start, span.end).includes(sign)) return span
  }
  return undefined
}

/** Without the marks around it; by hand, as a pattern would look at every run of marks once for each of its characters. */
function trimmed(text: string): string {
  const isMark = (at: number): boolean => /[\s.,:/'-]/.test(text[at] ?? '')
  let [start, end] = [0, text.length]
  while (start < end && isMark(start)) start++
  while (end > start && isMark(end - 1)) end--
  return text.slice(start, end)
}

/** The sign of the number that a text begins with; null where it begins with none. */
function signOf(text: string): Sign | null {
  const start = /^\s*([-−])?\s?[$€£¥₹]?\s?\d/u.exec(text)
  return start === null ? null : start[1] === undefined ? 1 : -1
}

/** A text of several sentences stands where each of them stands. */
const sentences = (text: string): readonly string[] => text.split(/(?<=[.!?。])\s+|\n+/).filter((part) => /[\p{L}\p{N}]/u.test(part))
const digitsOf = (text: string): string => text.replace(/\D/g, '')
const bareUrl = (url: string): string => url.trim().toLowerCase().replace(/^https?:\/\/(www\.)?/, '').replace(/#.*$/, '').replace(/\/+$/, '')
const targets = /\]\(<?([^\s)>]+)|https?:\/\/[^\s)>\]]+/g
const phone = /^\+?[\d\s()./-]{6,25}$/

/** Longer texts are no values of a field. */
const longestText = 100_000
/** No address is longer; what is, is none. */
const longestUrl = 8_192

/** What all look-ups may cost together, in characters of text that are searched: some seconds on a slow machine. */
const budget = 1_000_000_000
/** What others cost, in the same measure. */
const costs = { number: 20, phone: 2, window: 4_000, wanted: 150 } as const
/** Places of its year at which a date is looked for, and how much of the text around them. */
const dateTries = { full: 1_000, short: 300 } as const
const dateReach = 60

/** Makes what a page says ready to be looked up. */
export function evidenceOf(text: string, beside: Beside = { texts: [], urls: [] }): Evidence {
  const page = plain(text)
  const others = beside.texts.map(plain)
  let numbers: readonly FoundNumber[] | null = null
  let urls: ReadonlyMap<string, Span> | null = null
  let left = budget
  const pay = (cost: number): boolean => (left -= cost) > 0

  function contains(wanted: string): Span | undefined {
    if (wanted.length > longestText || !pay(page.text.length + wanted.length * costs.wanted)) return undefined
    const bare = trimmed(plain(wanted).text)
    if (bare === '') return undefined
    const sign = signOf(wanted)
    return find(page, bare, sign) ?? (others.some((other) => find(other, bare, sign) !== undefined) ? nowhere : undefined)
  }

  function textSpan(wanted: string): Span | undefined {
    const whole = contains(wanted)
    if (whole !== undefined) return whole
    const parts = sentences(wanted)
    if (parts.length < 2 || parts.length > 200) return undefined
    const spans = parts.map(contains)
    const [first] = spans
    return spans.every((span) => span !== undefined) ? first : undefined
  }

  function number(wanted: number): Span | undefined {
    numbers ??= [...numbersIn(text), ...beside.texts.flatMap((other) => numbersIn(other).map((one) => ({ ...one, ...nowhere })))]
    if (!pay(numbers.length * costs.number)) return undefined
    const found = numbers.find(({ value }) => sameNumber(value, wanted))
    return found && { start: found.start, end: found.end }
  }

  function url(wanted: string): Span | undefined {
    if (wanted.length > longestUrl) return undefined
    urls ??= new Map([...beside.urls.filter((one) => one.length <= longestUrl).map((one): [string, Span] => [bareUrl(one), nowhere]), ...[...text.matchAll(targets)].flatMap((match): [string, Span][] => {
      const target = match[1] ?? match[0]
      const start = match.index + match[0].indexOf(target)
      return target.length > longestUrl ? [] : [[bareUrl(target), { start, end: start + target.length }]]
    })])
    return urls.get(bareUrl(wanted))
  }

  /** Around the places of its year: a pattern of all ways to write a date takes long over a whole page. */
  function dateNear(year: string, tries: number, pattern: RegExp): Span | undefined {
    for (let at = text.indexOf(year), looks = 0; at >= 0 && looks < tries; at = text.indexOf(year, at + 1), looks++) {
      if (!pay(costs.window)) return undefined
      const start = Math.max(0, at - dateReach)
      const match = pattern.exec(text.slice(start, at + year.length + dateReach))
      if (match !== null) return { start: start + match.index, end: start + match.index + match[0].length }
    }
    return undefined
  }

  function dateSpan(wanted: string): Span | undefined {
    const pattern = datePattern(wanted)
    const year = wanted.trim().slice(0, 4)
    const span = pattern === null || !pay(text.length) ? undefined : (dateNear(year, dateTries.full, pattern) ?? dateNear(year.slice(2), dateTries.short, pattern))
    if (span !== undefined) return span
    return pattern && beside.texts.some((other) => pattern.test(other)) ? nowhere : undefined
  }

  function phoneSpan(wanted: string): Span | undefined {
    if (!phone.test(wanted.trim())) return undefined
    if (!pay(text.length * costs.phone)) return undefined
    const digits = digitsOf(wanted)
    for (const match of text.matchAll(/\+?\d[\d\s()./-]{4,24}\d/g)) {
      if (digitsOf(match[0]) === digits) return { start: match.index, end: match.index + match[0].length }
    }
    return undefined
  }

  function scalar(value: string | number): Span | undefined {
    if (left <= 0) return undefined
    if (typeof value === 'number') return number(value)
    const said = textSpan(value)
    if (said !== undefined) return said
    if (/^-?\d+(\.\d+)?$/.test(value.trim())) return number(Number(value))
    if (/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(value.trim())) return url(value)
    return dateSpan(value) ?? phoneSpan(value)
  }

  return { text: textSpan, number, scalar, spent: () => left <= 0 }
}

export { numbersIn, sameNumber } from './numbers.ts'
export { signsOf } from './signs.ts'
export { isoDate, writtenDate } from './dates.ts'
