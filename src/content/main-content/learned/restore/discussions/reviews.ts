import { classOf } from '../../../../html/tree.ts'
import { keepBylines } from './bylines.ts'
import { type Frame, ofKind } from '../../frame.ts'
import { isTyped } from './thread.ts'

const reviewType = /schema\.org\/(?:User)?Review\/?$/
const reviewClass = /(?:^|\s)(?:review|review-?item)(?:\s|$)/i
const holders: ReadonlySet<string> = new Set(['li', 'div', 'article', 'section'])
/** The share of the letters of all reviews from which on they are content. */
const share = 0.4
const fewest = 2

/**
 * Keeps all reviews alike when much of them is kept: in each the parts that are kept in others, who wrote it, and when. The
 * trees judge them one by one.
 */
export function keepReviews(frame: Frame, kept: Uint8Array): void {
  const { blocks, kind } = frame
  const reviews = reviewsOf(frame)
  if (reviews.length < fewest) return
  const shown = new Set<number>()
  const omitted: (readonly [review: number, block: number])[] = []
  let [letters, all] = [0, 0]
  for (const review of reviews) {
    for (let i = blocks.first[review] ?? 0; i < (blocks.end[review] ?? 0); i++) {
      const block = blocks.all[i]
      if (block === undefined) continue
      all += block.measure.letters
      if (kept[i] === 1) {
        letters += block.measure.letters
        shown.add(kind[block.at] ?? -1)
      } else omitted.push([review, i])
    }
  }
  if (letters < all * share) return
  for (const [review, i] of omitted) if (shown.has(kind[blocks.all[i]?.at ?? -1] ?? -1) && !isFurnitureOf(frame, review, i)) kept[i] = 1
  keepBylines(frame, kept, reviews)
}

/** Whether the rules find furniture around a block, in its review: all around that may be called comments. */
function isFurnitureOf({ outline: o, blocks, rules }: Frame, review: number, block: number): boolean {
  for (let at = blocks.all[block]?.at ?? -1; at > review; at = o.parent[at] ?? -1) if (rules.verdict[at] === 1) return true
  return false
}

/** The reviews of a page that microdata or a class calls so; none is inside another. */
function reviewsOf(frame: Frame): readonly number[] {
  const { elements, end } = frame.outline
  const named = new Set(ofKind(frame, (element) => holders.has(element.name) && reviewClass.test(classOf(element))))
  const reviews: number[] = []
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]
    if (element === undefined || (!named.has(i) && !isTyped(element, reviewType))) continue
    reviews.push(i)
    i = (end[i] ?? i + 1) - 1
  }
  return reviews
}
