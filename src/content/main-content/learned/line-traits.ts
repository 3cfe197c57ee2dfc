import { oneLine } from '../../tree.ts'
import { afterword, aside } from '../trim.ts'
import type { Frame } from './frame.ts'
import type { PageSigns } from './page-signs.ts'
import type { RowWriter } from './table.ts'

const price = /[$€£¥₹]\s?\d|\d\s?(?:€|kr\b|zł|USD|EUR|GBP)/
const date = /\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\bago\b/i
const ago = /\bago\b/i
const copyright = /©|\(c\) ?\d|copyright|all rights reserved/i
const copyrightInWords = /©|copyright|all rights reserved/i
const byline = /^(?:by|von|par|por|di|written by|posted (?:by|on|in)|published|updated|last (?:updated|modified)|photo|image|credit|source|foto|bild|quelle|veröffentlicht|stand)\b/i
const asking = /\b(?:subscribe|sign up|newsletter|follow us|share|log ?in|cookie|click here|download|add to cart|buy now|read more|learn more|view (?:all|more)|see (?:all|more)|shop now|contact us|get started)\b/i
const oneOf = (patterns: readonly RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'), 'i')
/** Whether one of these may say something: most lines are through with one look, which is shorter where there are no digits. */
const telling = oneOf([date, copyright, asking])
const tellingInWords = oneOf([ago, copyrightInWords, asking])

const traitCount = 9
/** The places of those that say of a heading what follows it. */
export const trait = { afterword: 0, aside: 1, shared: 7 } as const

/** What the words of lines say, looked at once a line. */
export class LineTraits {
  readonly #frame: Frame
  readonly #known: Uint8Array
  readonly #values: Float64Array
  readonly #title: TitleWords

  constructor(frame: Frame) {
    this.#frame = frame
    this.#known = new Uint8Array(frame.blocks.all.length)
    this.#values = new Float64Array(frame.blocks.all.length * traitCount)
    this.#title = new TitleWords(frame.signs)
  }

  /** A trait of a block. */
  of(i: number, which: number): number {
    if (this.#known[i] === 0) this.#look(i)
    return this.#values[i * traitCount + which] ?? 0
  }

  /** Writes all traits of a block. */
  add(rows: RowWriter, i: number): void {
    for (let which = 0; which < traitCount; which++) rows.add(this.of(i, which))
  }

  #look(i: number): void {
    this.#known[i] = 1
    const block = this.#frame.blocks.all[i]
    if (!block) return
    const line = oneLine(block.start)
    const values = this.#values
    const at = i * traitCount
    const { measure } = block
    if (measure.words <= 20) {
      values[at] = Number(afterword.test(line))
      values[at + 1] = Number(aside.test(line))
    }
    if (measure.digits > 0) values[at + 2] = Number(price.test(line))
    if ((measure.digits > 0 ? telling : tellingInWords).test(line)) {
      values[at + 3] = Number(date.test(line))
      values[at + 4] = Number(copyright.test(line))
      values[at + 6] = Number(asking.test(line))
    }
    values[at + 5] = Number(byline.test(line))
    const { shared, inTitle } = this.#title.like(line)
    values[at + trait.shared] = shared
    values[at + 8] = inTitle
  }
}

interface Likeness {
  /** The share of a line's words that the title has. */
  readonly shared: number
  /** Whether the title has the whole line. */
  readonly inTitle: number
}

const unlike: Likeness = { shared: 0, inTitle: 0 }

/** The words of more than two letters that a page's title has. */
class TitleWords {
  readonly #signs: PageSigns
  /** Of each sign that words of the title begin with, their lengths as bits: few other words pass this, so few are cut out of their lines. */
  readonly #lengths = new Int32Array(128)

  constructor(signs: PageSigns) {
    this.#signs = signs
    for (const word of signs.title) {
      const first = word.charCodeAt(0)
      if (first < 128) this.#lengths[first] = (this.#lengths[first] ?? 0) | (1 << (word.length & 31))
    }
  }

  like(line: string): Likeness {
    const { title, titleLine } = this.#signs
    let words = 0
    let shared = 0
    let from = 0
    for (let i = 0; i <= line.length; i++) {
      // Behind the end there is no sign, and to ask for one takes longer than all others do.
      const code = i < line.length ? line.charCodeAt(i) : 0
      if (code > 127) return this.#likeAny(line.toLowerCase())
      if (isWord(code)) continue
      const length = i - from
      if (length > 2) {
        words++
        const first = line.charCodeAt(from)
        const lengths = this.#lengths[first > 57 ? first | 32 : first] ?? 0
        if ((lengths & (1 << (length & 31))) !== 0 && title.has(line.slice(from, i).toLowerCase())) shared++
      }
      from = i + 1
    }
    if (words === 0) return unlike
    return { shared: shared / words, inTitle: Number(words > 1 && line.length <= titleLine.length && titleLine.includes(line.toLowerCase())) }
  }

  #likeAny(line: string): Likeness {
    const { title, titleLine } = this.#signs
    const words = line.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
    let shared = 0
    for (const word of words) if (title.has(word)) shared++
    return { shared: shared / Math.max(words.length, 1), inTitle: Number(words.length > 1 && titleLine.includes(line)) }
  }
}

/** Whether it is an ASCII letter or digit. */
function isWord(code: number): boolean {
  const lower = code | 32
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57)
}
