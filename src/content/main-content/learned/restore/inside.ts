import { closed } from '../../root/root.ts'
import { isTechnical, namesOthers } from '../../kinds/technical.ts'
import type { Frame } from '../frame.ts'
import { isIn, lettersBefore, lineOf } from './lines.ts'

/** The share of kept letters that the text holds; a line beside it, such as the name of the site, may be kept too. */
const nearlyAll = 0.97
/** The text is kept whole when at least this share of it is kept already. */
const share = 0.85
/** Most blocks of a gap that is filled although less is kept. */
const aGap = 3
/** Texts with fewer letters are left to the trees. */
const fewest = 250
const parts: ReadonlySet<string> = new Set(['p', 'li', 'dd', 'dt', 'pre', 'td', 'th', 'caption', 'blockquote'])
/** Parts that say something new, although their words were on the page before. */
const again: ReadonlySet<string> = new Set(['dt', 'td', 'th', 'pre'])
/** Elements that hold a part of a text, however long. */
const ofText: ReadonlySet<string> = new Set(['table', 'dl', 'ul', 'ol', 'pre'])
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'header', 'form', 'button', 'select', 'aside'])

/**
 * Keeps what the trees omit inside technical writing that is kept for the most: paragraphs, terms, code and cells far below
 * the start of a long page, of which the ground truth of the training pages often has the first part only.
 */
export function keepInside(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, rules } = frame
  const letters = lettersBefore(frame, kept)
  const all = letters[kept.length] ?? 0
  const root = rules.forum || all < fewest ? -1 : textOf(frame, letters)
  if (root < 0 || !isTechnical(o, root)) return
  const open: number[] = []
  let rest = 0
  const [last, behind] = [kept.lastIndexOf(1, (blocks.end[root] ?? 0) - 1), endOf(frame, kept, root)]
  const [from, to] = withCode(frame, { root, from: kept.indexOf(1, blocks.first[root]), to: behind })
  for (let i = from; i < to; i++) {
    if (kept[i] === 1 || !belongs(frame, i, { root, inSection: i > last && i < behind })) continue
    open.push(i)
    rest += blocks.all[i]?.measure.letters ?? 0
  }
  if (all >= (all + rest) * share) for (const i of open) kept[i] = 1
  else fillGaps(frame, kept, open)
}

/** Keeps paragraphs of which only a few are omitted between two kept blocks. */
function fillGaps({ outline: o, blocks }: Frame, kept: Uint8Array, open: readonly number[]): void {
  for (let at = 0; at < open.length; ) {
    const first = open[at] ?? 0
    let size = 1
    while (open[at + size] === first + size) size++
    const prose = open.slice(at, at + size).every((i) => o.elements[blocks.all[i]?.at ?? -1]?.name === 'p')
    if (prose && size <= aGap && kept[first - 1] === 1 && kept[first + size] === 1) kept.fill(1, first, first + size)
    at += size
  }
}

/** The innermost element that holds nearly all kept letters, as an index into the outline; -1 for none. */
function textOf({ outline: o, blocks }: Frame, letters: Float64Array): number {
  const least = (letters[letters.length - 1] ?? 0) * nearlyAll
  let root = -1
  for (let i = 0; i < o.elements.length && !closed.has(o.elements[i]?.name ?? ''); ) {
    const isPart = (letters[blocks.end[i] ?? 0] ?? 0) - (letters[blocks.first[i] ?? 0] ?? 0) < least
    if (!isPart && ofText.has(o.elements[i]?.name ?? '') && root >= 0) return root
    if (!isPart) root = i
    i = isPart ? (o.end[i] ?? i + 1) : i + 1
  }
  return root
}

/** Behind the last kept block of the text, or behind the section after it that names what to see also. */
function endOf({ outline: o, blocks, heading }: Frame, kept: Uint8Array, root: number): number {
  const end = kept.lastIndexOf(1, (blocks.end[root] ?? 0) - 1) + 1
  const next = blocks.all[end]
  if (next === undefined || heading[end] === 0 || !namesOthers(lineOf(next))) return end
  const section = o.parent[next.at] ?? -1
  return section > root && blocks.first[section] === end ? (blocks.end[section] ?? end) : end
}

/** A stretch of a text, as the range of its blocks. */
interface Stretch {
  readonly root: number
  readonly from: number
  readonly to: number
}

/** A stretch together with the sections before and behind it that hold code of the same text. */
function withCode({ outline: o, blocks, rules }: Frame, { root, from, to }: Stretch): readonly [number, number] {
  let [start, end] = [from, to]
  for (let i = root + 1; i < (o.end[root] ?? 0); i++) {
    // What the rules take for furniture has no code of the text.
    if (rules.verdict[i] !== 0 || edges.has(o.elements[i]?.name ?? '')) i = (o.end[i] ?? i + 1) - 1
    else if (o.elements[i]?.name === 'pre' && (blocks.end[i] ?? 0) > (blocks.first[i] ?? 0)) {
      if ((blocks.end[i] ?? 0) <= from) start = Math.min(start, blocks.first[sectionOf(i, (at) => (blocks.end[at] ?? 0) <= from)] ?? start)
      if ((blocks.first[i] ?? 0) >= to) end = Math.max(end, blocks.end[sectionOf(i, (at) => (blocks.first[at] ?? 0) >= to)] ?? end)
    }
  }
  return [start, end]

  /** The outermost element around code, below the root, that is outside the stretch. */
  function sectionOf(code: number, isOutside: (at: number) => boolean): number {
    let section = code
    for (let at = code; at > root && isOutside(at); at = o.parent[at] ?? -1) section = at
    return section
  }
}

function belongs(frame: Frame, i: number, { root, inSection }: { readonly root: number; readonly inSection: boolean }): boolean {
  const { outline: o, blocks, heading, rules, seen } = frame
  const block = blocks.all[i]
  if (block === undefined || isIn(frame, block, edges)) return false
  for (let at = block.at; at > root; at = o.parent[at] ?? -1) if (rules.verdict[at] !== 0) return false
  const name = o.elements[block.at]?.name ?? ''
  return inSection || heading[i] !== 0 || (parts.has(name) && (seen[i] === 0 || again.has(name)))
}
