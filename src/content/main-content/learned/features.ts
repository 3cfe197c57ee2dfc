import { Row, type Table, width } from './table.ts'
import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'
import { addAncestors } from './features-ancestors.ts'
import { afterword, aside } from '../trim.ts'
import { oneLine } from '../../tree.ts'

/** What is looked up for blocks around a block. */
interface Around {
  readonly long: readonly number[]
  readonly firstHeading: number
  /** Of each block the last heading before it, and the next one. */
  readonly lastHeading: Int32Array
  readonly nextHeading: Int32Array
  readonly page: readonly number[]
}

const log = Math.log1p

/** The features of some blocks of a page, a row each. */
export function featuresOf(frame: Frame, wanted: Int32Array): Table {
  const rows = new Float32Array(wanted.length * width)
  const around = aroundOf(frame)
  const known: (readonly number[])[] = []
  const traits = (i: number): readonly number[] => {
    const block = frame.blocks.all[i]
    return block ? (known[i] ??= lineTraits(block, frame)) : []
  }
  wanted.forEach((i, at) => {
    const block = frame.blocks.all[i]
    if (!block) return
    const row = new Row(rows, at * width)
    addOwn(row, frame, { i, block, traits: traits(i) })
    addPlace(row, frame, around, i)
    addHeading(row, frame, around, { i, traits })
    addNeighbours(row, frame, i)
    addAncestors(row, frame, block)
    for (const value of around.page) row.one(value)
    if (row.at > (at + 1) * width) throw new Error(`a row holds ${row.at - at * width} numbers`)
  })
  return { width, rows }
}

const price = /[$€£¥₹]\s?\d|\d\s?(?:€|kr\b|zł|USD|EUR|GBP)/
const date = /\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\bago\b/i
const copyright = /©|\(c\) ?\d|copyright|all rights reserved/i
const byline = /^(?:by|von|par|por|di|written by|posted (?:by|on|in)|published|updated|last (?:updated|modified)|photo|image|credit|source|foto|bild|quelle|veröffentlicht|stand)\b/i
const asking = /\b(?:subscribe|sign up|newsletter|follow us|share|log ?in|cookie|click here|download|add to cart|buy now|read more|learn more|view (?:all|more)|see (?:all|more)|shop now|contact us|get started)\b/i

/** What the words of a line say. */
function lineTraits(block: Block, { signs }: Frame): readonly number[] {
  const line = oneLine(block.start)
  const short = block.measure.words <= 20
  const words = line.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
  const shared = words.filter((word) => signs.title.has(word)).length
  return [
    Number(short && afterword.test(line)),
    Number(short && aside.test(line)),
    Number(price.test(line)),
    Number(date.test(line)),
    Number(copyright.test(line)),
    Number(byline.test(line)),
    Number(asking.test(line)),
    shared / Math.max(words.length, 1),
    Number(words.length > 1 && signs.titleLine.includes(line.toLowerCase())),
  ]
}

function addOwn(row: Row, frame: Frame, { i, block, traits }: { readonly i: number; readonly block: Block; readonly traits: readonly number[] }): void {
  const { measure: m } = block
  const words = Math.max(m.words, 1)
  const letters = Math.max(m.letters, 1)
  row.add(log(m.words), log(m.letters), m.letters / words, block.linkLetters / letters, log(block.links), m.digits / letters, m.capitals / words)
  row.add(m.ends / words, m.commas / words, m.separators / words, m.joining / words, block.strongLetters / letters)
  row.add(Number(m.last === 46 || m.last === 33 || m.last === 63 || m.last === 0x3002), Number(m.last === 58), Number(m.last === 0x2026 || block.start.endsWith('...')))
  row.add(log(frame.repeats.get(m.hash) ?? 1), frame.seen[i] ?? 0, log(block.texts.length))
  for (const trait of traits) row.one(trait)
}

function isLong({ measure, linkLetters }: Block): boolean {
  return measure.words >= 25 && linkLetters < measure.letters * 0.4
}

