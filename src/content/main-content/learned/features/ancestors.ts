import { nameKind } from '../../names.ts'
import { log } from './log.ts'
import type { Outline } from '../../outline.ts'
import type { Block } from '../blocks.ts'
import type { RowWriter } from '../trees/table.ts'
import type { Frame } from '../frame.ts'
import { meaningCount } from './keywords.ts'

/** Elements whose distance from a block says what the block is for. */
const tags = ['footer', 'main', 'article', 'section', 'form', 'table', 'ul', 'li', 'p', 'div', 'figure', 'dl', 'pre', 'figcaption'] as const
const tagAt = new Map<string, number>(tags.map((tag, i) => [tag, i]))
const levelsUp = 30
const none = 40
const areas = 4
/** An ancestor counts as the next larger area when it holds at least this many times the text of the last one. */
const growth = 1.05


/**
 * Writes the features of a block's ancestors: names, elements, areas of the page, repeated items, and what the rules
 * decided.
 */
export class Ancestors {
  readonly #frame: Frame
  readonly #rows: RowWriter
  /** Per element of the outline: its index in `tags`; -1 for all others. */
  readonly #tag: Int8Array

  constructor(frame: Frame, rows: RowWriter) {
    this.#frame = frame
    this.#rows = rows
    const { elements } = frame.outline
    this.#tag = new Int8Array(elements.length)
    for (let i = 0; i < elements.length; i++) this.#tag[i] = tagAt.get(elements[i]?.name ?? '') ?? -1
  }

  add(block: Block): void {
    const { outline: o, rules, letters, kinds, meanings } = this.#frame
    const { columns, rows } = this.#rows
    const tagsFrom = this.#rows.skip(tags.length, none)
    const meaningsFrom = this.#rows.skip(meaningCount, none)
    let seenTags = 0
    let seenMeanings = 0
    let depth = 0
    let furniture = none
    let comments = none
    let content = none
    let verdict = 0
    let inRoot = 0
    for (let i = block.at; i >= 0; i = o.parent[i] ?? -1, depth++) {
      if (i === rules.root) inRoot = 1
      if (verdict === 0) verdict = rules.verdict[i] ?? 0
      if (depth >= levelsUp) continue
      const tag = this.#tag[i] ?? -1
      if (tag >= 0 && (seenTags & (1 << tag)) === 0) {
        seenTags |= 1 << tag
        columns[tagsFrom + tag * rows] = depth
      }
      const found = (meanings[i] ?? 0) & ~seenMeanings
      if (found !== 0) this.#note(found, meaningsFrom, depth)
      seenMeanings |= found
      const kind = kinds[i]
      if (kind === nameKind.furniture && furniture === none) furniture = depth
      else if (kind === nameKind.comments && comments === none) comments = depth
      else if (kind === nameKind.content && content === none) content = depth
    }
    const row = this.#rows
    row.add(depth)
    row.add(furniture)
    row.add(comments)
    row.add(content)
    row.add(inRoot)
    row.add(verdict)
    row.add(Number(inRoot === 1 && verdict === 0))
    row.add(rules.root < 0 ? 0 : (o.text[rules.root] ?? 0) / Math.max(letters, 1))
    this.#addAreas(block)
    this.#addItems(block)
  }

  /** Writes the distance for each meaning in the bits. */
  #note(bits: number, from: number, depth: number): void {
    const { columns, rows } = this.#rows
    for (let rest = bits; rest !== 0; rest &= rest - 1) columns[from + (31 - Math.clz32(rest & -rest)) * rows] = depth
  }

  #addAreas(block: Block): void {
    const { outline: o, blocks, letters } = this.#frame
    const row = this.#rows
    const total = Math.max(letters, 1)
    let held = block.measure.letters
    let found = 0
    for (let i = block.at; i >= 0 && found < areas; i = o.parent[i] ?? -1) {
      const area = o.text[i] ?? 0
      if (area <= held * growth) continue
      found++
      held = area
      const text = Math.max(area, 1)
      row.add(text / total)
      row.add((o.linkText[i] ?? 0) / text)
      row.add((o.proseText[i] ?? 0) / text)
      row.add(log(o.images[i] ?? 0))
      row.add((o.commas[i] ?? 0) / text)
      row.add(log((blocks.end[i] ?? 0) - (blocks.first[i] ?? 0)))
    }
    for (; found < areas; found++) {
      row.add(2)
      for (let i = 0; i < 5; i++) row.add(-1)
    }
  }

  /**
   * Writes the features of the nearest ancestor that has at least two siblings of its kind, and of the parent that holds
   * them.
   */
  #addItems(block: Block): void {
    const { outline: o, alike, letters } = this.#frame
    const row = this.#rows
    const { at, distance } = nearestItem(o, alike, block)
    const parent = at < 0 ? -1 : (o.parent[at] ?? -1)
    if (parent < 0) {
      row.add(none)
      row.add(0)
      for (let i = 0; i < 4; i++) row.add(-1)
      return
    }
    const count = alike[at] ?? 1
    const text = Math.max(o.text[parent] ?? 0, 1)
    row.add(distance)
    row.add(log(count))
    row.add(text / Math.max(letters, 1))
    row.add((o.linkText[parent] ?? 0) / text)
    row.add(log(text / count))
    row.add((o.text[at] ?? 0) / text)
  }
}

function nearestItem(o: Outline, alike: Int32Array, block: Block): { readonly at: number; readonly distance: number } {
  let distance = 0
  for (let i = block.at; i >= 0 && distance < levelsUp; i = o.parent[i] ?? -1, distance++) if ((alike[i] ?? 1) >= 3) return { at: i, distance }
  return { at: -1, distance }
}
