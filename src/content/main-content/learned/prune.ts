import type { Page } from '../../clean/step.ts'
import { attribute, type Document, type Element } from '../../tree.ts'
import { closed } from '../root.ts'
import type { Frame } from './frame.ts'
import { isFigureBetween } from './holes.ts'

/** Characters in each element of the outline, and those of them that are kept. */
interface Held {
  readonly total: Float64Array
  readonly left: Float64Array
}

/** What is left of a page: the innermost place that holds all of it, and how many heads of subtrees were left out. */
export interface Pruned {
  readonly root: Document | Element
  readonly count: number
}

const spoken = /(?:^|[\s_-])(?:sr-only|screen-?reader(?:-?(?:text|only))?|visually-?hidden)(?:$|\s)/i

/** Whether an element says to those who hear a page what those who see it know already. */
function isSpoken(element: Element): boolean {
  return element.name === 'span' && spoken.test((attribute(element, 'class') ?? '').slice(0, 300))
}

/** Marks everything that holds no kept block. What holds no text at all stays where the content around it does. */
export function prune(page: Page, frame: Frame, kept: Uint8Array): Pruned {
  const { outline: o, blocks } = frame
  const held = heldOf(frame, kept)
  const last = kept.lastIndexOf(1)
  let ruled = 0
  /** Up to where a figure goes whose picture stays. */
  let pictured = 0
  const before = page.removed.size
  blocks.all.forEach((block, i) => {
    if (kept[i] !== 1) for (const text of block.texts) page.removed.add(text)
  })
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (!element) continue
    if (isSpoken(element) && (held.total[o.parent[i] ?? -1] ?? 0) > (held.total[i] ?? 0)) page.removed.add(element)
    if ((held.left[i] ?? 0) > 0) continue
    if (i >= pictured && isFigureBetween(frame, kept, i)) pictured = o.end[i] ?? i
    if (i < pictured && element.name !== 'figcaption') {
      // Its texts are gone already, and what is around them holds the picture.
      if (held.total[i] === 0) i = (o.end[i] ?? i + 1) - 1
      continue
    }
    const at = blocks.first[i] ?? 0
    // A rule parts what stands before it from what comes after.
    const parts = element.name !== 'hr' || (at <= last && kept.subarray(ruled, at).includes(1))
    if (held.total[i] === 0 && parts && isAmongKept(frame, kept, held, i)) {
      if (element.name === 'hr') ruled = at
    } else page.removed.add(element)
    // What holds nothing that says something goes or stays whole: a picture in a wrapper of its own stays with that.
    i = (o.end[i] ?? i + 1) - 1
  }
  return { root: rootOf(page, frame, held), count: page.removed.size - before }
}

function heldOf({ outline: o, blocks }: Frame, kept: Uint8Array): Held {
  const total = new Float64Array(o.elements.length)
  const left = new Float64Array(o.elements.length)
  for (let i = 0; i < blocks.all.length; i++) {
    const block = blocks.all[i]
    if (!block) continue
    for (let part = 0; part < block.texts.length; part++) {
      const at = block.places[part] ?? -1
      const length = block.texts[part]?.data.length ?? 0
      add(total, at, length)
      if (kept[i] === 1) add(left, at, length)
    }
  }
  for (let i = o.elements.length - 1; i > 0; i--) {
    add(total, o.parent[i] ?? -1, total[i] ?? 0)
    add(left, o.parent[i] ?? -1, left[i] ?? 0)
  }
  return { total, left }
}

function add(numbers: Float64Array, at: number, amount: number): void {
  if (at >= 0) numbers[at] = (numbers[at] ?? 0) + amount
}

/** Whether what holds no text stands between kept blocks, or in a part that is mostly kept. */
function isAmongKept({ outline: o, blocks }: Frame, kept: Uint8Array, { total, left }: Held, i: number): boolean {
  const parent = o.parent[i] ?? -1
  if (parent >= 0 && (left[parent] ?? 0) > 0 && (left[parent] ?? 0) >= (total[parent] ?? 0) * 0.5) return true
  const at = blocks.first[i] ?? 0
  return at > 0 && kept[at - 1] === 1 && kept[at] === 1
}

/** The innermost element that holds all that is kept, and is no element of text. */
function rootOf({ document }: Page, { outline: o, blocks }: Frame, { left }: Held): Document | Element {
  let root: Document | Element = document
  if (blocks.all.some(({ at }) => at < 0)) return root
  let all = 0
  for (let i = 0; i < o.elements.length; i = o.end[i] ?? i + 1) all += left[i] ?? 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (!element || (left[i] ?? 0) < all) {
      i = (o.end[i] ?? i + 1) - 1
      continue
    }
    if (closed.has(element.name)) break
    root = element
  }
  return root
}
