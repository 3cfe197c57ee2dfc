import { headingTags } from '../../tag-sets.ts'
import { attribute, type Element } from '../../tree.ts'
import type { Names } from '../names.ts'
import type { Outline } from '../outline.ts'
import type { Block, Blocks } from './blocks.ts'
import { type Meaning, meaningOf } from './keywords.ts'
import type { PageSigns } from './page-signs.ts'

/** What the rules made of the page. */
export interface RulesView {
  /** The root that they found, as a place in the outline; -1 for none. */
  readonly root: number
  /** By place in the outline: 0 kept, 1 furniture, 2 side matter. */
  readonly verdict: Uint8Array
  readonly forum: boolean
  readonly confidence: number
}

/** Everything that features are made from. */
export interface Frame {
  readonly outline: Outline
  readonly blocks: Blocks
  readonly signs: PageSigns
  readonly rules: RulesView
  readonly names: Names
  readonly meanings: readonly Meaning[]
  /** Of each element: how many siblings bear the same name and classes, itself included. */
  readonly alike: Int32Array
  /** Of each element: a number for its name and classes. */
  readonly kind: Int32Array
  /** Of each block: the level of the heading that it is in, else 0. */
  readonly heading: Uint8Array
  /** Of each block: words of the page before it. */
  readonly before: Float64Array
  readonly words: number
  readonly letters: number
  /** How often each text stands on the page, and of each block whether it stood there before. */
  readonly repeats: ReadonlyMap<number, number>
  readonly seen: Uint8Array
}

/** What is known of a page before its features are made. */
export type Known = Pick<Frame, 'outline' | 'blocks' | 'signs' | 'rules' | 'names'>

/** Tables over all elements and blocks, in a few passes. */
export function frameOf(known: Known): Frame {
  const { outline: o, blocks } = known
  const kind = kindsOf(o)
  const before = new Float64Array(blocks.all.length)
  let words = 0
  let letters = 0
  blocks.all.forEach(({ measure }, i) => {
    before[i] = words
    words += measure.words
    letters += measure.letters
  })
  return { ...known, ...repetition(blocks.all), meanings: o.elements.map(meaningOf), kind, alike: alikeOf(o, kind), heading: headingsOf(o, blocks.all), before, words, letters }
}

function kindsOf(o: Outline): Int32Array {
  const numbers = new Map<string, number>()
  return Int32Array.from(o.elements, (element: Element) => {
    const key = `${element.name} ${(attribute(element, 'class') ?? '').slice(0, 200)}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    return numbers.size - 1
  })
}

function alikeOf(o: Outline, kind: Int32Array): Int32Array {
  const counts = new Map<number, number>()
  const key = (i: number): number => ((o.parent[i] ?? -1) + 1) * 1_048_576 + (kind[i] ?? 0)
  for (let i = 0; i < kind.length; i++) counts.set(key(i), (counts.get(key(i)) ?? 0) + 1)
  return Int32Array.from(kind, (_, i) => counts.get(key(i)) ?? 1)
}

const levelsUp = 6

function headingsOf(o: Outline, blocks: readonly Block[]): Uint8Array {
  return Uint8Array.from(blocks, ({ at }) => {
    for (let i = at, up = 0; i >= 0 && up < levelsUp; i = o.parent[i] ?? -1, up++) {
      const name = o.elements[i]?.name ?? ''
      if (headingTags.has(name)) return Number(name[1])
    }
    return 0
  })
}

function repetition(blocks: readonly Block[]): Pick<Frame, 'repeats' | 'seen'> {
  const repeats = new Map<number, number>()
  const seen = Uint8Array.from(blocks, ({ measure: { hash } }) => {
    const times = repeats.get(hash) ?? 0
    repeats.set(hash, times + 1)
    return Number(times > 0)
  })
  return { repeats, seen }
}
