import { attribute } from '../../../../html/tree.ts'
import type { Block } from '../../blocks.ts'
import type { Frame } from '../../frame.ts'
import { isIn } from '../lines.ts'

/** How many blocks from the start of a teaser its text may begin, and the fewest letters of that. */
const near = 12
const aText = 40
/** Fewest posts of a list, and blocks among which the heading of one is. */
const fewestPosts = 2
const beforeHeading = 4
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'form', 'aside'])

/**
 * Keeps the titles of teasers whose texts are kept: in parts of the same kind, the longest link before the text, if links of
 * its kind are kept elsewhere. The trees drop some of those that are no headings. In articles they lead to other articles.
 */
export function keepTeaserTitles(frame: Frame, kept: Uint8Array): void {
  const { outline: o, alike, rules, signs, blocks } = frame
  if (rules.forum || signs.isArticle) return
  keepHeadings(frame, kept)
  let kinds: ReadonlySet<number> | undefined
  for (let i = 0; i < o.elements.length; i++) {
    if ((alike[i] ?? 0) < 2 || rules.verdict[i] !== 0) continue
    const title = titleOf(frame, kept, i)
    const block = blocks.all[title]
    if (block === undefined || isIn(frame, block, edges)) continue
    kinds ??= new Set(blocks.all.filter((other, at) => kept[at] === 1 && other.links > 0).map((other) => kindOf(frame, other)))
    if (kinds.has(kindOf(frame, block))) kept[title] = 1
  }
}

/**
 * Keeps the headings of posts whose texts are kept: in two or more parts of the same kind, the heading that each begins
 * with. There may be a date or an author between heading and text.
 */
function keepHeadings(frame: Frame, kept: Uint8Array): void {
  const { outline: o, alike, rules, kind } = frame
  const posts = new Map<string, number[]>()
  for (let i = 0; i < o.elements.length; i++) {
    if ((alike[i] ?? 0) < 2 || rules.verdict[i] !== 0) continue
    const heading = headingOf(frame, kept, i)
    if (heading < 0) continue
    const group = `${o.parent[i]} ${kind[i]}`
    const found = posts.get(group)
    if (found === undefined) posts.set(group, [heading])
    else found.push(heading)
  }
  for (const headings of posts.values()) if (headings.length >= fewestPosts) for (const at of headings) kept[at] = 1
}

/** The heading that a part with kept text begins with; -1 for none. */
function headingOf(frame: Frame, kept: Uint8Array, i: number): number {
  const { blocks, heading } = frame
  const end = blocks.end[i] ?? 0
  for (let at = blocks.first[i] ?? 0; at < Math.min(end, (blocks.first[i] ?? 0) + beforeHeading); at++) {
    const block = blocks.all[at]
    if (block === undefined || kept[at] !== 0 && heading[at] === 0) return -1
    if (heading[at] === 0) continue
    return !isIn(frame, block, edges) && kept.subarray(at + 1, Math.min(end, at + near)).includes(1) ? at : -1
  }
  return -1
}

/** What the first link of a block is: its classes, or without any those of the element around it. */
function kindOf({ outline: o, kind }: Frame, { places }: Block): number {
  let at = places[0] ?? -1
  while (at >= 0 && o.elements[at]?.name !== 'a') at = o.parent[at] ?? -1
  const link = o.elements[at]
  return kind[link !== undefined && attribute(link, 'class') !== undefined ? at : (o.parent[at] ?? -1)] ?? -1
}

/** The omitted title of a teaser; -1 for none. */
function titleOf({ blocks, heading }: Frame, kept: Uint8Array, i: number): number {
  const first = blocks.first[i] ?? 0
  const end = Math.min(blocks.end[i] ?? 0, first + near)
  let title = -1
  let most = 0
  for (let at = first; at < end; at++) {
    const { measure, linkLetters = 0 } = blocks.all[at] ?? {}
    const letters = measure?.letters ?? 0
    const isLink = letters > 0 && linkLetters === letters
    if (kept[at] === 1 && (isLink || heading[at] !== 0)) return -1
    if (kept[at] === 1 && letters >= aText) return title
    if (kept[at] === 1 || !isLink || letters <= most) continue
    title = at
    most = letters
  }
  return -1
}
