import { log } from './log.ts'
import type { Block } from '../blocks.ts'
import type { Frame } from '../frame.ts'

/** Values of all blocks that the features of their neighbours use; computed once per page. */
export class Around {
  /** Per block: the logarithm of its words, the shares of links and of sentence ends, and its words outside links. */
  readonly words: Float64Array
  readonly links: Float64Array
  readonly ends: Float64Array
  readonly plain: Float64Array
  /** The indices of blocks with long text. */
  readonly long: readonly number[]
  readonly firstHeading: number
  /** Per block: the last heading before it, and the next heading. */
  readonly lastHeading: Int32Array
  readonly nextHeading: Int32Array

  constructor(frame: Frame) {
    const { all } = frame.blocks
    this.words = new Float64Array(all.length)
    this.links = new Float64Array(all.length)
    this.ends = new Float64Array(all.length)
    this.plain = new Float64Array(all.length)
    const long: number[] = []
    for (let i = 0; i < all.length; i++) {
      const block = all[i]
      if (!block) continue
      const { measure, linkLetters } = block
      const linked = linkLetters / Math.max(measure.letters, 1)
      this.words[i] = log(measure.words)
      this.links[i] = linked
      this.ends[i] = measure.ends / Math.max(measure.words, 1)
      this.plain[i] = measure.words * (1 - linked)
      if (isLong(block)) long.push(i)
    }
    this.long = long
    this.firstHeading = frame.heading.indexOf(1)
    this.lastHeading = new Int32Array(all.length).fill(-1)
    this.nextHeading = new Int32Array(all.length).fill(-1)
    for (let i = 1; i < all.length; i++) this.lastHeading[i] = frame.heading[i - 1] ? i - 1 : (this.lastHeading[i - 1] ?? -1)
    for (let i = all.length - 2; i >= 0; i--) this.nextHeading[i] = frame.heading[i + 1] ? i + 1 : (this.nextHeading[i + 1] ?? -1)
  }

  /** How many long blocks come before a block. */
  longBefore(i: number): number {
    let low = 0
    let high = this.long.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.long[middle] ?? 0) < i) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isLong({ measure, linkLetters }: Block): boolean {
  return measure.words >= 25 && linkLetters < measure.letters * 0.4
}
