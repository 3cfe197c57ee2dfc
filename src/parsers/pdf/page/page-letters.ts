import type { Block } from '../blocks.ts'

/** Matches markdown syntax that contains letters (tags, link addresses), or one letter of the text. */
const token = /<\/?(?:sup|sub|u|br)>|\]\([^)\s]{0,2000}\)|[\p{L}\p{N}]/gu
/** Letters beyond this number are not searched. */
const mostLetters = 200_000

/** A paragraph is not split where more characters stand between two letters, as in dot leaders. */
const mostBetween = 200

/** A range within the letters of a page; `end` is exclusive. */
export interface LetterRange {
  readonly start: number
  readonly end: number
}

/** A letter before which a paragraph is split, and what starts there: text, or a heading of a level. */
export interface Cut {
  readonly at: number
  readonly level: number | null
  /** Whether signs between the letter and the one before it belong to it: what is split off is a heading. */
  readonly withSigns?: boolean
}

/** The position of a letter: the index of its block, and its index in the block's text. */
interface Place {
  readonly block: number
  readonly at: number
}

/** The letters and digits of a text only. Two libraries agree on these, but not on the spaces and signs between them. */
export const lettersOf = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '')

/**
 * The letters and digits of a page's paragraphs and headings, as one string. Drawn lines are found in it whatever spaces
 * and markdown syntax stand between their letters, and can be cut out of the blocks.
 */
export class PageLetters {
  readonly text: string
  readonly #blocks: readonly Block[]
  readonly #places: readonly Place[]

  constructor(blocks: readonly Block[]) {
    const places: Place[] = []
    let all = ''
    blocks.forEach((block, i) => {
      if (block.kind !== 'text' && block.kind !== 'heading') return
      for (const { 0: found, index } of textOf(block).matchAll(token)) {
        const letters = found.length > 2 ? '' : found.normalize('NFKC')
        for (const letter of letters.split('')) {
          if (places.length >= mostLetters) return
          all += letter
          places.push({ block: i, at: index })
        }
      }
    })
    this.text = all
    this.#blocks = blocks
    this.#places = places
  }

  /** Whether a block begins at this letter; true at both ends of the text, too. */
  isSeam(at: number): boolean {
    return this.#places[at - 1]?.block !== this.#places[at]?.block
  }

  /** Whether a range may be cut out: a heading is cut as a whole or not at all. */
  isFree({ start, end }: LetterRange): boolean {
    const heads = (at: number): boolean => this.#blocks[this.#places[at]?.block ?? -1]?.kind === 'heading'
    return (!heads(start) || this.isSeam(start)) && (!heads(end - 1) || this.isSeam(end))
  }

  /** The markdown of a range. */
  markdown({ start, end }: LetterRange): string {
    return this.#parts(start, end).map(({ block, from, to }) => textOf(this.#blocks[block]).slice(from, to).trim()).join(' ')
  }

  /**
   * The blocks without some ranges. The ranges must be in order and must not overlap. What remains of a block stays one
   * block. `withSigns: false` leaves the signs around them.
   */
  without(ranges: readonly LetterRange[], withSigns = true): Block[] {
    const cuts = new Map<number, { from: number; to: number }[]>()
    for (const { block, ...cut } of ranges.flatMap(({ start, end }) => (withSigns ? this.#parts(start, end) : this.#bareParts(start, end)))) cuts.set(block, [...(cuts.get(block) ?? []), cut])
    return this.#blocks.flatMap((block, i): Block[] => {
      const own = cuts.get(i)
      if (own === undefined) return [block]
      const text = textOf(block)
      let left = ''
      let done = 0
      for (const { from, to } of own) {
        left = `${left.trimEnd()} ${text.slice(done, from).trim()}`
        done = to
      }
      left = `${left.trimEnd()} ${text.slice(done).trim()}`.trim()
      return /[\p{L}\p{N}]/u.test(left) ? [{ kind: block.kind, lines: left.split('\n') }] : []
    })
  }

  /** The blocks with paragraphs split at the blank before some letters; where there is none, they stay whole. */
  split(cuts: readonly Cut[]): Block[] {
    const own = new Map<number, Map<number, number | null>>()
    for (const { at, level, withSigns = false } of cuts) {
      const place = this.#places[at]
      if (place === undefined || this.#blocks[place.block]?.kind !== 'text') continue
      const from = this.isSeam(at) ? 0 : this.#blankBefore(at, withSigns)
      if (from !== null) own.set(place.block, (own.get(place.block) ?? new Map<number, number | null>()).set(from, level))
    }
    return this.#blocks.flatMap((block, i) => {
      const starts = own.get(i)
      return starts === undefined ? [block] : partsOf(textOf(block), starts)
    })
  }

