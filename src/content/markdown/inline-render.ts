import { type Dangers, PairFinder, type PairedSign, escapeLineStart, escapeText, special } from './escape.ts'
import { type Segment, deleted, emphasis, strong } from './inline-run.ts'
import { type Piece, firstCharacter, lastCharacter, toPieces } from './pieces.ts'

/**
 * Where a run is written. `block` may contain line breaks, `line` may not, `cell` may contain neither line breaks nor a
 * bare pipe.
 */
export interface RunPlace {
  readonly kind: 'block' | 'line' | 'cell'
  /** True when the run starts directly after a list marker, where `[ ]` would be a check box. */
  readonly atMarker: boolean
}

type Sign = '**' | '*' | '~~' | '['

interface OpenSign {
  readonly sign: Sign
  readonly end: number
}

/** What would define a link or a footnote at the start of a paragraph: a label may have emphasis and line breaks. */
const definition = /^(\[(?:[^[\]\\]|\\[^]){1,999}\]):/

const noDangers: Dangers = { '*': false, _: false, '~': false }

/**
 * Renders inline content as one line of markdown, or as several when it contains line breaks; '' when nothing is visible.
 */
export function renderRun(segments: readonly Segment[], place: RunPlace): string {
  const only = segments.length === 1 ? segments[0] : undefined
  if (only && only.kind === 'text' && only.marks === 0 && !only.link && !special.test(only.text)) return plainLine(only.text.trim(), place)
  const pieces = toPieces(segments)
  return new RunWriter(pieces, place).write()
}

function plainLine(text: string, place: RunPlace): string {
  if (place.kind === 'block') return escapeLineStart(text, place.atMarker)
  return place.kind === 'cell' ? text.replaceAll('|', '\\|') : text
}

class RunWriter {
  readonly #pieces: readonly Piece[]
  readonly #place: RunPlace
  readonly #dangers: Dangers
  readonly #open: OpenSign[] = []
  /**
   * An array joined at the end: reading the last characters of a growing string would make the engine copy it each time.
   */
  readonly #out: string[] = []
  /** Whether the next text starts a line. */
  #bare = true

  constructor(pieces: readonly Piece[], place: RunPlace) {
    this.#pieces = pieces
    this.#place = place
    this.#dangers = findDangers(pieces)
  }

  write(): string {
    for (let i = 0; i < this.#pieces.length; i++) {
      const piece = this.#pieces[i]
      if (!piece) continue
      this.#closeBefore(i)
      this.#gap(piece)
      const bare = this.#bare
      const opened = this.#openAt(piece)
      const text = this.#pieceText(i, piece, opened)
      const startsLine = bare && !piece.raw && piece.marks === 0 && !piece.link && this.#place.kind === 'block'
      this.#put(startsLine ? escapeLineStart(text, this.#place.atMarker && i === 0) : text)
    }
    while (this.#open.length > 0) this.#close(this.#pieces.length - 1)
    const markdown = this.#out.join('')
    return this.#place.kind === 'block' && markdown.startsWith('[') ? markdown.replace(definition, '$1\\:') : markdown
  }

  #put(text: string): void {
    if (text === '') return
    this.#out.push(text)
    this.#bare = text.endsWith('\n')
  }

  #pieceText(index: number, piece: Piece, opened: boolean): string {
    const inCell = this.#place.kind === 'cell'
    if (piece.raw) return !inCell ? piece.text : piece.text.includes('\\|') && piece.text.startsWith('`') ? codeInCell(piece.text) : piece.text.replaceAll('|', '\\|')
    const escaped = escapeText(piece.text, {
      before: opened && this.#open.at(-1)?.sign !== '[' ? '*' : before(this.#pieces, index),
      after: this.#signAfter(index) ?? after(this.#pieces, index),
      dangers: this.#dangers,
      inLink: piece.link !== null,
    })
    return inCell ? escaped.replaceAll('|', '\\|') : escaped
  }

  #gap(piece: Piece): void {
    if (piece.gap === 'space') this.#put(' ')
    else if (piece.gap === 'break') this.#put(this.#place.kind === 'block' ? (endsInAddress(this.#out.at(-1) ?? '') ? ' \\\n' : '\\\n') : this.#place.kind === 'cell' ? '<br>' : ' ')
  }

  /**
   * How many open delimiters stay open at a piece: all before the first that ends earlier or that would cross the end of a
   * link that opens here.
   */
  #kept(index: number): number {
    const piece = this.#pieces[index]
    const ends = opensLink(this.#pieces, index) ? (piece?.ends.link ?? index) : index
    const first = this.#open.findIndex(({ sign, end }) => end < (sign === '[' ? index : ends))
    return first < 0 ? this.#open.length : first
  }

  #closeBefore(index: number): void {
    const keep = this.#kept(index)
    while (this.#open.length > keep) this.#close(index - 1)
  }

  /** The delimiter that closes directly after a piece; undefined when none does. */
  #signAfter(index: number): string | undefined {
    const last = this.#open.at(-1)
    const closes = last && (index + 1 >= this.#pieces.length || this.#kept(index + 1) < this.#open.length)
    return closes ? (last.sign === '[' ? ']' : '*') : undefined
  }

  #openAt(piece: Piece): boolean {
    const isOpen = (sign: Sign) => this.#open.some((o) => o.sign === sign)
    const wanted: OpenSign[] = []
    if (piece.link && !isOpen('[')) wanted.push({ sign: '[', end: piece.ends.link })
    if (piece.marks & strong && !isOpen('**')) wanted.push({ sign: '**', end: piece.ends.strong })
    if (piece.marks & emphasis && !isOpen('*')) wanted.push({ sign: '*', end: piece.ends.emphasis })
    if (piece.marks & deleted && !isOpen('~~')) wanted.push({ sign: '~~', end: piece.ends.deleted })
    // The delimiter that reaches further opens first; at a tie the link, because brackets, unlike emphasis, work beside
    // letters.
    wanted.sort((a, b) => b.end - a.end)
    for (const sign of wanted) {
      this.#open.push(sign)
      this.#put(sign.sign)
    }
    return wanted.length > 0
  }

  /** Writes the closing delimiter of what was opened last; `last` is the index of the piece before it. */
  #close(last: number): void {
    const closed = this.#open.pop()
    if (!closed) return
    if (closed.sign !== '[') {
      this.#put(closed.sign)
      return
    }
    const link = this.#pieces[last]?.link
    const [target, name] = link ? [destination(link.url), title(link.title)] : ['', '']
    this.#put(this.#place.kind === 'cell' ? `](${target.replaceAll('|', '%7C')}${name.replaceAll('|', '\\|')})` : `](${target}${name})`)
  }
}

