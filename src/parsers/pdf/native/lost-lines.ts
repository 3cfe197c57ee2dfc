import { quoted } from '../../../lib/quoted.ts'
import type { Placed } from '../page/placed.ts'

/** Matches the start of a paragraph that the library mistakes for a page number and omits. */
const likeNumber = /^page\s+\d+\s+(?!of\s+\d)\p{L}+\s+\S/iu
/** Pages with more items are not searched. */
export const mostItems = 5_000
/** How often lines are put back on a page. */
export const mostFound = 50
/** Distances in letter heights: between words, to the next column, to the next paragraph. */
const [wordGap, columnGap, paragraphGap] = [0.15, 2, 1.7]

/** A part of a line, up to a gap as wide as a column gap. */
export interface Piece {
  readonly text: string
  readonly x: number
  readonly right: number
  readonly y: number
  readonly height: number
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** The parts of the lines of a page, in the order of its items. */
export function piecesOf(items: readonly Placed[]): Piece[] {
  const pieces: Piece[] = []
  for (const { text, x, y, width, height } of items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '')) {
    const last = pieces.at(-1)
    const gap = last === undefined ? Infinity : x - last.right
    if (last === undefined || Math.abs(last.y - y) > height / 3 || gap > height * columnGap || gap < -height) pieces.push({ text, x, right: x + width, y, height })
    else pieces[pieces.length - 1] = { ...last, text: last.text + (gap > height * wordGap ? ' ' : '') + text, right: x + width }
  }
  return pieces
}

/** The consecutive pieces from an index on that are missing in the markdown: their text as paragraphs, and their number. */
export function lostFrom(pieces: readonly Piece[], from: number, isLost: (piece: Piece | undefined) => boolean): { text: string; count: number } {
  let text = ''
  let at = from
  for (; at < pieces.length && isLost(pieces[at]); at++) {
    const [before, piece] = [pieces[at - 1], pieces[at]]
    const isNew = at > from && before !== undefined && piece !== undefined && before.y - piece.y > piece.height * paragraphGap
    text += `${at === from ? '' : isNew ? '\n\n' : ' '}${piece?.text.trim() ?? ''}`
  }
  return { text, count: at - from }
}

/** The end of the paragraph that contains the last words of a line; 0 when it is not found. */
export function endOf(markdown: string, line: Piece | undefined): number {
  const words = line?.text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '').slice(-6) ?? []
  const found = words.length === 0 ? null : new RegExp(words.map(quoted).join('[^\\p{L}\\p{N}]+'), 'u').exec(markdown)
  if (found === null) return 0
  const end = markdown.indexOf('\n\n', found.index + found[0].length)
  return end < 0 ? markdown.length : end
}

/** Puts back paragraphs that start like a page number ("Page 12 of the report says that …"), in their places. */
export function withLostLines(markdown: string, items: readonly Placed[]): string {
  if (items.length > mostItems || markdown.trim() === '' || !items.some(({ text }) => /^\s*page\b/i.test(text))) return markdown
  const pieces = piecesOf(items)
  const written = lettersOf(markdown)
  const isLost = (piece: Piece | undefined): boolean => piece !== undefined && lettersOf(piece.text) !== '' && !written.includes(lettersOf(piece.text))
  let done = markdown
  for (let at = 0, found = 0; at < pieces.length && found < mostFound; ) {
    const piece = pieces[at]
    if (piece === undefined || !likeNumber.test(piece.text) || !isLost(piece)) {
      at++
      continue
    }
    const { text, count } = lostFrom(pieces, at, isLost)
    const [first, last] = [pieces[at - 1], pieces[at + count]]
    at += count
    // A single line at the edge of a page is a header or footer.
    if (count === 1 && (first === undefined || last === undefined)) continue
    const end = endOf(done, first)
    done = [done.slice(0, end).trimEnd(), text, done.slice(end).trimStart()].filter((part) => part !== '').join('\n\n')
    found++
  }
  return done
}
