import { quoted } from '../../lib/quoted.ts'
import type { Placed } from './anchors.ts'

/** How a paragraph begins that the library takes for the number of its page, and leaves out with all that follows in it. */
const likeNumber = /^page\s+\d+\s+(?!of\s+\d)\p{L}+\s+\S/iu
/** Pages of more are searched for nothing. */
const mostItems = 5_000
const mostFound = 50
/** Distances in heights of letters: between words, to the next column, to the next paragraph. */
const [wordGap, columnGap, paragraphGap] = [0.15, 2, 1.7]

/** A piece of a line without a gap as wide as that between columns. */
interface Piece {
  readonly text: string
  readonly x: number
  readonly right: number
  readonly y: number
  readonly height: number
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '')

function piecesOf(items: readonly Placed[]): Piece[] {
  const pieces: Piece[] = []
  for (const { text, x, y, width, height } of items.filter(({ itemType, text }) => itemType === 'Text' && text.trim() !== '')) {
    const last = pieces.at(-1)
    const gap = last === undefined ? Infinity : x - last.right
    if (last === undefined || Math.abs(last.y - y) > height / 3 || gap > height * columnGap || gap < -height) pieces.push({ text, x, right: x + width, y, height })
    else pieces[pieces.length - 1] = { ...last, text: last.text + (gap > height * wordGap ? ' ' : '') + text, right: x + width }
  }
  return pieces
}

/** The lines, from one on, of which nothing is in the markdown, as paragraphs; and how many they are. */
function lostFrom(pieces: readonly Piece[], from: number, isLost: (piece: Piece | undefined) => boolean): { text: string; count: number } {
  let text = ''
  let at = from
  for (; at < pieces.length && isLost(pieces[at]); at++) {
    const [before, piece] = [pieces[at - 1], pieces[at]]
    const isNew = at > from && before !== undefined && piece !== undefined && before.y - piece.y > piece.height * paragraphGap
    text += `${at === from ? '' : isNew ? '\n\n' : ' '}${piece?.text.trim() ?? ''}`
  }
  return { text, count: at - from }
}

/** Where the paragraph ends that ends with the words of a line; the start where there is none. */
function endOf(markdown: string, line: Piece | undefined): number {
  const words = line?.text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '').slice(-6) ?? []
  const found = words.length === 0 ? null : new RegExp(words.map(quoted).join('[^\\p{L}\\p{N}]+'), 'u').exec(markdown)
  if (found === null) return 0
  const end = markdown.indexOf('\n\n', found.index + found[0].length)
  return end < 0 ? markdown.length : end
}

/** The markdown of a page with the paragraphs that begin as page numbers do ("Page 12 of the report says that …"), where they stand. */
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
    // A single line at the edge of a page is furniture.
    if (count === 1 && (first === undefined || last === undefined)) continue
    const end = endOf(done, first)
    done = [done.slice(0, end).trimEnd(), text, done.slice(end).trimStart()].filter((part) => part !== '').join('\n\n')
    found++
  }
  return done
}