/** Code in a table cell in which a backslash stands before a pipe: in backticks, the pipe would end the cell. */
function codeInCell(markdown: string): string {
  const code = markdown.replace(/^(`+) ?([^]*?) ?\1$/, '$2')
  return `<code>${code.replace(/[&<>\\|`*_[\]~!$]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`
}

function opensLink(pieces: readonly Piece[], index: number): boolean {
  const here = pieces[index]?.link ?? null
  return here !== null && (index === 0 || pieces[index - 1]?.link !== here)
}

function findDangers(pieces: readonly Piece[]): Dangers {
  if (!pieces.some((p) => !p.raw && /[*_~]/.test(p.text))) return noDangers
  const written: PairedSign[] = []
  if (pieces.some((p) => p.marks & (strong | emphasis))) written.push('*')
  if (pieces.some((p) => p.marks & deleted)) written.push('~')
  const finder = new PairFinder(written)
  pieces.forEach((p, i) => {
    if (!p.raw) finder.scan(p.text, { before: before(pieces, i), after: after(pieces, i) })
  })
  return finder.dangers()
}

/** The character that will stand directly before a piece in the output; '*' for any emphasis delimiter. */
function before(pieces: readonly Piece[], index: number): string {
  const piece = pieces[index]
  const previous = index > 0 ? pieces[index - 1] : undefined
  if (!piece) return ' '
  if (piece.marks & ~(previous?.marks ?? 0)) return '*'
  if (piece.link && piece.link !== previous?.link) return '['
  if (!previous || piece.gap !== 'none') return piece.gap === 'break' ? '\n' : ' '
  return previous.raw || previous.link !== piece.link || previous.marks !== piece.marks ? '*' : lastCharacter(previous.text)
}

/** The character that will stand directly after a piece in the output. */
function after(pieces: readonly Piece[], index: number): string {
  const piece = pieces[index]
  const next = pieces[index + 1]
  if (!piece) return ' '
  if (piece.marks & ~(next?.marks ?? 0)) return '*'
  if (piece.link && piece.link !== next?.link) return ']'
  if (!next || next.gap !== 'none') return next?.gap === 'break' ? '\n' : ' '
  if (next.link !== piece.link) return '['
  return next.marks !== piece.marks ? '*' : firstCharacter(next.text)
}

const longestAddress = 2_048

/** Whether a text ends in an address that GFM turns into a link by itself: such an autolink would swallow the next sign. */
function endsInAddress(text: string): boolean {
  let from = text.length
  while (from > 0 && from > text.length - longestAddress && text.charCodeAt(from - 1) > 32) from--
  return /https?:\/\/|www\.|@/i.test(text.slice(from))
}

const reference = /&(?=#\d{1,7};|#x[\da-f]{1,6};|[a-z][a-z\d]{1,31};)/gi

/**
 * Encodes a link destination. It stays bare where CommonMark 0.31, 6.3 allows that; `&` is encoded where it would start a
 * character reference.
 */
export function destination(url: string): string {
  const safe = url.replace(/[\s<>\\\u0000-\u001f]/g, (c) => encodeURIComponent(c)).replace(reference, '&amp;')
  if (!/[()]/.test(safe)) return safe
  return isBalanced(safe) ? safe : safe.replace(/[()]/g, '\\$&')
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x28 && ++depth > 8) return false
    if (c === 0x29 && --depth < 0) return false
  }
  return depth === 0
}

/** A link title with a space before it; '' for an empty title. */
export function title(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? '' : ` "${line.replace(/["\\]|&(?=[#a-z])/gi, '\\$&')}"`
}
