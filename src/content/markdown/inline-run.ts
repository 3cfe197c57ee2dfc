
/** Emphasis marks, as bits. */
export const strong = 1
export const emphasis = 2
export const deleted = 4

/** The target of a link. Segments of the same link share the object. */
export interface Link {
  readonly url: string
  readonly title: string
}

/** A part of a line: literal text, code, finished markdown, or a line break. */
export interface Segment {
  readonly kind: 'text' | 'code' | 'raw' | 'break'
  text: string
  readonly marks: number
  readonly link: Link | null
}

const spaces = /[\t\n\f\r \u00a0\u2007\u202f\u2028\u2029]+/g
/** Soft hyphens, zero-width spaces, byte order marks and control characters. */
const invisible = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g
const untidy = /[\t\n\f\r\u0000-\u001f\u007f-\u00a0\u00ad\u2007\u200b\u200e\u200f\u2028-\u202f\u2060\ufeff]| {2}/
const wide = /[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/

/** The inline content of one block, with white space collapsed as browsers do it. */
export class InlineRun {
  segments: Segment[] = []
  /** Whether leading white space of the next text is dropped. */
  #afterSpace = true
  /**
   * The last characters of the last text segment, kept apart: reading them off the growing string would make the engine
   * copy it for every piece.
   */
  #tail = ''
  /** Whether it is a heading, in which a colon may part the words of a name: `Talk:Alder`. Elsewhere it ends a label. */
  isHeading = false
  /** Whether the last text is a colon that goes on a text of its style. */
  #isColon = false

  get isEmpty(): boolean {
    return this.segments.length === 0
  }

  /** True when the last segment is a line break. */
  get endsWithBreak(): boolean {
    return this.segments.at(-1)?.kind === 'break'
  }

  /** Adds literal text. */
  text(data: string, marks: number, link: Link | null): void {
    let tidy = untidy.test(data) ? collapse(data) : data
    if (this.#afterSpace && tidy.startsWith(' ')) tidy = tidy.slice(1)
    if (tidy === '') return
    this.#afterSpace = tidy.endsWith(' ')
    const last = this.segments.at(-1)
    const goesOn = last?.kind === 'text' && last.marks === marks && last.link === link
    const parts = goesOn && this.#isColon && this.isHeading
    if (last?.kind === 'text' && !parts && isGlued(this.#tail, last.link, tidy, link)) tidy = ` ${tidy}`
    this.#isColon = goesOn && tidy === ':'
    this.#tail = (goesOn ? this.#tail + tidy : tidy).slice(-3)
    if (goesOn) last.text += tidy
    else this.segments.push({ kind: 'text', text: tidy, marks, link })
  }

  /** Adds finished markdown without line breaks. */
  raw(markdown: string, marks: number, link: Link | null): void {
    if (markdown === '') return
    this.#afterSpace = false
    this.segments.push({ kind: 'raw', text: markdown, marks, link })
  }

  /** Adds inline code; code directly after code continues the same segment. */
  code(text: string, marks: number, link: Link | null): void {
    if (text.trim() === '') return this.text(text, marks, link)
    this.#afterSpace = false
    const last = this.segments.at(-1)
    if (last && last.kind === 'code' && last.marks === marks && last.link === link) last.text += text
    else this.segments.push({ kind: 'code', text, marks, link })
  }

  /** Adds a line break, but none at the start and no two in a row. */
  break(marks: number, link: Link | null): void {
    if (this.isEmpty || this.endsWithBreak) return
    this.#afterSpace = true
    this.segments.push({ kind: 'break', text: '', marks, link })
  }

  /** Returns the segments, and empties the run. */
  take(): Segment[] {
    const taken = this.segments
    this.segments = []
    this.#afterSpace = true
    this.isHeading = false
    return taken
  }
}

const wordEnd = /[\p{L}\p{N}]$/u
const wordStart = /^[\p{L}\p{N}]/u
/** The end of a name, and a price behind it; the end of an East Asian text, and a date behind it. */
const nameEnd = /[\p{Ll})]$/u
const price = /^[$€£¥]\s?\d/
const date = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)/

/**
 * Whether only the style sheet separates two texts: two links, a label that ends in a colon and its value, a name and its
 * price or date. `tail` is the end of the first text.
 */
function isGlued(tail: string, before: Link | null, next: string, link: Link | null): boolean {
  if ((nameEnd.test(tail) && price.test(next)) || (wide.test(tail.slice(-1)) && date.test(next))) return true
  if (!wordStart.test(next) || wide.test(next.charAt(0))) return false
  if (before !== null && link !== null && before !== link) return wordEnd.test(tail) && !wide.test(tail.charAt(tail.length - 1))
  return /\p{L}:$/u.test(tail) && !/^\d/.test(next)
}

/** Collapses white space to single spaces; a line break between two wide East Asian characters is dropped. */
export function collapse(data: string): string {
  return data.replace(invisible, '').replace(spaces, (run, at: number, all: string) => {
    if (!run.includes('\n')) return ' '
    const before = all.charAt(at - 1)
    const after = all.charAt(at + run.length)
    return wide.test(before) && wide.test(after) ? '' : ' '
  })
}
