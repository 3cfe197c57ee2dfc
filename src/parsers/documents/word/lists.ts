import { byteAt, longAt, slice, wordAt } from '../compound.ts'
import type { WordFile } from './file.ts'

interface Level {
  readonly kind: 'bullet' | 'number' | 'none'
  readonly start: number
}

const bulletFormat = 23
const noFormat = 255
const maxLists = 4_096
const deepest = 8
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
        found.push({ kind: format === bulletFormat ? 'bullet' : format === noFormat ? 'none' : 'number', start: longAt(levels, at) })
        const text = at + sizes.level + byteAt(levels, at + 24) + byteAt(levels, at + 25)
        at = text + 2 + wordAt(levels, text) * 2
      }
      this.#lists.set(longAt(list, 0), found)
    }
    const overrides = file.table('listOverrides')
    this.#overrides = Array.from({ length: Math.min(longAt(overrides, 0), maxLists, Math.floor(overrides.length / sizes.override)) }, (_, i) => longAt(overrides, 4 + i * sizes.override))
  }

  /** The marker of the next item of a list at a level: a bullet or a number; undefined when there is no such list. */
  marker(number: number, level: number): string | undefined {
    const list = this.#overrides[number - 1]
    const levels = list === undefined ? undefined : this.#lists.get(list)
    const depth = Math.min(level, deepest)
    const { kind, start } = levels?.[Math.min(depth, levels.length - 1)] ?? { kind: 'none', start: 1 }
    if (list === undefined || kind === 'none') return undefined
    const counts = (this.#counts.get(list) ?? []).slice(0, depth + 1)
    counts[depth] = (counts[depth] ?? start - 1) + 1
    this.#counts.set(list, counts)
    return kind === 'bullet' ? '•' : `${counts[depth]}.`
  }
}
