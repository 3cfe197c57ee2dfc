import { once } from '../../../../lib/once.ts'
import { classOf, type Element } from '../../../html/tree.ts'
import { isNote, isQuoted } from '../../furniture/notes.ts'
import { isNumberedPost, isWholePost } from '../../kinds/numbered-posts.ts'
import { type Frame, ofKind, withName } from '../frame.ts'
import { isData } from './records/data-table.ts'

/** Elements that are kept whole or left to their parts, and the share of kept letters from which on they are kept whole. */
const wholes: ReadonlyMap<string, number> = new Map([['pre', 0.3], ['p', 0.4], ['ul', 0.6], ['ol', 0.6], ['dl', 0.6], ['table', 0.6], ['blockquote', 0.6], ['li', 0.6], ['tr', 0.5], ['figure', 0.5], ['h1', 0.3], ['h2', 0.3], ['h3', 0.3]])
/** The same of a table of data. */
const someData = 0.15
/** Most blocks that a post quotes, and blocks beside it among which there is one that is kept. */
const mostQuoted = 24
const besideQuote = 3
/** Most lines of a short comment with its author. */
const aRemark = 4
/** Boxes of notes in the text, as generators of documentation call them. */
const admonition = /(?:^|\s)admonition(?:\s|$)/
const listParts: ReadonlySet<string> = new Set(['ul', 'ol', 'li'])
const tableParts: ReadonlySet<string> = new Set(['table', 'tr'])

/** Keeps what makes no sense in parts, such as lists, tables and code, where enough of it is kept. */
export function keepWholes(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, kind } = frame
  const shares = frame.samples.map((element) => wholes.get(element.name) ?? 0)
  const layout = new Uint8Array(o.elements.length)
  const posts = once(() => aroundOfPosts(frame))
  for (let i = o.elements.length - 1; i >= 0; i--) {
    const element = o.elements[i]
    const up = o.parent[i] ?? -1
    if (up >= 0 && (element?.name === 'table' || layout[i] === 1)) layout[up] = 1
    // A table around tables may be the frame of the page.
    if (element === undefined || (layout[i] === 1 && tableParts.has(element.name))) continue
    const share = shares[kind[i] ?? -1] ?? 0
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (share === 0 || end - first < 2) continue
    const least = isData(o, i) ? someData : share
    let letters = 0
    let all = 0
    for (let at = first; at < end; at++) {
      const size = blocks.all[at]?.measure.letters ?? 0
      all += size
      if (kept[at] === 1) letters += size
    }
    if (letters < all * least) continue
    // A list of posts holds what stands around them, too.
    if (!listParts.has(element.name) || posts()[i] === 0) kept.fill(1, first, end)
  }
}

/** Per element: 1 when it is a post of a discussion that is more than a remark, or holds one. */
function aroundOfPosts({ outline: o, blocks }: Frame): Uint8Array {
  const posts = new Uint8Array(o.elements.length)
  for (let i = o.elements.length - 1; i >= 0; i--) {
    const element = o.elements[i]
    const up = o.parent[i] ?? -1
    if (element !== undefined && isPostOf(element, (blocks.end[i] ?? 0) - (blocks.first[i] ?? 0))) posts[i] = 1
    if (up >= 0 && posts[i] === 1) posts[up] = 1
  }
  return posts
}

/** Whether an element is a post of a discussion that is more than a remark. */
const isPostOf = (element: Element, lines: number): boolean => isWholePost(element) || (lines > aRemark && isNumberedPost(element))

/**
 * Keeps the notes of technical writing that follow a kept block, even in an element shared with blocks that are not kept,
 * and what posts quote beside a kept block.
 */
export function keepNotes(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  for (const i of ofKind(frame, (element) => element.name === 'aside' || (element.name === 'div' && admonition.test(classOf(element))))) {
    const element = o.elements[i]
    if (element === undefined) continue
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (isQuoted(element)) {
      const near = (from: number): boolean => kept.subarray(Math.max(from, 0), from + besideQuote).includes(1)
      if (end > first && end - first <= mostQuoted && (near(first - besideQuote) || near(end))) kept.fill(1, first, end)
    } else if (isNote(o, i, element) && first > 0 && kept[first - 1] === 1 && end - first <= 12) kept.fill(1, first, end)
  }
}

/** Keeps a term (`dt`) with its kept description (`dd`). */
export function keepTerms(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  for (const i of withName(frame, 'dt')) {
    const end = blocks.end[i] ?? 0
    const next = o.elements[o.end[i] ?? 0]
    if (kept[end] === 1 && next?.name === 'dd' && next.parent === o.elements[i]?.parent) kept.fill(1, blocks.first[i] ?? end, end)
  }
}
