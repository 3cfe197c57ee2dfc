import type { Block } from './blocks.ts'

/** Matches markdown syntax that contains letters (tags, link addresses), or one letter of the text. */
const token = /<\/?(?:sup|sub|u|br)>|\]\([^)\s]{0,2000}\)|[\p{L}\p{N}]/gu
/** Letters beyond this number are not searched. */
const mostLetters = 200_000

/** A range within the letters of a page; `end` is exclusive. */
export interface LetterRange {
  readonly start: number
  readonly end: number
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
   * block.
   */
  without(ranges: readonly LetterRange[]): Block[] {
    const cuts = new Map<number, { from: number; to: number }[]>()
    for (const { block, ...cut } of ranges.flatMap(({ start, end }) => this.#parts(start, end))) cuts.set(block, [...(cuts.get(block) ?? []), cut])
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

  /** The part of each block that a range covers, with the markdown syntax before it and the punctuation after it. */
  #parts(start: number, end: number): { block: number; from: number; to: number }[] {
    const parts: { block: number; from: number; to: number }[] = []
    for (let i = start; i < end; i++) {
      const place = this.#places[i]
      if (place === undefined) break
      const last = parts.at(-1)
      const to = place.at + 1
      if (last?.block === place.block) last.to = to
      else parts.push({ block: place.block, from: place.at, to })
    }
    return parts.map(({ block, from, to }) => {
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
