import { type Link, type Segment, deleted, emphasis, strong } from './inline-run.ts'

/** What separates a piece from the one before. */
export type Gap = 'none' | 'space' | 'break'

/** A segment without outer white space; the white space before it is its gap. */
export interface Piece {
  readonly raw: boolean
  readonly text: string
  marks: number
  readonly link: Link | null
  gap: Gap
  /** For each mark and the link: index of the last piece that it reaches. */
  readonly ends: { strong: number; emphasis: number; deleted: number; link: number }
}

const punctuation = /[\p{P}\p{S}]/u
const leadingPunctuation = /^[\p{P}\p{S}]+/u
/** White space of any width at the edges of a text, which is written as one space. */
const spaceBefore = /^\s/
const spaceBehind = /\s$/
const trailingPunctuation = /[\p{P}\p{S}]+$/u

const asciiPunctuation = Array.from({ length: 128 }, (_, code) => punctuation.test(String.fromCharCode(code)))

/** Whether a character is punctuation (CommonMark 0.31, 2.1). */
export function isPunctuation(character: string): boolean {
  return asciiPunctuation[character.charCodeAt(0)] ?? punctuation.test(character)
}

/**
 * Whether there is a character that every parser takes for neither white space nor punctuation, or an emoji, on which
 * parsers differ.
 */
function isWordCharacter(character: string): boolean {
  return character.length > 1 || (character !== '' && character !== ' ' && character !== '\n' && !isPunctuation(character))
}

/** Text as inline code (CommonMark 0.31, 6.1); '' for blank text. */
function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim()
  if (code === '') return ''
  const tick = shortestFree(code)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${tick}${pad}${code}${pad}${tick}`
}

function shortestFree(code: string): string {
  if (!code.includes('`')) return '`'
  const used = new Set(Array.from(code.matchAll(/`+/g), (run) => run[0].length))
  let length = 1
  while (used.has(length)) length++
  return '`'.repeat(length)
}

/** The first character; a surrogate pair counts as one. */
export function firstCharacter(text: string): string {
  const code = text.charCodeAt(0)
  return code >= 0xd800 && code < 0xdc00 ? text.slice(0, 2) : text.charAt(0)
}

/** The last character; a surrogate pair counts as one. */
export function lastCharacter(text: string): string {
  const code = text.charCodeAt(text.length - 1)
  return code >= 0xdc00 && code < 0xe000 ? text.slice(-2) : text.charAt(text.length - 1)
}

/** Converts segments to pieces: white space becomes gaps, and emphasis moves to where its delimiters work. */
export function toPieces(segments: readonly Segment[]): Piece[] {
  const pieces: Piece[] = []
  let gap: Gap = 'none'
  for (const segment of segments) {
    if (segment.kind === 'break') {
      gap = 'break'
      continue
    }
    const core = segment.kind === 'code' ? codeSpan(segment.text) : segment.kind === 'raw' ? segment.text : segment.text.trim()
    if (gap === 'none' && segment.kind === 'text' && spaceBefore.test(segment.text)) gap = 'space'
    if (core !== '') {
      pieces.push(piece(segment.kind !== 'text', core, segment.marks, segment.link, pieces.length === 0 ? 'none' : gap))
      gap = 'none'
    }
    if (core !== '' && segment.kind === 'text' && spaceBehind.test(segment.text)) gap = 'space'
  }
  return pieces.some((p) => p.marks !== 0) ? finish(settleEmphasis(pieces)) : finish(pieces)
}

function piece(raw: boolean, text: string, marks: number, link: Link | null, gap: Gap): Piece {
  return { raw, text, marks, link, gap, ends: { strong: 0, emphasis: 0, deleted: 0, link: 0 } }
}

/**
 * Moves punctuation out of emphasis where its delimiter would not work: between a letter and punctuation, a delimiter
 * neither opens nor closes (CommonMark 0.31, 6.2).
 */
function settleEmphasis(pieces: readonly Piece[]): Piece[] {
  const settled: Piece[] = []
  pieces.forEach((next, i) => {
    const before = settled.at(-1)
    if (!before || next.gap !== 'none' || before.marks === next.marks) settled.push(next)
    else settleBoundary(settled, next, pieces.slice(i + 1, i + 1 + lookAhead))
  })
  return settled
}

