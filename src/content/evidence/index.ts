import { bareAddress } from './addresses.ts'
import { datePattern } from './dates.ts'
import { type FoundNumber, numbersIn, sameNumber } from './numbers.ts'
import { type Sign, signsOf, withSign } from './signs.ts'

/** A range of a text, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The text of a page, prepared for looking up whether it says something. */
export interface Evidence {
  /**
   * Where a text is on the page, regardless of case, spacing, punctuation and markup; undefined when the page does not say
   * it.
   */
  text(wanted: string): Span | undefined
  /** Where a number is in what the page shows: not in the targets of links and pictures. */
  number(wanted: number): Span | undefined
  /** Where an address is on the page, in its text or as the target of a link; marks after the address do not matter. */
  address(wanted: string): Span | undefined
  /** Where a value is on the page: a text, a date in any form, an address or a number. An identifier may be in the target of a link alone. */
  scalar(value: string | number): Span | undefined
  /** Whether the budget of look-ups is used up: everything looked up after that counts as not said. */
  spent(): boolean
}

/** What is searched besides the text. A match there has no position in the text. */
export interface Beside {
  /** The title and the like. */
  readonly texts: readonly string[]
  /** The addresses on the page. */
  readonly urls: readonly string[]
}

const nowhere: Span = { start: -1, end: -1 }

/**
 * A text as it is compared: lower case, single spaces, punctuation only inside words; with the original position of each
 * character.
 */
interface Plain {
  readonly text: string
  readonly places: Uint32Array
  /** The original text. */
  readonly source: string
}

const inside = /[.,:/+%$€£@&'-]/
const quotes: ReadonlyMap<string, string> = new Map([...'’‘`´ʼ'].map((mark): [string, string] => [mark, "'"]).concat([...'–—‑‐−―'].map((mark): [string, string] => [mark, '-'])))

/** A link's target with its brackets, which may hold brackets in pairs. */
const wholeTarget = /\]\((?:[^()\n\\]|\\.|\([^()\n]{0,200}\)){0,4000}\)/y

/**
 * Returns a function that skips a link target: given the index of `](`, it returns the index where the target ends;
 * otherwise the index itself. Call it with rising indices: it reads the text once.
 */
function afterTargets(text: string): (at: number) => number {
  let end = 0
  return (at) => {
    if (text[at] !== ']' || text[at + 1] !== '(') return at
    wholeTarget.lastIndex = at
    if (wholeTarget.test(text) && wholeTarget.lastIndex - at <= 4_000) return wholeTarget.lastIndex
    if (end < at) end = text.indexOf(')', at)
    if (end < 0) end = Number.POSITIVE_INFINITY
    return end - at > 4_000 ? at : end + 1
  }
}

/** Cache of `formOf` by code point: a text uses few characters, and looking them up in Unicode's tables is expensive. */
const forms = new Map<number, string | null>()
const maxForms = 20_000

/** A character as it is compared: a space for one that separates words, null for one that is ignored. */
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

/** Where a block of markdown, or a row of a table, ends. */
const blockEnd = /\n[ \t]*\n|\|[ \t]*\n/

/** How a text must stand. */
interface How {
  /** The sign of the number that it starts with. */
  readonly sign: Sign | null
  /** Whether all of it must stand in one block: "Red" and "Herring" in two paragraphs are no "Red Herring". */
  readonly together: boolean
}

/** Finds a text. */
function find({ text, places, source }: Plain, wanted: string, { sign, together }: How): Span | undefined {
  for (let at = text.indexOf(wanted), tries = 0; at >= 0 && tries < 200; at = text.indexOf(wanted, at + 1), tries++) {
    if (!bounded(text, at, at + wanted.length)) continue
    const span = { start: places[at] ?? 0, end: (places[at + wanted.length - 1] ?? 0) + 1 }
    if (together && blockEnd.test(source.slice(span.start, span.end))) continue
    if (sign === null || signsOf(source, span.start, span.end).includes(sign)) return sign === -1 ? withSign(source, span) : span
  }
  return undefined
}

/** Trims punctuation and spaces. A loop, because a pattern would scan every run of marks once per character. */
function trimmed(text: string): string {
  const isMark = (at: number): boolean => /[\s.,:/'-]/.test(text[at] ?? '')
  let [start, end] = [0, text.length]
  while (start < end && isMark(start)) start++
  while (end > start && isMark(end - 1)) end--
  return text.slice(start, end)
}

/** The sign of the number at the start of a text; null when it does not start with one. */
function signOf(text: string): Sign | null {
  const start = /^\s*([-−])?\s?[$€£¥₹]?\s?\d/u.exec(text)
  return start === null ? null : start[1] === undefined ? 1 : -1
}

/** The sentences of a text: a text of several sentences is on the page when each of them is. */
const sentences = (text: string): readonly string[] => text.split(/(?<=[.!?。])\s+|\n+/).filter((part) => /[\p{L}\p{N}]/u.test(part))
const digitsOf = (text: string): string => text.replace(/\D/g, '')
const bareUrl = (url: string): string => url.trim().toLowerCase().replace(/^https?:\/\/(www\.)?/, '').replace(/#.*$/, '').replace(/\/+$/, '')
/** Addresses may have brackets in pairs, in the targets of links too. */
const targets = /\]\(<?((?:[^\s()>]|\([^\s()>]{0,200}\))+)|https?:\/\/(?:[^\s()>\]]|\([^\s()>\]]{0,200}\))+/g
const target = '((?:[^\\s()>]|\\([^\\s()>]{0,200}\\))+)'
const pictureTargets = new RegExp(`(!\\[[^\\][]{0,300}\\]\\(<?)${target}`, 'g')
const linkTargets = new RegExp(`(\\]\\(<?)${target}`, 'g')
/** Spaces in place of targets. */
const without = (text: string, targetsOf: RegExp): string => text.replace(targetsOf, (_, before: string, inside: string) => before + ' '.repeat(inside.length))
const maxLinks = 20_000
const phone = /^\+?[\d\s()./-]{6,25}$/

