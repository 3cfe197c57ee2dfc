import { attribute } from '../../tree.ts'
import type { Frame } from './frame.ts'

/** Share of their letters that is kept of elements of a kind, and of the letters of those of which something is kept, where they are what people wrote and nothing else. */
const share = 0.6
const pure = 0.97
const fewestKept = 2
/** Letters of the longest of them. */
const aPost = 100
/** Words that name what somebody wrote, and those that name what stands around it. */
const posts = /post|message|comment|reply|answer|content|body|prose|text|entry|markdown/i
const around = /related|recommend|similar|suggest|sidebar|widget|footer|header|signature|teaser|card|ad\b|promo/i

/**
 * Keeps what all posts of a discussion wrote where most of it is kept: trees judge each by itself, and leave out the short ones and those that are
 * about a link.
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
    if (whole < fewestKept || whole === places.length || longest < aPost || letters < said * share || letters < shown * pure) continue
    const depths = new Set(places.filter((i) => lettersOf(frame, kept, i)[1] > 0).map((i) => depthOf(frame, i)))
    // The same software may show its rules beside them in the same clothes.
    for (const i of places) if (depths.has(depthOf(frame, i))) kept.fill(1, frame.blocks.first[i] ?? 0, frame.blocks.end[i] ?? 0)
  }
}

function depthOf({ outline: o }: Frame, i: number): number {
  let depth = 0
  for (let at = o.parent[i] ?? -1; at >= 0; at = o.parent[at] ?? -1) depth++
  return depth
}

/** Elements that bear the same name and classes, by kind, each no part of another. */
function kindsOfPosts({ outline: o, kind, rules }: Frame): readonly (readonly number[])[] {
  const kinds = new Map<number, number[]>()
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (element === undefined || rules.verdict[i] === 1) continue
    const name = (attribute(element, 'class') ?? '').slice(0, 200)
    if (!posts.test(name) || around.test(name)) continue
    const places = kinds.get(kind[i] ?? 0) ?? []
    const last = places.at(-1)
    if (last === undefined || (o.end[last] ?? 0) <= i) places.push(i)
    kinds.set(kind[i] ?? 0, places)
  }
  return [...kinds.values()].filter((places) => places.length > fewestKept)
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
