import type { Familiar } from '../../../domain/reading.ts'
import type { Frame } from './frame.ts'

/** Pages below which nothing is told by what they say. */
const fewPages = 2
/** What the odds are multiplied by of a text that no other page has, and of one that many have and that is rather none as it is. */
const own = 2
const shared = 0.3
const even = 0.5

/** The chances of the blocks of a page by what other pages of its host say. */
export function swayed({ blocks }: Frame, chances: Float32Array, { pages, often, ever }: Familiar): Float32Array {
  if (pages < fewPages) return chances
  return chances.map((chance, i) => {
    // Kept as the array of hashes keeps it.
    const hash = (blocks.all[i]?.measure.hash ?? 0) | 0
    if (!holds(ever, hash)) return atOdds(chance, own)
    return chance < even && holds(often, hash) ? atOdds(chance, shared) : chance
  })
}

/** The texts of a page, each once. */
export function textsOf({ repeats }: Frame): Int32Array {
  return Int32Array.from(repeats.keys())
}

function atOdds(chance: number, factor: number): number {
  return (chance * factor) / (1 - chance + chance * factor)
}

function holds(sorted: Int32Array, hash: number): boolean {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < hash) low = middle + 1
    else high = middle
  }
  return sorted[low] === hash
}
