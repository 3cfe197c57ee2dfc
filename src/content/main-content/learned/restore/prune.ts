import type { Page } from '../../../clean/step.ts'
import { attribute, type Document, type Element } from '../../../html/tree.ts'
import { isUnit } from '../../in-sentence.ts'
import { closed } from '../../root/root.ts'
import type { Frame } from '../frame.ts'
import { isFigureBetween } from './holes.ts'

/** Per element of the outline: its characters, and how many of them are kept. */
interface Held {
  readonly total: Float64Array
  readonly left: Float64Array
}

/** The result of pruning: the innermost element that holds everything kept, and the number of nodes removed. */
export interface Pruned {
  readonly root: Document | Element
  readonly count: number
}

const spoken = /(?:^|[\s_-])(?:sr-only|screen-?reader(?:-?(?:text|only))?|visually-?hidden)(?:$|\s)/i

/** Whether an element says for screen readers only what the page shows in another way, and is not the unit of a number, which it may show nowhere. */
function isSpoken(element: Element): boolean {
  return element.name === 'span' && spoken.test((attribute(element, 'class') ?? '').slice(0, 300)) && !isUnit(element)
}

/** Marks every element that holds no kept block. An element without any text stays when the content around it stays. */
export function prune(page: Page, frame: Frame, kept: Uint8Array): Pruned {
  const { outline: o, blocks } = frame
  const held = heldOf(frame, kept)
  const last = kept.lastIndexOf(1)
  let ruled = 0
  /** End of the last figure whose picture is kept, as an index into the outline. */
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
      // Its texts are removed already, and the elements around them hold the picture.
      if (held.total[i] === 0) i = (o.end[i] ?? i + 1) - 1
      continue
    }
    const at = blocks.first[i] ?? 0
    // A rule separates what is before from what is after: it needs kept text on both sides.
    const parts = element.name !== 'hr' || (at <= last && kept.subarray(ruled, at).includes(1))
    if (held.total[i] === 0 && parts && isAmongKept(frame, kept, held, i)) {
      if (element.name === 'hr') ruled = at
    } else page.removed.add(element)
    // An element without text is removed or kept as a whole, so that a picture stays with its wrapper.
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

/** Whether an element without text is between kept blocks, or in a parent that is mostly kept. */
function isAmongKept({ outline: o, blocks }: Frame, kept: Uint8Array, { total, left }: Held, i: number): boolean {
  const parent = o.parent[i] ?? -1
  if (parent >= 0 && (left[parent] ?? 0) > 0 && (left[parent] ?? 0) >= (total[parent] ?? 0) * 0.5) return true
  const at = blocks.first[i] ?? 0
  return at > 0 && kept[at - 1] === 1 && kept[at] === 1
}

/** The innermost element that holds everything kept and may hold other blocks. */
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