/** How many later pieces are inspected for the end of a link. */
const lookAhead = 8

function settleBoundary(settled: Piece[], piece: Piece, following: readonly Piece[]): void {
  const before = settled.at(-1) ?? piece
  const touching = before.marks & ~piece.marks && piece.marks & ~before.marks
  const next = touching ? { ...piece, marks: adjacent(before, piece) } : piece
  const shared = before.marks & next.marks
  const sameLink = before.link === next.link
  if (before.marks !== shared && next.marks !== shared) {
    settled.push(next)
  } else if (before.marks !== shared && isWordCharacter(edge(next, 'first', sameLink))) {
    if (!sameLink && before.link) stripLink(settled, before, shared)
    else settled.push(...splitEnd(oneSign(settled.pop() ?? before, shared), shared))
    settled.push(next)
  } else if (next.marks !== shared && isWordCharacter(edge(before, 'last', sameLink))) {
    const beyond = following.find((piece) => piece.link !== next.link)
    const reaches = beyond !== undefined && (beyond.marks & next.marks & ~shared) !== 0
    if (!sameLink && next.link) settled.push(reaches ? { ...next, marks: shared } : next)
    else settled.push(...splitStart(oneSign(next, shared), shared))
  } else {
    settled.push(next)
  }
}

/** Beside a letter only one kind of delimiter works: strikethrough is dropped. */
function oneSign(of: Piece, outside: number): Piece {
  const own = of.marks & ~outside
  return own & deleted && own & (strong | emphasis) ? { ...of, marks: of.marks & ~deleted } : of
}

/** Takes marks that end with a link off the link's pieces, when they began before the link. */
function stripLink(settled: Piece[], last: Piece, marks: number): void {
  let first = settled.length - 1
  while (first > 0 && settled[first - 1]?.link === last.link) first--
  const outside = first > 0 ? settled[first - 1] : undefined
  if (!outside || (outside.marks & last.marks & ~marks) === 0) return
  for (let i = first; i < settled.length; i++) {
    const piece = settled[i]
    if (piece) settled[i] = { ...piece, marks: piece.marks & marks }
  }
}

/**
 * The marks of a piece that directly follows different emphasis: the delimiters would merge, unless one of them is
 * strikethrough.
 */
function adjacent(before: Piece, next: Piece): number {
  const shared = before.marks & next.marks
  const mixed = (before.marks | next.marks) & ~shared
  return mixed & deleted && (mixed & (strong | emphasis)) === 0 ? next.marks : shared | (next.marks & deleted & ~shared)
}

/** The character at the edge of a piece in the output. */
function edge(of: Piece, side: 'first' | 'last', sameLink: boolean): string {
  if (of.raw) return '`'
  if (of.link && !sameLink) return side === 'first' ? '[' : ')'
  return side === 'first' ? firstCharacter(of.text) : lastCharacter(of.text)
}

function splitStart(of: Piece, outside: number): Piece[] {
  if (of.raw) return [{ ...of, marks: outside }]
  const lead = leadingPunctuation.exec(of.text)?.[0] ?? ''
  if (lead === '') return [of]
  const rest = of.text.slice(lead.length)
  if (rest.trim() === '') return [{ ...of, marks: outside }]
  return [
    piece(false, lead, outside, of.link, of.gap),
    piece(false, rest.trimStart(), of.marks, of.link, spaceBefore.test(rest) ? 'space' : 'none'),
  ]
}

function splitEnd(of: Piece, outside: number): Piece[] {
  if (of.raw) return [{ ...of, marks: outside }]
  const tail = trailingPunctuation.exec(of.text.slice(-64))?.[0] ?? ''
  if (tail === '') return [of]
  const rest = of.text.slice(0, -tail.length)
  if (rest.trim() === '') return [{ ...of, marks: outside }]
  return [
    piece(false, rest.trimEnd(), of.marks, of.link, of.gap),
    piece(false, tail, outside, of.link, spaceBehind.test(rest) ? 'space' : 'none'),
  ]
}

/** Computes how far each mark reaches. */
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