  /** Where a blank stands between a letter and the one before it, outside of links; null when there is none. */
  #blankBefore(at: number, withSigns: boolean): number | null {
    const [before, place] = [this.#places[at - 1], this.#places[at]]
    if (before === undefined || place === undefined || place.at - before.at > mostBetween) return null
    const text = textOf(this.#blocks[place.block])
    const between = text.slice(before.at, place.at)
    const found = withSigns ? between.search(/\s/) : between.search(/\s+(?:[«“„‘(¿¡]\s+)?\S*$/u)
    const blank = before.at + found
    const isInLink = /\[[^\]]*$/.test(text.slice(Math.max(0, blank - 300), blank)) && /^[^[\]]*\]\(/.test(text.slice(blank, blank + 300))
    return found < 0 || isInLink ? null : blank
  }

  /** The part of each block that a range covers. */
  #bareParts(start: number, end: number): { block: number; from: number; to: number }[] {
    const parts: { block: number; from: number; to: number }[] = []
    for (let i = start; i < end; i++) {
      const place = this.#places[i]
      if (place === undefined) break
      const last = parts.at(-1)
      const to = place.at + 1
      if (last?.block === place.block) last.to = to
      else parts.push({ block: place.block, from: place.at, to })
    }
    return parts
  }

  /** The part of each block that a range covers, with the markdown syntax before it and the punctuation after it. */
  #parts(start: number, end: number): { block: number; from: number; to: number }[] {
    return this.#bareParts(start, end).map(({ block, from, to }) => {
      const text = textOf(this.#blocks[block])
      const before = /(?:#{1,6} +)?(?:<\/?sup>|\*\*|[\\*∗⋆†‡§¶‖([–—-]|\s)*$/u.exec(text.slice(Math.max(0, from - 20), from))?.[0].length ?? 0
      const inner = text.slice(from, to)
      // The address of a link is cut with its text.
      const link = inner.split('[').length + (text.slice(from - before, from).includes('[') ? 1 : 0) > inner.split('](').length ? (/^[^\s\p{L}\p{N}[\]]{0,20}\]\([^)\s]{0,2000}\)/u.exec(text.slice(to, to + 2_100))?.[0].length ?? 0) : 0
      const after = link > 0 ? link + (/^[^\s\p{L}\p{N}]{0,20}/u.exec(text.slice(to + link, to + link + 20))?.[0].length ?? 0) : /^(?:(?!<sup>|<sub>)[^\s\p{L}\p{N}])*(?:<\/(?:sup|sub)>)?/u.exec(text.slice(to, to + 40))?.[0].length ?? 0
      return { block, from: from - before, to: to + after }
    })
  }
}

const textOf = (block: Block | undefined): string => block?.lines.join('\n') ?? ''

/** A paragraph in parts, by where they start; bold text that a start interrupts is bold in both parts. */
function partsOf(text: string, starts: ReadonlyMap<number, number | null>): Block[] {
  let open = ''
  const sorted = [...new Map<number, number | null>([[0, null], ...starts])].sort((a, b) => a[0] - b[0])
  return sorted.flatMap(([from, level], i): Block[] => {
    const part = open + text.slice(from, sorted[i + 1]?.[0]).trim()
    open = part.split('**').length % 2 === 0 ? '**' : ''
    const whole = part + open
    if (!/[\p{L}\p{N}]/u.test(whole)) return []
    return [level === null ? { kind: 'text', lines: whole.split('\n') } : { kind: 'heading', lines: [`${'#'.repeat(level)} ${whole.replace(/\s+/g, ' ').replace(/^(\*{1,3})(?=\S)([^*]*\S)\1$/u, '$2')}`] }]
  })
}
