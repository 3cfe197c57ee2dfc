import { type Link, type Segment, deleted, emphasis, strong } from './inline-run.ts'

/** What stands before a piece. */
export type Gap = 'none' | 'space' | 'break'

/** A segment without outer white space; the white space before it is its gap. */
export interface Piece {
  readonly raw: boolean
  readonly text: string
  marks: number
  readonly link: Link | null
  gap: Gap
  /** How far each mark and the link reach: index of the last piece. */
  readonly ends: { strong: number; emphasis: number; deleted: number; link: number }
}

const punctuation = /[\p{P}\p{S}]/u
const leadingPunctuation = /^[\p{P}\p{S}]+/u
const trailingPunctuation = /[\p{P}\p{S}]+$/u

/** Whether a character counts as punctuation (CommonMark 0.31, 2.1). */
export function isPunctuation(character: string): boolean {
  return punctuation.test(character)
}

/** Whether a character is neither white space nor punctuation, and there is one. */
export function isWordCharacter(character: string): boolean {
  return character !== '' && character !== ' ' && character !== '\n' && !punctuation.test(character)
}

/** The first character, surrogate pairs as one. */
export function firstCharacter(text: string): string {
  const code = text.charCodeAt(0)
  return code >= 0xd800 && code < 0xdc00 ? text.slice(0, 2) : text.charAt(0)
}

/** The last character, surrogate pairs as one. */
export function lastCharacter(text: string): string {
  const code = text.charCodeAt(text.length - 1)
  return code >= 0xdc00 && code < 0xe000 ? text.slice(-2) : text.charAt(text.length - 1)
}

/** Segments to pieces: white space becomes gaps, emphasis is moved to where its signs work. */
export function toPieces(segments: readonly Segment[]): Piece[] {
  const pieces: Piece[] = []
  let gap: Gap = 'none'
  for (const segment of segments) {
    if (segment.kind === 'break') {
      gap = 'break'
      continue
    }
    const core = segment.kind === 'raw' ? segment.text : segment.text.trim()
    if (gap === 'none' && segment.kind === 'text' && segment.text.startsWith(' ')) gap = 'space'
    if (core !== '') {
      pieces.push(piece(segment.kind === 'raw', core, segment.marks, segment.link, pieces.length === 0 ? 'none' : gap))
      gap = 'none'
    }
    if (core !== '' && segment.kind === 'text' && segment.text.endsWith(' ')) gap = 'space'
  }
  return pieces.some((p) => p.marks !== 0) ? finish(settleEmphasis(pieces)) : finish(pieces)
}

function piece(raw: boolean, text: string, marks: number, link: Link | null, gap: Gap): Piece {
  return { raw, text, marks, link, gap, ends: { strong: 0, emphasis: 0, deleted: 0, link: 0 } }
}

/**
 * A sign of emphasis between a letter and punctuation neither opens nor closes (CommonMark 0.31, 6.2). So where a letter follows
 * or precedes without a space, punctuation at the edge leaves the emphasis.
 */
function settleEmphasis(pieces: readonly Piece[]): Piece[] {
  const settled: Piece[] = []
  for (const next of pieces) {
    const before = settled[settled.length - 1]
    if (!before || next.gap !== 'none' || before.marks === next.marks) settled.push(next)
    else settleBoundary(settled, before, next)
  }
  return settled
}

function settleBoundary(settled: Piece[], before: Piece, next: Piece): void {
  const shared = before.marks & next.marks
  const closes = before.marks !== shared
  const opens = next.marks !== shared
  if (closes && opens) {
    settled.push({ ...next, marks: adjacent(before, next) })
  } else if (closes && isWordCharacter(edge(next, 'first'))) {
    settled.pop()
    settled.push(...splitEnd(before, shared), next)
  } else if (opens && isWordCharacter(edge(before, 'last'))) {
    settled.push(...splitStart(next, shared))
  } else {
    settled.push(next)
  }
}

/** Two different emphases touch: their signs would run together unless one of them is a strike-through. */
function adjacent(before: Piece, next: Piece): number {
  const shared = before.marks & next.marks
  const mixed = (before.marks | next.marks) & ~shared
  return mixed & deleted && (mixed & (strong | emphasis)) === 0 ? next.marks : shared | (next.marks & deleted & ~shared)
}

/** The character that stands at the edge of a piece once it is written. */
function edge(of: Piece, side: 'first' | 'last'): string {
  if (of.raw) return '`'
  if (of.link) return side === 'first' ? '[' : ')'
  return side === 'first' ? firstCharacter(of.text) : lastCharacter(of.text)
}

function splitStart(of: Piece, outside: number): Piece[] {
  if (of.raw || (of.link && of.marks !== 0)) return of.raw ? [{ ...of, marks: outside }] : [of]
  const lead = leadingPunctuation.exec(of.text)?.[0] ?? ''
  if (lead === '') return [of]
  const rest = of.text.slice(lead.length)
  if (rest.trim() === '') return [{ ...of, marks: outside }]
  return [
    piece(false, lead, outside, of.link, of.gap),
    piece(false, rest.trimStart(), of.marks, of.link, rest.startsWith(' ') ? 'space' : 'none'),
  ]
}

function splitEnd(of: Piece, outside: number): Piece[] {
  if (of.raw) return [{ ...of, marks: outside }]
  const tail = of.link ? '' : (trailingPunctuation.exec(of.text.slice(-64))?.[0] ?? '')
  if (tail === '') return [of]
  const rest = of.text.slice(0, -tail.length)
  if (rest.trim() === '') return [{ ...of, marks: outside }]
  return [
    piece(false, rest.trimEnd(), of.marks, of.link, of.gap),
    piece(false, tail, outside, of.link, rest.endsWith(' ') ? 'space' : 'none'),
  ]
}

/** Works out how far every mark reaches. */
function finish(pieces: Piece[]): Piece[] {
  for (let i = pieces.length - 1; i >= 0; i--) {
    const here = pieces[i]
    const next = pieces[i + 1]
    if (!here) continue
    here.ends.strong = next && next.marks & strong ? next.ends.strong : i
    here.ends.emphasis = next && next.marks & emphasis ? next.ends.emphasis : i
    here.ends.deleted = next && next.marks & deleted ? next.ends.deleted : i
    here.ends.link = next && here.link !== null && next.link === here.link ? next.ends.link : i
  }
  return pieces
}
