import { oneLine } from '../../tree.ts'
import { afterword, aside } from '../trim.ts'
import type { Frame } from './frame.ts'
import type { PageSigns } from './page-signs.ts'
import type { RowWriter } from './table.ts'

const price = /[$€£¥₹]\s?\d|\d\s?(?:€|kr\b|zł|USD|EUR|GBP)/
const date = /\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\bago\b/i
const copyright = /©|\(c\) ?\d|copyright|all rights reserved/i
const byline = /^(?:by|von|par|por|di|written by|posted (?:by|on|in)|published|updated|last (?:updated|modified)|photo|image|credit|source|foto|bild|quelle|veröffentlicht|stand)\b/i
const asking = /\b(?:subscribe|sign up|newsletter|follow us|share|log ?in|cookie|click here|download|add to cart|buy now|read more|learn more|view (?:all|more)|see (?:all|more)|shop now|contact us|get started)\b/i
/** Whether one of these may say something: most lines are through with one look. */
const telling = new RegExp([date, copyright, asking].map(({ source }) => source).join('|'), 'i')

const traitCount = 9
/** The places of those that say of a heading what follows it. */
export const trait = { afterword: 0, aside: 1, shared: 7 } as const

/** What the words of lines say, looked at once a line. */
export class LineTraits {
  readonly #frame: Frame
  readonly #known: Uint8Array
  readonly #values: Float64Array

  constructor(frame: Frame) {
    this.#frame = frame
    this.#known = new Uint8Array(frame.blocks.all.length)
    this.#values = new Float64Array(frame.blocks.all.length * traitCount)
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
    if (telling.test(line)) {
      values[at + 3] = Number(date.test(line))
      values[at + 4] = Number(copyright.test(line))
      values[at + 6] = Number(asking.test(line))
    }
    values[at + 5] = Number(byline.test(line))
    const { shared, inTitle } = likeTitle(line.toLowerCase(), this.#frame.signs)
    values[at + trait.shared] = shared
    values[at + 8] = inTitle
  }
}

const ascii = /^[\0-\x7f]*$/
const none: readonly string[] = []

/** The words of more than two letters. */
function wordsOf(line: string): readonly string[] {
  if (ascii.test(line)) return line.match(/[a-z0-9]{3,}/g) ?? none
  return line.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2)
}

/** The share of a line's words that the page's title has, and whether the title has the whole line. */
function likeTitle(line: string, { title, titleLine }: PageSigns): { readonly shared: number; readonly inTitle: number } {
  const words = wordsOf(line)
  let shared = 0
  for (const word of words) if (title.has(word)) shared++
  return { shared: shared / Math.max(words.length, 1), inTitle: Number(words.length > 1 && titleLine.includes(line)) }
}
