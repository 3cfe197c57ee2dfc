import { attribute, classOf } from '../../../../html/tree.ts'
import { isNumberedPost } from '../../../kinds/numbered-posts.ts'
import type { Frame } from '../../frame.ts'

/**
 * The elements of a kind are posts when at least `share` of all their letters are kept, and `pure` of the letters of those
 * that are kept in part.
 */
const share = 0.6
const pure = 0.97
const fewestKept = 2
/** Elements from a post up to the one whose number tells that it is one. */
const mostBoxes = 3
/** Fewest letters of the longest post. */
const aPost = 100
/** Words that name posts, and words that name what surrounds them. */
const posts = /post|message|comment|reply|answer|content|body|prose|text|entry|markdown/i
const around = /related|recommend|similar|suggest|sidebar|widget|footer|header|signature|teaser|card|ad\b|promo/i

/**
 * Keeps all posts of a discussion when most of its text is kept. The trees judge each post by itself, and omit short ones
 * and those about a link.
 */
export function keepPosts(frame: Frame, kept: Uint8Array): void {
  if (!frame.rules.forum) return
  for (const places of kindsOfPosts(frame)) {
    let [letters, said, shown, whole, longest] = [0, 0, 0, 0, 0]
    for (const i of places) {
      const [all, left] = lettersOf(frame, kept, i)
      said += all
      letters += left
      longest = Math.max(longest, all)
      if (left > 0) shown += all
      if (left > all / 2) whole++
    }
    if (whole < Math.min(fewestKept, places.length - 1) || whole === places.length || longest < aPost || letters < said * share || letters < shown * pure) continue
    const depths = new Set(places.filter((i) => lettersOf(frame, kept, i)[1] > 0).map((i) => depthOf(frame, i)))
    // The same software may use the same classes for its rules beside the posts, at another depth.
    for (const i of places) if (depths.has(depthOf(frame, i))) kept.fill(1, frame.blocks.first[i] ?? 0, frame.blocks.end[i] ?? 0)
  }
}

function depthOf({ outline: o }: Frame, i: number): number {
  let depth = 0
  for (let at = o.parent[i] ?? -1; at >= 0; at = o.parent[at] ?? -1) depth++
  return depth
}

/** Elements with the same name and classes, grouped by kind; no element is inside another of its kind. */
function kindsOfPosts(frame: Frame): readonly (readonly number[])[] {
  const { outline: o, kind, rules } = frame
  const kinds = new Map<number, number[]>()
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (element === undefined || rules.verdict[i] === 1) continue
    const name = classOf(element)
    if (!posts.test(name) || around.test(name)) continue
    const places = kinds.get(kind[i] ?? 0) ?? []
    const last = places.at(-1)
    if (last === undefined || (o.end[last] ?? 0) <= i) places.push(i)
    kinds.set(kind[i] ?? 0, places)
  }
  return [...kinds.values()].filter((places) => places.length > fewestKept || (places.length === 2 && places.every((i) => isSurelyPost(frame, i))))
}

/** Whether the page says that an element is a post: two of a kind may otherwise be anything. */
function isSurelyPost({ outline: o }: Frame, i: number): boolean {
  for (let at = i, boxes = 0; at >= 0 && boxes <= mostBoxes; at = o.parent[at] ?? -1, boxes++) {
    const element = o.elements[at]
    if (element !== undefined && isNumberedPost(element)) return true
  }
  const element = o.elements[i]
  return element !== undefined && attribute(element, 'itemprop') === 'text'
}

function lettersOf({ blocks }: Frame, kept: Uint8Array, i: number): readonly [number, number] {
  let [all, left] = [0, 0]
  for (let at = blocks.first[i] ?? 0; at < (blocks.end[i] ?? 0); at++) {
    const letters = blocks.all[at]?.measure.letters ?? 0
    all += letters
    if (kept[at] === 1) left += letters
  }
  return [all, left]
}