function aroundOf(frame: Frame): Around {
  const { all } = frame.blocks
  const lastHeading = new Int32Array(all.length).fill(-1)
  const nextHeading = new Int32Array(all.length).fill(-1)
  for (let i = 1; i < all.length; i++) lastHeading[i] = frame.heading[i - 1] ? i - 1 : (lastHeading[i - 1] ?? -1)
  for (let i = all.length - 2; i >= 0; i--) nextHeading[i] = frame.heading[i + 1] ? i + 1 : (nextHeading[i + 1] ?? -1)
  const long = all.flatMap((block, i) => (isLong(block) ? [i] : []))
  return { long, firstHeading: frame.heading.indexOf(1), lastHeading, nextHeading, page: pageNumbers(frame, long) }
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

/** A distance with its sign, as its logarithm. */
function far(distance: number): number {
  return distance < 0 ? -log(-distance) : log(distance)
}

function addPlace(row: Row, frame: Frame, { long, firstHeading }: Around, i: number): void {
  const count = frame.blocks.all.length
  const before = frame.before[i] ?? 0
  const words = Math.max(frame.words, 1)
  row.add(i / count, before / words, log(i), log(count - 1 - i), firstHeading < 0 ? -99 : far(i - firstHeading), firstHeading < 0 ? -2 : (before - (frame.before[firstHeading] ?? 0)) / words)
  let low = 0
  let high = long.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((long[middle] ?? 0) < i) low = middle + 1
    else high = middle
  }
  const last = long[low - 1]
  const next = long[long[low] === i ? low + 1 : low]
  row.add(low / Math.max(long.length, 1), last === undefined ? 9 : log(i - last), next === undefined ? 9 : log(next - i), log(low), log(long.length - low))
}

function addHeading(row: Row, frame: Frame, { lastHeading, nextHeading }: Around, { i, traits }: { readonly i: number; readonly traits: (i: number) => readonly number[] }): void {
  const last = lastHeading[i] ?? -1
  const next = nextHeading[i] ?? -1
  const block = frame.blocks.all[last]
  const told = last < 0 ? [] : traits(last)
  row.add(frame.heading[i] ?? 0, last < 0 ? 9 : log(i - last), last < 0 ? 0 : (frame.heading[last] ?? 0), told[0] ?? 0, told[1] ?? 0, told[7] ?? 0)
  row.add(block ? block.linkLetters / Math.max(block.measure.letters, 1) : 0, block ? log(block.measure.words) : 0, next < 0 ? 9 : log(next - i))
  row.add(log((frame.before[next < 0 ? frame.before.length - 1 : next] ?? 0) - (frame.before[i] ?? 0)), last < 0 ? 0 : log((frame.before[i] ?? 0) - (frame.before[last] ?? 0)))
}

const offsets = [-3, -2, -1, 1, 2, 3]

function addNeighbours(row: Row, frame: Frame, i: number): void {
  const { all } = frame.blocks
  const own = all[i]
  for (const offset of offsets) {
    const block = all[i + offset]
    if (!block || !own) row.add(-1, -1, -1, -1, -1)
    else {
      const { measure: m } = block
      row.add(log(m.words), block.linkLetters / Math.max(m.letters, 1), m.ends / Math.max(m.words, 1), frame.heading[i + offset] ?? 0, Number(kindAt(frame, block) === kindAt(frame, own)))
    }
  }
  let words = 0
  let plain = 0
  for (let j = Math.max(0, i - 6); j <= Math.min(all.length - 1, i + 6); j++) {
    const block = all[j]
    if (!block) continue
    words += block.measure.words
    plain += block.measure.words * (1 - block.linkLetters / Math.max(block.measure.letters, 1))
  }
  row.add(log(words), plain / Math.max(words, 1))
}

function kindAt(frame: Frame, block: Block): number {
  return frame.kind[block.at] ?? -1
}
