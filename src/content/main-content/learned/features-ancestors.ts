import type { Outline } from '../outline.ts'
import type { Block } from './blocks.ts'
import type { Row } from './table.ts'
import type { Frame } from './frame.ts'
import { meaningCount } from './keywords.ts'

/** Elements whose nearness says what a block is for. */
const tags = ['nav', 'footer', 'header', 'aside', 'main', 'article', 'section', 'form', 'table', 'ul', 'ol', 'li', 'p', 'div', 'td', 'blockquote', 'figure', 'dl', 'pre', 'button', 'a', 'label', 'figcaption', 'details'] as const
const tagAt = new Map<string, number>(tags.map((tag, i) => [tag, i]))
const levelsUp = 30
const none = 40
const areas = 5
/** An ancestor counts as another area when it holds this much more than the one before. */
const growth = 1.05

const distances = new Float32Array(tags.length)
const meanings = new Float32Array(meaningCount)
const log = Math.log1p

/** What stands above a block: names, elements, areas of the page, items of a kind, and what the rules think. */
export function addAncestors(row: Row, frame: Frame, block: Block): void {
  const { outline: o, names, rules } = frame
  distances.fill(none)
  meanings.fill(none)
  let low = 0
  let high = 0
  let depth = 0
  const kinds = { furniture: none, comments: none, content: none, plain: none }
  let verdict = 0
  let inRoot = 0
  for (let i = block.at; i >= 0; i = o.parent[i] ?? -1, depth++) {
    if (i === rules.root) inRoot = 1
    if (verdict === 0) verdict = rules.verdict[i] ?? 0
    const element = o.elements[i]
    if (depth >= levelsUp || !element) continue
    const tag = tagAt.get(element.name)
    if (tag !== undefined && distances[tag] === none) distances[tag] = depth
    const { low: l, high: h } = frame.meanings[i] ?? { low: 0, high: 0 }
    if ((l & ~low) !== 0) note(l & ~low, 0, depth)
    if ((h & ~high) !== 0) note(h & ~high, 32, depth)
    low |= l
    high |= h
    const kind = names.of(element)
    if (kinds[kind] === none) kinds[kind] = depth
  }
  for (const distance of distances) row.one(distance)
  for (const distance of meanings) row.one(distance)
  const kept = inRoot === 1 && verdict === 0
  row.add(depth, kinds.furniture, kinds.comments, kinds.content, inRoot, verdict, Number(kept), rules.root < 0 ? 0 : (o.text[rules.root] ?? 0) / Math.max(frame.letters, 1))
  addAreas(row, frame, block)
  addItems(row, frame, block)
}

function note(bits: number, from: number, depth: number): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1) meanings[from + 31 - Math.clz32(rest & -rest)] = depth
}

/** The ancestors that hold ever more of the page, as places in the outline. */
export function areasOf(o: Outline, block: Block): readonly number[] {
  const found: number[] = []
  let held = block.measure.letters
  for (let i = block.at; i >= 0 && found.length < areas; i = o.parent[i] ?? -1) {
    const text = o.text[i] ?? 0
    if (text <= held * growth) continue
    found.push(i)
    held = text
  }
  return found
}

function addAreas(row: Row, frame: Frame, block: Block): void {
  const { outline: o, blocks } = frame
  const found = areasOf(o, block)
  const total = Math.max(frame.letters, 1)
  for (let level = 0; level < areas; level++) {
    const i = found[level]
    if (i === undefined) {
      row.add(2, -1, -1, -1, -1, -1)
      continue
    }
    const text = Math.max(o.text[i] ?? 0, 1)
    row.add(text / total, (o.linkText[i] ?? 0) / text, (o.proseText[i] ?? 0) / text, log(o.images[i] ?? 0), (o.commas[i] ?? 0) / text, log((blocks.end[i] ?? 0) - (blocks.first[i] ?? 0)))
  }
}

/** The nearest ancestor that is one of several of its kind, and what they hold together. */
function addItems(row: Row, frame: Frame, block: Block): void {
  const { outline: o, alike } = frame
  let best = -1
  let distance = 0
  for (let i = block.at; i >= 0 && distance < levelsUp; i = o.parent[i] ?? -1, distance++) {
    if ((alike[i] ?? 1) < 3) continue
    best = i
    break
  }
  const parent = best < 0 ? -1 : (o.parent[best] ?? -1)
  if (parent < 0) return row.add(none, 0, -1, -1, -1, -1)
  const text = Math.max(o.text[parent] ?? 0, 1)
  row.add(distance, log(alike[best] ?? 1), text / Math.max(frame.letters, 1), (o.linkText[parent] ?? 0) / text, log(text / (alike[best] ?? 1)), (o.text[best] ?? 0) / text)
}
