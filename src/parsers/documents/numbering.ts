import { romanNumeral } from '../../lib/roman-numeral.ts'

/** The marker that a paragraph is displayed with. */
export interface Marker {
  /** The whole text, such as `§ 2.1`. */
  readonly text: string
  /** How HTML numbers such an item; undefined for text that no list of HTML has. */
  readonly item: { readonly type: string; readonly value: number } | undefined
}

/** How a level of a list is numbered. */
export interface Level {
  /** `bullet`, `none`, or the format of a number as Word names it. */
  readonly format: string
  /** What is displayed; `%1` to `%9` stand for the numbers of the levels. */
  readonly text: string | undefined
  readonly start: number
  /** Whether the numbers of outer levels are written as digits. */
  readonly legal: boolean
  /** After items of how many outer levels it is counted anew; after all of them if it is missing. */
  readonly restart?: number | undefined
  /** Whether a list of HTML displays its markers: its own number, and what may stand around it. */
  readonly plain: boolean
}

/** A list as the paragraphs of a Word file refer to it. */
export interface List {
  /** Lists with the same counter go on counting where another stopped. */
  readonly counter: string
  readonly levels: ReadonlyMap<number, Level>
  /** The numbers that the first items of this list alone begin with, by level. */
  readonly starts: ReadonlyMap<number, number>
}

/** The deepest level, from 0. */
export const maxLevel = 8
export const mostItems = 1_000_000
/** Formats as the `type` of a list. */
const types: ReadonlyMap<string, string> = new Map([['decimal', '1'], ['lowerLetter', 'a'], ['upperLetter', 'A'], ['lowerRoman', 'i'], ['upperRoman', 'I']])
/** Roman numerals of larger numbers would be long. */
const mostRoman = 4_999

/** Letters as Word counts: z is followed by aa, then bb. */
const lettersOf = (value: number): string => String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(20, Math.ceil(value / 26)))

/** A number as Word displays it; a format that is not known as a decimal. */
function written(value: number, format: string): string {
  if (format === 'decimalZero') return String(value).padStart(2, '0')
  if (value < 1) return String(value)
  const small = format.endsWith('Letter') ? lettersOf(value) : format.endsWith('Roman') ? romanNumeral(Math.min(value, mostRoman)) : String(value)
  return format.startsWith('upper') ? small.toUpperCase() : small
}

/** A level as a list has it, at its depth from 0. A blank for a bullet is none: it stands before further paragraphs of an item. */
export function levelAt(depth: number, said: Omit<Level, 'plain'>): Level {
  const { text } = said
  const format = said.format === 'bullet' && text !== undefined && text.trim() === '' ? 'none' : said.format
  return { ...said, format, plain: format === 'bullet' || format === 'none' || text === undefined || new RegExp(`^[([]?%${depth + 1}[.)\\]:]*$`).test(text.trim()) }
}

const isNumbered = ({ format }: Level): boolean => format !== 'bullet' && format !== 'none'

/** Whether the items of a level have markers that no list of HTML displays. */
export function isBare(levels: ReadonlyMap<number, Level>, depth: number): boolean {
  const level = levels.get(depth)
  return level !== undefined && isNumbered(level) && !(types.has(level.format) && [...levels].every(([at, one]) => at > depth || one.plain))
}

/** Counts the items of lists. */
export class Counters {
  readonly #counts = new Map<string, readonly (number | undefined)[]>()
  /** Levels of lists whose own first numbers have been applied. */
  readonly #begun = new Set<string>()

  /** Counts an item of the list with that id, as `next` does. */
  nextOf(id: number | string, { counter, levels, starts }: List, depth: number): Marker | null | undefined {
    const level = `${id} ${depth}`
    const first = this.#begun.has(level) ? undefined : starts.get(depth)
    this.#begun.add(level)
    return this.next(counter, levels, depth, first)
  }

  /** Counts an item of the list of that name, as `value` if it says so, and gives its marker; null for a bullet, undefined for a level that the list lacks. */
  next(name: string, levels: ReadonlyMap<number, Level>, depth: number, value?: number): Marker | null | undefined {
    const level = levels.get(depth)
    if (level === undefined) return undefined
    const counts = (this.#counts.get(name) ?? []).map((count, at) => (at > depth && depth < (levels.get(at)?.restart ?? at) ? undefined : count))
    const own = value ?? (counts[depth] === undefined ? level.start : counts[depth] + 1)
    counts[depth] = own
    this.#counts.set(name, counts)
    if (level.format === 'bullet') return null
    const numbers = [...levels].filter(([at]) => at <= depth).map(([at, one]): [number, string] => [at, one.format === 'none' ? '' : written(counts[at] ?? one.start, level.legal ? 'decimal' : one.format)])
    const text = (level.text ?? `%${depth + 1}.`).replace(/%(\d)/g, (_, number: string) => numbers.find(([at]) => at === Number(number) - 1)?.[1] ?? '').trim()
    const type = isBare(levels, depth) ? undefined : types.get(level.format)
    return { text: level.format === 'none' ? '' : text, item: type === undefined ? undefined : { type, value: own } }
  }
}
