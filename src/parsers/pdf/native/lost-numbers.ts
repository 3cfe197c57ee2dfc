import { quoted } from '../../../lib/quoted.ts'
import { namesPage } from '../page/page-numbers.ts'
import { endOf, lostFrom, mostFound, mostItems, type Piece, piecesOf } from './lost-lines.ts'
import type { Placed } from '../page/placed.ts'

/** Matches a line that the library mistakes for a page number and omits, wherever it stands. */
const number = /^\d{1,4}$/
/** The share of the height of a page's text, at both ends, where such a line may be a page number. */
const edge = 0.12
/** A number so many times as high as most letters is no page number, but a title: the year on a cover. */
const titleHeight = 1.75
/** Pieces whose baselines are closer than this multiple of their height are beside each other. */
const besideStep = 0.7

/** What the number behind it belongs to: it ends with a colon, or with a word for numbers. */
const label = /(?::|(?<!\p{L})(?:no|nr|num(?:ber|mer|éro|ero)?|número|id|code|ref)\.?|№|n[°º]|#)$/iu
/** Most numbers whose labels are looked for, and most words of a label that identify it. */
const [mostLabels, mostWords] = [200, 4]

/** How often each such number stands in a text, not as a part of a longer one. */
function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [one] of text.matchAll(/(?<![\p{L}\p{N}])\d{1,4}(?![\p{L}\p{N}])/gu)) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** The pieces that have nothing beside them, not even an exponent or the mark of a footnote. */
function lonely(pieces: readonly Piece[]): Set<Piece> {
  const sorted = pieces.toSorted((a, b) => b.y - a.y)
  const isBeside = (a: Piece | undefined, b: Piece | undefined): boolean => a !== undefined && b !== undefined && Math.abs(a.y - b.y) < Math.max(a.height, b.height) * besideStep
  return new Set(sorted.filter((piece, i) => !isBeside(sorted[i - 1], piece) && !isBeside(piece, sorted[i + 1])))
}

/** The height of most letters. */
function usualHeight(pieces: readonly Piece[]): number {
  const counts = new Map<number, number>()
  for (const { height, text } of pieces) counts.set(height, (counts.get(height) ?? 0) + text.length)
  return [...counts].reduce(([most, count], [height, own]) => (own > count ? [height, own] : [most, count]), [Infinity, 0])[0]
}

/** The label at the left of a number, in its line; null where there is none, or where it is one for pages. */
function labelOf(number: Piece, pieces: readonly Piece[]): string | null {
  const left = pieces.filter(({ right, y, height }) => right <= number.x + 1 && Math.abs(y - number.y) < height / 3).toSorted((a, b) => b.right - a.right)[0]
  const text = left?.text.trim() ?? ''
  return label.test(text) && !namesPage(text) ? text : null
}

/** Where a label ends in the markdown; null when that is not certain. */
function endOfLabel(markdown: string, text: string): number | null {
  const [found, other] = [...markdown.matchAll(new RegExp(text.split(/\s+/).slice(-mostWords).map(quoted).join('[\\s*]+'), 'gu'))]
  return found === undefined || other !== undefined ? null : found.index + found[0].length
}

/**
 * Puts back lines within a page that are only a number, such as the figures between the labels of a report, and numbers that are
 * titles, or have a label.
 */
export function withLostNumbers(markdown: string, items: readonly Placed[]): string {
  if (items.length > mostItems || markdown.trim() === '' || !items.some(({ text }) => number.test(text.trim()))) return markdown
  const pieces = piecesOf(items)
  const heights = pieces.map(({ y }) => y)
  const [top, bottom] = [heights.reduce((a, b) => Math.max(a, b), -Infinity), heights.reduce((a, b) => Math.min(a, b), Infinity)]
  const least = usualHeight(pieces) * titleHeight
  const isWithin = ({ y, height }: Piece): boolean => height >= least || (y < top - (top - bottom) * edge && y > bottom + (top - bottom) * edge)
  const apart = lonely(pieces)
  const [drawn, written] = [countsOf(pieces.map(({ text }) => text).join('\n')), countsOf(markdown)]
  const missing = (text: string): number => (drawn.get(text) ?? 0) - (written.get(text) ?? 0)
  const all = pieces.filter(({ text }) => number.test(text.trim()))
  // The library omits a number at the edge of a page also where its label stands far before it.
  const labels = new Map(all.filter(({ text }) => missing(text.trim()) > 0).slice(0, mostLabels).map((piece) => [piece, labelOf(piece, pieces)]))
  const numbers = all.filter((piece) => (isWithin(piece) && apart.has(piece)) || typeof labels.get(piece) === 'string')
  const alone = countsOf(numbers.map(({ text }) => text).join('\n'))
  // Where the markdown has one of some equal numbers, it is not certain which of them is missing.
  const lost = new Set(numbers.filter(({ text }) => missing(text.trim()) >= (alone.get(text.trim()) ?? 0)))
  let done = markdown
  for (let at = 0, found = 0; at < pieces.length && found < mostFound; at++) {
    const piece = pieces[at]
    if (piece === undefined || !lost.has(piece)) continue
    found++
    const said = labels.get(piece) ?? null
    const place = said === null ? null : endOfLabel(done, said)
    if (place !== null) {
      done = `${done.slice(0, place)} ${piece.text.trim()}${done.slice(place)}`
      continue
    }
    const { text, count } = lostFrom(pieces, at, (one) => one !== undefined && lost.has(one) && (one === piece || typeof labels.get(one) !== 'string'))
    const end = endOf(done, pieces[at - 1])
    done = [done.slice(0, end).trimEnd(), text, done.slice(end).trimStart()].filter((part) => part !== '').join('\n\n')
    at += count - 1
  }
  return done
}
