import { log } from './log.ts'
import { RowWriter, type Table } from '../trees/table.ts'
import { Around } from './around.ts'
import type { Block } from '../blocks.ts'
import type { Frame } from '../frame.ts'
import { Ancestors } from './ancestors.ts'
import { Relations } from './kin.ts'

/** The features of the wanted blocks, one row per block. */
export function featuresOf(frame: Frame, wanted: Int32Array): Table {
  const rows = new RowWriter(wanted.length)
  const around = new Around(frame)
  const features = new Features(frame, around, rows)
  const ancestors = new Ancestors(frame, rows)
  const relations = new Relations(frame, rows)
  for (let row = 0; row < wanted.length; row++) {
    const i = wanted[row] ?? 0
    const block = frame.blocks.all[i]
    if (!block) continue
    rows.at = row
    features.add(i, block)
    ancestors.add(block)
    relations.add(i, block)
  }
  rows.addToAll(pageNumbers(frame, around.long))
  return rows
}

/** Features of a block itself, its position and its neighbours. */
class Features {
  readonly #frame: Frame
  readonly #around: Around
  readonly #rows: RowWriter

  constructor(frame: Frame, around: Around, rows: RowWriter) {
    this.#frame = frame
    this.#around = around
    this.#rows = rows
  }

  add(i: number, block: Block): void {
    this.#addOwn(i, block)
    this.#addPlace(i)
    this.#addHeading(i)
    this.#addNeighbours(i)
  }

  #addOwn(i: number, { measure: m, linkLetters, links, texts }: Block): void {
    const row = this.#rows
    const words = Math.max(m.words, 1)
    const letters = Math.max(m.letters, 1)
    row.add(log(m.words))
    row.add(log(m.letters))
    row.add(linkLetters / letters)
    row.add(log(links))
    row.add(m.ends / words)
    row.add(m.separators / words)
    row.add(Number(m.last === 46 || m.last === 33 || m.last === 63 || m.last === 0x3002))
    row.add(log(this.#frame.repeats.get(m.hash) ?? 1))
    row.add(this.#frame.seen[i] ?? 0)
    row.add(log(texts.length))
  }

  #addPlace(i: number): void {
    const row = this.#rows
    const { long, firstHeading } = this.#around
    const count = this.#frame.blocks.all.length
    const before = this.#frame.before[i] ?? 0
    const words = Math.max(this.#frame.words, 1)
    row.add(i / count)
    row.add(before / words)
    row.add(log(i))
    row.add(log(count - 1 - i))
    row.add(firstHeading < 0 ? -99 : far(i - firstHeading))
    row.add(firstHeading < 0 ? -2 : (before - (this.#frame.before[firstHeading] ?? 0)) / words)
    const low = this.#around.longBefore(i)
    const last = low > 0 ? long[low - 1] : undefined
    const next = long[long[low] === i ? low + 1 : low]
    row.add(low / Math.max(long.length, 1))
    row.add(last === undefined ? 9 : log(i - last))
    row.add(next === undefined ? 9 : log(next - i))
    row.add(log(low))
    row.add(log(long.length - low))
  }

  #addHeading(i: number): void {
    const row = this.#rows
    const { heading, shared, before } = this.#frame
    const last = this.#around.lastHeading[i] ?? -1
    const next = this.#around.nextHeading[i] ?? -1
    const has = last >= 0
    const here = before[i] ?? 0
    row.add(heading[i] ?? 0)
    row.add(has ? log(i - last) : 9)
    row.add(has ? (heading[last] ?? 0) : 0)
    row.add(has ? (shared[last] ?? 0) : 0)
    row.add(has ? (this.#around.words[last] ?? 0) : 0)
    row.add(next < 0 ? 9 : log(next - i))
    row.add(log((before[next < 0 ? before.length - 1 : next] ?? 0) - here))
    row.add(has ? log(here - (before[last] ?? 0)) : 0)
  }

  #addNeighbours(i: number): void {
    this.#addNeighbour(i - 1)
    this.#addNeighbour(i + 1)
    const { ends } = this.#around
    this.#rows.add(i + 1 < ends.length ? (ends[i + 1] ?? 0) : -1)
    let words = 0
    let plain = 0
    const { all } = this.#frame.blocks
    for (let j = Math.max(0, i - 6); j <= Math.min(all.length - 1, i + 6); j++) {
      words += all[j]?.measure.words ?? 0
      plain += this.#around.plain[j] ?? 0
    }
    this.#rows.add(log(words))
    this.#rows.add(plain / Math.max(words, 1))
  }

  #addNeighbour(j: number): void {
    const row = this.#rows
    const { words, links } = this.#around
    const is = j >= 0 && j < words.length
    row.add(is ? (words[j] ?? 0) : -1)
    row.add(is ? (links[j] ?? 0) : -1)
  }
}

/** The logarithm of a distance, with the sign of the distance. */
function far(distance: number): number {
  return distance < 0 ? -log(-distance) : log(distance)
}

function pageNumbers(frame: Frame, long: readonly number[]): readonly number[] {
  const { all } = frame.blocks
  const { outline: o, rules, signs } = frame
  const total = Math.max(frame.letters, 1)
  const longWords = long.reduce((sum, i) => sum + (all[i]?.measure.words ?? 0), 0)
  const linked = all.reduce((sum, block) => sum + block.linkLetters, 0)
  const counts = new Map<string, number>()
  for (const { name } of o.elements) counts.set(name, (counts.get(name) ?? 0) + 1)
  const named = (name: string): number => counts.get(name) ?? 0
  return [
    log(all.length), log(frame.words), linked / total, log(long.length), longWords / Math.max(frame.words, 1), frame.letters / Math.max(frame.words, 1),
    log(named('article')), log(named('p')), log(named('img')), log(named('li')), log(named('h2')), log(named('table')), named('main'), log(named('input')), log(named('button')), log(named('pre')),
    Number(rules.forum), rules.confidence, ...signs.numbers,
  ]
}
