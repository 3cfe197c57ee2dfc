import { log } from './log.ts'
import type { Outline } from '../../outline.ts'
import type { Block } from '../blocks.ts'
import type { Frame } from '../frame.ts'
import type { RowWriter } from '../trees/table.ts'

/** Blocks whose ancestors are of the same kinds, level by level: the posts of a thread, the prices of a list. */
interface Kin {
  count: number
  words: number
  letters: number
  linkLetters: number
  again: number
  readonly first: number
  last: number
}

/** How many levels must agree: near ones only, or also the surroundings. */
const depths = [2, 5] as const

/**
 * Writes what a block shares with the blocks of the same template, and how far it is from the title and from the longest
 * text.
 */
export class Relations {
  readonly #frame: Frame
  readonly #rows: RowWriter
  readonly #kin: readonly (readonly Kin[])[]
  readonly #anchors: readonly Int32Array[]
  /**
   * Per block: the number of `h1` headings up to and including it. Per element: the number of articles begun up to and
   * including it.
   */
  readonly #titles: Int32Array
  readonly #articles: Int32Array

  constructor(frame: Frame, rows: RowWriter) {
    this.#frame = frame
    this.#rows = rows
    this.#kin = depths.map((depth) => kinOf(frame, depth))
    const { all } = frame.blocks
    this.#anchors = [chainOf(frame.outline, all[titleOf(frame)]), chainOf(frame.outline, longest(all))]
    this.#titles = countsOf(all.length, (i) => frame.heading[i] === 1)
    this.#articles = countsOf(frame.outline.elements.length, (i) => frame.outline.elements[i]?.name === 'article')
  }

  add(i: number, block: Block): void {
    for (const kin of this.#kin) this.#addKin(kin[i])
    for (const chain of this.#anchors) this.#addAnchor(chain, block)
    this.#rows.add(log(this.#titles[i] ?? 0))
    this.#rows.add(log(this.#articles[block.at] ?? 0))
  }

  #addKin(kin: Kin | undefined): void {
    if (!kin) return
    const row = this.#rows
    const { words, blocks } = this.#frame
    row.add(log(kin.count))
    row.add(log(kin.words / kin.count))
    row.add(kin.words / Math.max(words, 1))
    row.add(kin.linkLetters / Math.max(kin.letters, 1))
    row.add(kin.again / kin.count)
    row.add((kin.last - kin.first) / blocks.all.length)
  }

  /**
   * Writes the levels up to the first element that also holds the anchor, the levels from there down to the anchor, and the
   * size of that element.
   */
  #addAnchor(chain: Int32Array, block: Block): void {
    const { outline: o, letters } = this.#frame
    const row = this.#rows
    let up = 0
    let at = chain.length === 0 ? -1 : block.at
    for (; at >= 0 && chain[at] === 0; at = o.parent[at] ?? -1) up++
    row.add(up)
    row.add(at < 0 ? -1 : (chain[at] ?? 0))
    row.add(at < 0 ? 2 : (o.text[at] ?? 0) / Math.max(letters, 1))
    row.add(at < 0 ? -1 : (o.linkText[at] ?? 0) / Math.max(o.text[at] ?? 0, 1))
  }
}

function kinOf({ outline: o, blocks: { all }, kind, repeats, seen }: Frame, depth: number): readonly Kin[] {
  const known = new Map<number, Kin>()
  return all.map(({ at, measure, linkLetters }, i) => {
    let key = 0x811c9dc5
    for (let level = 0, up = at; level < depth && up >= 0; level++, up = o.parent[up] ?? -1) key = Math.imul(key ^ ((kind[up] ?? 0) + 1), 0x01000193)
    let kin = known.get(key)
    if (kin === undefined) known.set(key, (kin = { count: 0, words: 0, letters: 0, linkLetters: 0, again: 0, first: i, last: i }))
    kin.count++
    kin.words += measure.words
    kin.letters += measure.letters
    kin.linkLetters += linkLetters
    kin.again += seen[i] === 1 || (repeats.get(measure.hash) ?? 1) > 1 ? 1 : 0
    kin.last = i
    return kin
  })
}

/**
 * Per element: how far above a block it is, counted from 1; 0 for elements that do not hold the block. Empty without a
 * block.
 */
function chainOf(o: Outline, block: Block | undefined): Int32Array {
  if (!block) return new Int32Array(0)
  const chain = new Int32Array(o.elements.length)
  for (let at = block.at, up = 1; at >= 0; at = o.parent[at] ?? -1) chain[at] = up++
  return chain
}

function countsOf(length: number, counts: (i: number) => boolean): Int32Array {
  const out = new Int32Array(length)
  for (let i = 0, count = 0; i < length; i++) out[i] = counts(i) ? ++count : count
  return out
}

/** The heading that shares the most words with the page's title, otherwise the first `h1`; -1 without either. */
function titleOf({ heading, shared }: Frame): number {
  let best = heading.indexOf(1)
  let most = 0.5
  for (let i = 0; i < heading.length; i++) {
    if (heading[i] === 0) continue
    const likeness = (shared[i] ?? 0) + (heading[i] === 1 ? 0.1 : 0)
    if (likeness > most) [best, most] = [i, likeness]
  }
  return best
}

function longest(all: readonly Block[]): Block | undefined {
  let best: Block | undefined
  let most = 0
  for (const block of all) {
    const plain = block.measure.words * (1 - block.linkLetters / Math.max(block.measure.letters, 1))
    if (plain > most) [best, most] = [block, plain]
  }
  return best
}
