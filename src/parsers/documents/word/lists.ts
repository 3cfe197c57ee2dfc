import { byteAt, longAt, slice, wordAt } from '../compound.ts'
import { written } from '../numbering.ts'
import type { WordFile } from './file.ts'

interface Level {
  readonly format: number
  readonly start: number
  /** What is displayed; the characters 0 to 8 stand for the numbers of the levels. */
  readonly text: string
}

const bulletFormat = 23
const noFormat = 255
/** Formats of numbers by their codes ([MS-OSHARED] 2.2.1.3); others are written as decimals. */
const formats: Readonly<Record<number, string>> = { 1: 'upperRoman', 2: 'lowerRoman', 3: 'upperLetter', 4: 'lowerLetter', 22: 'decimalZero' }
const maxLists = 4_096
const deepest = 8
/** In bytes. */
const longestText = 200
/** Bytes of the structures LSTF, LVLF and LFO of [MS-DOC]. */
const sizes = { list: 28, level: 28, override: 16 }

/** The lists of a file, and their counters. */
export class Lists {
  readonly #lists = new Map<number, readonly Level[]>()
  /** List ids by the number in a paragraph. */
  readonly #overrides: readonly number[]
  readonly #counts = new Map<number, number[]>()

  constructor(file: WordFile) {
    const table = file.table('lists')
    const levels = file.behind('lists')
    let at = 0
    for (let i = 0; i < Math.min(wordAt(table, 0), maxLists); i++) {
      const list = slice(table, 2 + i * sizes.list, sizes.list)
      const found: Level[] = []
      for (let level = 0; level < ((byteAt(list, 26) & 1) === 1 ? 1 : 9) && at < levels.length; level++) {
        const format = byteAt(levels, at + 4)
        const text = at + sizes.level + byteAt(levels, at + 24) + byteAt(levels, at + 25)
        const end = text + 2 + wordAt(levels, text) * 2
        found.push({ format, start: longAt(levels, at), text: Buffer.from(slice(levels, text + 2, Math.min(longestText, end - text - 2))).toString('utf16le') })
        at = end
      }
      this.#lists.set(longAt(list, 0), found)
    }
    const overrides = file.table('listOverrides')
    this.#overrides = Array.from({ length: Math.min(longAt(overrides, 0), maxLists, Math.floor(overrides.length / sizes.override)) }, (_, i) => longAt(overrides, 4 + i * sizes.override))
  }

  /** The marker of the next item of a list at a level: a bullet or the text with its number; undefined when there is no such list. */
  marker(number: number, level: number): string | undefined {
    const list = this.#overrides[number - 1]
    const levels = list === undefined ? undefined : this.#lists.get(list)
    const depth = Math.min(level, deepest)
    const own = levels?.[Math.min(depth, levels.length - 1)]
    if (list === undefined || own === undefined || own.format === noFormat) return undefined
    const counts = (this.#counts.get(list) ?? []).slice(0, depth + 1)
    counts[depth] = (counts[depth] ?? own.start - 1) + 1
    this.#counts.set(list, counts)
    if (own.format === bulletFormat) return '•'
    return own.text.replace(/[\0-\x08]/g, (sign) => {
      const at = sign.charCodeAt(0)
      return written(counts[at] ?? levels?.[at]?.start ?? 1, formats[levels?.[at]?.format ?? 0] ?? 'decimal')
    })
  }
}
