import { headingTags } from '../../html/tag-sets.ts'
import { isNamedTitle, isTitleElement } from '../../title-elements.ts'
import { attribute, type Element, oneLine } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'
import type { Block, Blocks } from './blocks.ts'
import { meaningsOf } from './features/keywords.ts'
import { type PageSigns, sharedWords } from './features/page-signs.ts'

/** What the rules decided about the page. */
export interface RulesView {
  /** The root that they found, as an index into the outline; -1 for none. */
  readonly root: number
  /** Per element of the outline: 0 kept, 1 furniture, 2 side matter. */
  readonly verdict: Uint8Array
  readonly forum: boolean
  readonly confidence: number
}

/** Everything that features are computed from. */
export interface Frame {
  readonly outline: Outline
  readonly blocks: Blocks
  readonly signs: PageSigns
  readonly rules: RulesView
  /** Per element: its `NameKind`, and the meanings in its names, as bits. */
  readonly kinds: Uint8Array
  readonly meanings: Int32Array
  /** Per element: the number of siblings with the same name and classes, itself included. */
  readonly alike: Int32Array
  /** Per element: a number that stands for its name and classes; and, per number, the first such element. */
  readonly kind: Int32Array
  readonly samples: readonly Element[]
  /** Per block: the level of the heading that it is in, or 0. */
  readonly heading: Uint8Array
  /** Per block: the share of its words that the page's title has too; set for headings only. */
  readonly shared: Float64Array
  /** Per block: the words of the page before it. */
  readonly before: Float64Array
  readonly words: number
  readonly letters: number
  /** How often each text is on the page; and, per block, whether its text was there before. */
  readonly repeats: ReadonlyMap<number, number>
  readonly seen: Uint8Array
}

/** What must be known of a page before its frame is computed. */
export type Known = Pick<Frame, 'outline' | 'blocks' | 'signs' | 'rules' | 'kinds'>

/** Computes the tables over all elements and blocks, in a few passes. */
export function frameOf(known: Known): Frame {
  const { outline: o, blocks } = known
  const { kind, samples } = kindsOf(o)
  const before = new Float64Array(blocks.all.length)
  let words = 0
  let letters = 0
  for (let i = 0; i < blocks.all.length; i++) {
    const measure = blocks.all[i]?.measure
    before[i] = words
    words += measure?.words ?? 0
    letters += measure?.letters ?? 0
  }
  const heading = headingsOf(known, { kind, samples })
  return { ...known, ...repetition(blocks.all), meanings: meaningsIn(o), kind, samples, alike: alikeOf(o, kind), heading, shared: sharedOf(heading, known), before, words, letters }
}

const maxName = 200

function kindsOf({ elements }: Outline): Pick<Frame, 'kind' | 'samples'> {
  const numbers = new Map<string, Map<string, number>>()
  const kind = new Int32Array(elements.length)
  const samples: Element[] = []
  for (let i = 0; i < kind.length; i++) {
    const element = elements[i]
    if (!element) continue
    const whole = attribute(element, 'class') ?? ''
    const classes = whole.length > maxName ? whole.slice(0, maxName) : whole
    let named = numbers.get(classes)
    if (named === undefined) numbers.set(classes, (named = new Map()))
    const number = named.get(element.name) ?? samples.length
    if (number === samples.length) named.set(element.name, samples.push(element) - 1)
    kind[i] = number
  }
  return { kind, samples }
}

/**
 * The elements for which a test of their name and their first 200 characters of classes holds, in document order. The test is
 * asked once for each kind: a page has many elements and few kinds.
 */
export function ofKind({ kind, samples }: Pick<Frame, 'kind' | 'samples'>, test: (element: Element) => boolean): readonly number[] {
  const holds = samples.map(test)
  const found: number[] = []
  if (holds.includes(true)) for (let i = 0; i < kind.length; i++) if (holds[kind[i] ?? -1] === true) found.push(i)
  return found
}

/** The elements with one of some names, in document order. */
export function withName(frame: Pick<Frame, 'kind' | 'samples'>, ...names: readonly string[]): readonly number[] {
  return ofKind(frame, ({ name }) => names.includes(name))
}

function meaningsIn({ elements }: Outline): Int32Array {
  const meanings = new Int32Array(elements.length)
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]
    if (element) meanings[i] = meaningsOf(element)
  }
  return meanings
}

/** Counts the siblings of each kind, visiting each element three times. */
function alikeOf({ end }: Outline, kind: Int32Array): Int32Array {
  const alike = new Int32Array(kind.length)
  const counts = new Int32Array(kind.length)
  for (let i = -1; i < kind.length; i++) {
    const from = i + 1
    const behind = i < 0 ? kind.length : (end[i] ?? from)
    for (let at = from; at < behind; at = end[at] ?? behind) counts[kind[at] ?? 0] = (counts[kind[at] ?? 0] ?? 0) + 1
    for (let at = from; at < behind; at = end[at] ?? behind) alike[at] = counts[kind[at] ?? 0] ?? 1
    for (let at = from; at < behind; at = end[at] ?? behind) counts[kind[at] ?? 0] = 0
  }
  return alike
}

const levelsUp = 6
/** Stands for the level of an element that is a title or not, whatever others of its kind are. */
const mayBeTitle = 7

function headingsOf({ outline: { elements, parent }, blocks: { all } }: Known, { kind, samples }: Pick<Frame, 'kind' | 'samples'>): Uint8Array {
  const headings = new Uint8Array(all.length)
  const levels = samples.map((element) => (headingTags.has(element.name) ? Number(element.name[1]) : isNamedTitle(element) ? mayBeTitle : 0))
  for (let block = 0; block < headings.length; block++) {
    for (let i = all[block]?.at ?? -1, up = 0; i >= 0 && up < levelsUp; i = parent[i] ?? -1, up++) {
      const level = levels[kind[i] ?? -1] ?? 0
      const element = elements[i]
      if (level === 0 || (level === mayBeTitle && (element === undefined || !isTitleElement(element)))) continue
      headings[block] = level === mayBeTitle ? 1 : level
      break
    }
  }
  return headings
}

/** Letters of a heading that are compared. */
const maxHeading = 160

function textIn({ texts }: Block): string {
  let text = ''
  for (const { data } of texts) {
    text += data.slice(0, maxHeading * 2)
    if (text.length >= maxHeading) break
  }
  return oneLine(text).slice(0, maxHeading)
}

function sharedOf(heading: Uint8Array, { blocks, signs }: Known): Float64Array {
  const shared = new Float64Array(heading.length)
  for (let i = 0; i < heading.length; i++) {
    const block = blocks.all[i]
    if (block && heading[i] !== 0) shared[i] = sharedWords(textIn(block), signs.title)
  }
  return shared
}

function repetition(blocks: readonly Block[]): Pick<Frame, 'repeats' | 'seen'> {
  const repeats = new Map<number, number>()
  const seen = new Uint8Array(blocks.length)
  for (let i = 0; i < seen.length; i++) {
    const hash = blocks[i]?.measure.hash ?? 0
    const times = repeats.get(hash) ?? 0
    repeats.set(hash, times + 1)
    seen[i] = times > 0 ? 1 : 0
  }
  return { repeats, seen }
}