/** A longer text is no value of a field. */
const longestText = 100_000
/** Longest possible address, in characters. */
const longestUrl = 8_192

/** Budget of all look-ups together, in characters searched: a few seconds on a slow machine. */
const budget = 1_000_000_000
/** The costs of other look-ups, in the same unit. */
const costs = { number: 20, phone: 2, window: 4_000, wanted: 150 } as const
/** How many occurrences of its year a date is searched at, and how much text around them. */
const dateTries = { full: 1_000, short: 300 } as const
const dateReach = 60

/** Prepares what a page says for look-ups. */
export function evidenceOf(text: string, beside: Beside = { texts: [], urls: [] }): Evidence {
  const page = plain(text)
  const others = beside.texts.map(plain)
  let numbers: readonly FoundNumber[] | null = null
  let linked: readonly FoundNumber[] | null = null
  let urls: ReadonlyMap<string, Span> | null = null
  let left = budget
  const pay = (cost: number): boolean => (left -= cost) > 0

  function contains(wanted: string, together: boolean): Span | undefined {
    if (wanted.length > longestText || !pay(page.text.length + wanted.length * costs.wanted)) return undefined
    const bare = trimmed(plain(wanted).text)
    if (bare === '') return undefined
    const how = { sign: signOf(wanted), together: together && !wanted.includes('\n') }
    return find(page, bare, how) ?? (others.some((other) => find(other, bare, how) !== undefined) ? nowhere : undefined)
  }

  function textSpan(wanted: string, together = false): Span | undefined {
    const whole = contains(wanted, together)
    if (whole !== undefined) return whole
    const parts = sentences(wanted)
    if (parts.length < 2 || parts.length > 200) return undefined
    const spans = parts.map((part) => contains(part, together))
    const [first] = spans
    return spans.every((span) => span !== undefined) ? first : undefined
  }

  function numberAmong(all: readonly FoundNumber[], wanted: number): Span | undefined {
    if (!pay(all.length * costs.number)) return undefined
    const found = all.find(({ value }) => sameNumber(value, wanted))
    return found && (wanted < 0 && found.start >= 0 ? withSign(text, found) : { start: found.start, end: found.end })
  }

  function number(wanted: number): Span | undefined {
    numbers ??= [...numbersIn(without(text, linkTargets)), ...beside.texts.flatMap((other) => numbersIn(other).map((one) => ({ ...one, ...nowhere })))]
    return numberAmong(numbers, wanted)
  }

  /** Finds a number in the target of a link. Those of pictures have sizes, which prove nothing. */
  function linkedNumber(wanted: number): Span | undefined {
    linked ??= [...without(text, pictureTargets).matchAll(linkTargets)].slice(0, maxLinks).flatMap((match) => {
      const at = match.index + (match[1] ?? '').length
      return numbersIn(match[2] ?? '').map((one) => ({ ...one, start: one.start + at, end: one.end + at }))
    })
    return numberAmong(linked, wanted)
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

  function address(wanted: string): Span | undefined {
    const bare = bareAddress(wanted)
    const ways = [wanted, bare, `https://${bare}`, `mailto:${bare}`]
    return textSpan(bare.replace(/^https?:\/\//i, '')) ?? ways.map(url).find((span) => span !== undefined)
  }

  /** Finds a date near the occurrences of its year: the pattern of all ways to write a date is slow on a whole page. */
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
    if (typeof value === 'number') return number(value) ?? linkedNumber(value)
    const said = textSpan(value, true)
    if (said !== undefined) return said
    if (/^-?\d+(\.\d+)?$/.test(value.trim())) return scalar(Number(value))
    if (/^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(value.trim())) return url(value)
    return dateSpan(value) ?? phoneSpan(value)
  }

  return { text: (wanted) => textSpan(wanted), number, address, scalar, spent: () => left <= 0 }
}

export { addressesIn, bareAddress, type FoundAddress, withoutAddresses } from './addresses.ts'
export { numbersIn, sameNumber } from './numbers.ts'
export { isoDate, writtenDate } from './dates.ts'
