import { byteAt, longAt, slice, wordAt } from '../compound.ts'
import { Counters, type Level, levelAt, type List, maxLevel } from '../numbering.ts'
import type { WordFile } from './file.ts'

/** Formats of numbers by their codes ([MS-OSHARED] 2.2.1.3); others are written as decimals. */
const formats: Readonly<Record<number, string>> = { 1: 'upperRoman', 2: 'lowerRoman', 3: 'upperLetter', 4: 'lowerLetter', 22: 'decimalZero', 23: 'bullet', 255: 'none' }
const maxLists = 4_096
/** In bytes. */
const longestText = 200
/** Bytes of the structures LSTF, LVLF, LFO and LFOLVL of [MS-DOC], and of what is before the levels of an override. */
const sizes = { list: 28, level: 28, override: 16, overrideLevel: 8, overrideHead: 4 }
/** Flags of a level, and of a level of an override; the number of the latter is in the same byte. */
const flags = { legal: 4, noRestart: 8, starts: 16, formats: 32 }

/** The tables of a file. */
type Tables = Pick<WordFile, 'table' | 'behind'>

/** A level of a list ([MS-DOC] 2.9.149), and where it ends. */
function levelIn(bytes: Buffer, at: number, depth: number): { readonly level: Level; readonly end: number } {
  const from = at + sizes.level + byteAt(bytes, at + 24) + byteAt(bytes, at + 25)
  const end = from + 2 + wordAt(bytes, from) * 2
  const written = Buffer.from(slice(bytes, from + 2, Math.min(longestText, end - from - 2))).toString('utf16le')
  // The characters 0 to 8 stand for the numbers of the levels.
  const text = written.replace(/[\0-\x08]/g, (sign) => `%${sign.charCodeAt(0) + 1}`)
  const bits = byteAt(bytes, at + 5)
  const restart = (bits & flags.noRestart) === 0 ? undefined : byteAt(bytes, at + 26)
  return { level: levelAt(depth, { format: formats[byteAt(bytes, at + 4)] ?? 'decimal', text, start: longAt(bytes, at), legal: (bits & flags.legal) !== 0, restart }), end }
}

/** The levels of the lists of a file, by the ids of the lists. */
function levelsIn(file: Tables): ReadonlyMap<number, ReadonlyMap<number, Level>> {
  const table = file.table('lists')
  const bytes = file.behind('lists')
  const lists = new Map<number, ReadonlyMap<number, Level>>()
  let at = 0
  for (let i = 0; i < Math.min(wordAt(table, 0), maxLists); i++) {
    const list = slice(table, 2 + i * sizes.list, sizes.list)
    const found = new Map<number, Level>()
    for (let depth = 0; depth < ((byteAt(list, 26) & 1) === 1 ? 1 : maxLevel + 1) && at < bytes.length; depth++) {
      const { level, end } = levelIn(bytes, at, depth)
      found.set(depth, level)
      at = end
    }
    lists.set(longAt(list, 0), found)
  }
  return lists
}

/** The lists that paragraphs refer to: those of the file, with other levels and first numbers ([MS-DOC] 2.9.131 to 2.9.133). */
function overridden(table: Buffer, all: ReadonlyMap<number, ReadonlyMap<number, Level>>): readonly List[] {
  const count = Math.min(longAt(table, 0), maxLists, Math.floor(table.length / sizes.override))
  let at = 4 + longAt(table, 0) * sizes.override
  return Array.from({ length: count }, (_, i): List => {
    const id = longAt(table, 4 + i * sizes.override)
    const levels = new Map(all.get(id))
    const starts = new Map<number, number>()
    at += sizes.overrideHead
    for (let left = byteAt(table, 4 + i * sizes.override + 12); left > 0 && at < table.length; left--) {
      const [start, bits] = [longAt(table, at), byteAt(table, at + 4)]
      const depth = bits % 16
      at += sizes.overrideLevel
      const own = (bits & flags.formats) === 0 ? undefined : levelIn(table, at, depth)
      if (own !== undefined) levels.set(depth, own.level)
      if ((bits & flags.starts) !== 0) starts.set(depth, own?.level.start ?? start)
      at = own?.end ?? at
    }
    return { counter: String(id), levels, starts }
  })
}

/** The lists of a file, and their counters. */
export class Lists {
  readonly #lists: readonly List[]
  readonly #counters = new Counters()

  constructor(file: Tables) {
    this.#lists = overridden(file.table('listOverrides'), levelsIn(file))
  }

  /** The marker of the next item of a list at a level: a bullet or the text with its number; undefined when there is no such list. */
  marker(number: number, level: number): string | undefined {
    const list = this.#lists[number - 1]
    const depth = Math.min(level, maxLevel, (list?.levels.size ?? 1) - 1)
    if (list?.levels.get(depth) === undefined || list.levels.get(depth)?.format === 'none') return undefined
    const marker = this.#counters.nextOf(number, list, depth)
    return marker === null ? '•' : marker?.text
  }
}
