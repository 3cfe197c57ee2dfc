import type { Bullet } from '../finish/bullets.ts'
import { type Placed, rightOf } from '../page/placed.ts'
import type { Shape } from './drawn-shapes.ts'

/** The size of a dot before an item, and the gap after it; multiples of the letter height. */
const [smallest, largest, widestGap] = [0.15, 0.8, 3]
/** A dot is about as wide as it is high, and as large as others in its list. */
const [narrow, alike] = [0.7, 1.1]
/** Most dots of a page that are compared with its lines, and most texts. */
const [mostDots, mostItems] = [500, 5_000]
const sameStart = 3

const middle = ({ bottom, top }: Shape): number => (bottom + top) / 2

function isDot({ left, right, bottom, top }: Shape): boolean {
  const [width, height] = [right - left, top - bottom]
  return width > 1 && height > 1 && Math.min(width, height) > Math.max(width, height) * narrow
}

/** The text that begins right of a dot, at its height; undefined when text stands before it. */
function textAt(dot: Shape, items: readonly Placed[]): Placed | undefined {
  const line = items.filter((item) => middle(dot) > item.y && middle(dot) < item.y + item.height && dot.right - dot.left < item.height * largest && dot.right - dot.left > item.height * smallest)
  if (line.some((item) => item.x < dot.right && rightOf(item) > dot.left - item.height * widestGap)) return undefined
  const [first] = line.filter((item) => item.x >= dot.right).sort((a, b) => a.x - b.x)
  return first !== undefined && first.x - dot.right < first.height * widestGap ? first : undefined
}

/** The list items of a page whose markers are small drawings; one alone may be an ornament. */
export function dottedItems(shapes: readonly Shape[], items: readonly Placed[]): Bullet[] {
  const texts = items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '')
  const dots = shapes.filter(isDot)
  if (dots.length < 2 || dots.length > mostDots || texts.length > mostItems) return []
  const starts = new Map<Placed, Shape>()
  for (const dot of dots) {
    const text = textAt(dot, texts)
    if (text !== undefined) starts.set(text, dot)
  }
  const sizes = [...starts.values()].map(({ left, right }) => right - left)
  const columns: number[] = []
  return texts.flatMap((item, i): Bullet[] => {
    const dot = starts.get(item)
    const size = dot === undefined ? 0 : dot.right - dot.left
    if (dot === undefined || sizes.filter((other) => other < size * alike && other > size / alike).length < 2) return []
    while ((columns.at(-1) ?? -Infinity) > item.x + sameStart) columns.pop()
    if ((columns.at(-1) ?? -Infinity) < item.x - sameStart) columns.push(item.x)
    return [{ text: item.text.trim(), before: texts[i - 1]?.text.trim().split(/\s+/).at(-1) ?? '', level: columns.length - 1 }]
  })
}

/** The same of texts that are read one after the other. */
export function dottedParts(shapes: readonly Shape[], parts: readonly (readonly Placed[])[]): Bullet[] {
  return parts.flatMap((items, i) => {
    const last = parts[i - 1]?.at(-1)?.text.trim().split(/\s+/).at(-1) ?? ''
    return dottedItems(shapes, items).map((bullet) => (bullet.before === '' ? { ...bullet, before: last } : bullet))
  })
}
