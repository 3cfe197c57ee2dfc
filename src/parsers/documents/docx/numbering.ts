import { at, attributeOf, childrenOf, countOf, type XmlElement } from '../xml.ts'

/** The marker that a paragraph is displayed with. */
export interface Marker {
  /** The whole text, such as `§ 2.1`. */
  readonly text: string
  /** How HTML numbers such an item; undefined for text that no list of HTML has. */
  readonly item: { readonly type: string; readonly value: number } | undefined
}

interface Level {
  readonly format: string
  readonly text: string | undefined
  readonly start: number
  readonly style: string | undefined
  /** Whether the numbers of outer levels are written as digits. */
  readonly legal: boolean
  /** Whether a list of HTML displays its markers: its own number, and what may stand around it. */
  readonly plain: boolean
}

interface List {
  /** Lists that share their counters have the same one. */
  readonly abstract: string
  readonly levels: ReadonlyMap<number, Level>
  /** First numbers of this list alone. */
  readonly starts: ReadonlyMap<number, number>
}

const maxLevel = 8
const mostItems = 1_000_000
/** Formats as the `type` of a list. */
const types: ReadonlyMap<string, string> = new Map([['decimal', '1'], ['lowerLetter', 'a'], ['upperLetter', 'A'], ['lowerRoman', 'i'], ['upperRoman', 'I']])
const roman: readonly (readonly [number, string])[] = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']]

function romanOf(value: number): string {
  let left = Math.min(value, 4_999)
  return roman.map(([worth, letters]) => {
    const times = Math.floor(left / worth)
    left -= times * worth
    return letters.repeat(times)
  }).join('')
}

/** Letters as Word counts: z is followed by aa, then bb. */
const lettersOf = (value: number): string => String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(20, Math.ceil(value / 26)))

/** A number as Word displays it; a format that is not known as a decimal. */
export function written(value: number, format: string): string {
  if (format === 'decimalZero') return String(value).padStart(2, '0')
  if (value < 1) return String(value)
  const small = format.endsWith('Letter') ? lettersOf(value) : format.endsWith('Roman') ? romanOf(value) : String(value)
  return format.startsWith('upper') ? small.toUpperCase() : small
}

function levelOf(element: XmlElement): readonly [number, Level] {
  const said = (name: string): string | undefined => attributeOf(at(element, name), 'val')
  const depth = countOf(element, 'ilvl', { most: maxLevel, otherwise: 0 })
  const [format, text] = [said('numFmt') ?? 'decimal', said('lvlText')]
  const plain = format === 'bullet' || format === 'none' || text === undefined || new RegExp(`^[([]?%${depth + 1}[.)\\]:]*$`).test(text.trim())
  return [depth, { format, text, plain, start: countOf(at(element, 'start'), 'val', { most: mostItems }), style: said('pStyle'), legal: at(element, 'isLgl') !== undefined }]
}

/** The lists of a Word document, and their counters. */
export class Numbering {
  readonly #lists = new Map<string, List>()
  readonly #counts = new Map<string, number[]>()
  /** Lists whose own first numbers have been applied. */
  readonly #begun = new Set<string>()

  constructor(root: XmlElement | undefined) {
    const numbering = at(root, 'numbering')
    const abstracts = new Map(childrenOf(numbering, 'abstractNum').map((one) => [attributeOf(one, 'abstractNumId') ?? '', one]))
    const byStyle = new Map([...abstracts].flatMap(([id, one]) => (at(one, 'styleLink') === undefined ? [] : [[attributeOf(at(one, 'styleLink'), 'val'), id]])))
    for (const num of childrenOf(numbering, 'num')) {
      const own = attributeOf(at(num, 'abstractNumId'), 'val') ?? ''
      const linked = at(abstracts.get(own), 'numStyleLink')
      const abstract = (linked === undefined ? undefined : byStyle.get(attributeOf(linked, 'val'))) ?? own
      const overrides = childrenOf(num, 'lvlOverride')
      const levels = new Map([...childrenOf(abstracts.get(abstract), 'lvl'), ...overrides.flatMap((one) => childrenOf(one, 'lvl'))].map(levelOf))
      const starts = new Map(overrides.filter((one) => at(one, 'startOverride') !== undefined).map((one) => [countOf(one, 'ilvl', { most: maxLevel, otherwise: 0 }), countOf(at(one, 'startOverride'), 'val', { most: mostItems })]))
      this.#lists.set(attributeOf(num, 'numId') ?? '', { abstract, levels, starts })
    }
  }

  /** The level of a list that belongs to a style; undefined when none does. */
  levelOfStyle(id: string, style: string): number | undefined {
    return [...(this.#lists.get(id)?.levels ?? [])].find(([, level]) => level.style === style)?.[0]
  }

  /** Counts an item, and gives its marker; null for a bullet, undefined when there is no such list. Items of another `nesting` are counted apart. */
  next(id: string, depth: number, nesting: string): Marker | null | undefined {
    const list = this.#lists.get(id)
    const level = list?.levels.get(depth)
    if (list === undefined || level === undefined) return undefined
    const counts = this.#counted(`${id} ${depth}`, { key: `${list.abstract} ${nesting}`, depth, start: level.start, first: list.starts.get(depth) })
    if (level.format === 'bullet') return null
    const numbers = [...list.levels].filter(([at]) => at <= depth).map(([at, one]): [number, string] => [at, written(counts[at] ?? one.start, level.legal ? 'decimal' : one.format)])
    const text = (level.text ?? `%${depth + 1}.`).replace(/%(\d)/g, (_, number: string) => numbers.find(([at]) => at === Number(number) - 1)?.[1] ?? '').trim()
    const plain = [...list.levels].every(([at, one]) => at > depth || one.plain)
    const type = types.get(level.format)
    return { text: level.format === 'none' ? '' : text, item: plain && type !== undefined ? { type, value: counts[depth] ?? level.start } : undefined }
  }

  #counted(level: string, { key, depth, start, first }: { readonly key: string; readonly depth: number; readonly start: number; readonly first: number | undefined }): number[] {
    const counts = (this.#counts.get(key) ?? []).slice(0, depth + 1)
    const own = this.#begun.has(level) ? undefined : first
    this.#begun.add(level)
    counts[depth] = own ?? (counts[depth] === undefined ? start : counts[depth] + 1)
    this.#counts.set(key, counts)
    return counts
  }
}
