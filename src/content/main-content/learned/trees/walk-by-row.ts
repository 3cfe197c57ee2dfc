import { clear, isClear, whole } from './clear-rows.ts'
import { type Forest, mostLeaves } from './forest.ts'
import type { Table } from './table.ts'

/** The sum of the trees for each row, in JavaScript, row by row: twenty times as slow as WebAssembly. */
export function sumsByRow({ base, starts, questions, leaves }: Forest, { rows, columns }: Table): Float64Array {
  const edges = new Float32Array(questions.buffer)
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = base
    for (let tree = 0; tree + 1 < starts.length; tree++) {
      if (tree >= clear.from && tree % clear.every === 0 && isClear(sum)) return whole(sum)
      let live = -1
      for (let at = 4 * (starts[tree] ?? 0); at < 4 * (starts[tree + 1] ?? 0); at += 4) {
        const number = columns[(questions[at] ?? 0) * rows + row] ?? 0
        live &= questions[number <= (edges[at + 1] ?? 0) ? at + 2 : at + 3] ?? 0
      }
      sum += leaves[mostLeaves * tree + 31 - Math.clz32(live & -live)] ?? 0
    }
    return sum
  })
}
