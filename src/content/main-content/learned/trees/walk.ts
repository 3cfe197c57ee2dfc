import { clear, isClear, whole } from './clear-rows.ts'
import { type Forest, mostLeaves } from './forest.ts'
import type { Table } from './table.ts'
import { sumsByRow } from './walk-by-row.ts'
import { code } from './walk-code.ts'

/** The chance of each row to be content, according to the forest. */
export function chancesOf(forest: Forest, table: Table): Float32Array {
  const chances = new Float32Array(table.rows)
  if (table.rows === 0) return chances
  sumsOf ??= walkerHere()
  sumsOf(forest, table).forEach((sum, row) => (chances[row] = 1 / (1 + Math.exp(-sum))))
  return chances
}

/** Returns the sum of the trees for each row of a table with at least one row. */
type Sums = (forest: Forest, table: Table) => Float64Array

let sumsOf: Sums | undefined

/**
 * Uses WebAssembly where it works: processors without SSE 4.1 lack its instructions, and a limit on address space (`ulimit
 * -v`) may leave it no memory.
 */
function walkerHere(): Sums {
  try {
    const walker = new Walker()
    return (forest, table) => walker.sums(forest, table)
  } catch {
    return sumsByRow
  }
}

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

// Node has it, but its types do not.
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object; readonly Instance: new (module: object) => { readonly exports: object } }

/** The functions of `walk.wat`. Arguments are addresses in its memory, and counts. */
interface Code {
  readonly memory: Memory
  measure(columns: number, rows: number, count: number, bounds: number): void
  walk(question: number, last: number, leaves: number, columns: number, rows: number, bounds: number, states: number, sums: number): void
}

/** Memory layout: the forest first, because it stays; then the data of one table. All addresses are multiples of 16. */
class Walker {
  readonly #code: Code
  #forest: Forest | undefined
  /** The end of the forest in memory. */
  #free = 0

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, 'base64')))
    this.#code = exports as Code // what walk.wat exports
  }

  sums(forest: Forest, { rows, columns }: Table): Float64Array {
    if (forest !== this.#forest) this.#load(forest)
    const count = columns.length / rows
    const bounds = this.#free
    const states = bounds + padded(8 * count)
    const sumsAt = states + padded(4 * rows)
    const columnsAt = sumsAt + padded(8 * rows)
    this.#reserve(columnsAt + 4 * columns.length + 16)
    const { memory, measure } = this.#code
    new Float32Array(memory.buffer, columnsAt, columns.length).set(columns)
    const sums = new Float64Array(memory.buffer, sumsAt, rows).fill(forest.base)
    measure(columnsAt, rows, count, bounds)
    return this.#walk(forest, sums, { bounds, states, columns: columnsAt })
  }

  #walk({ starts, questions }: Forest, sums: Float64Array, { bounds, states, columns }: { readonly bounds: number; readonly states: number; readonly columns: number }): Float64Array {
    const done = new Float64Array(sums.length).fill(NaN)
    const leaves = questions.byteLength
    for (let tree = 0; tree + 1 < starts.length; tree++) {
      if (tree >= clear.from && tree % clear.every === 0 && letClear(sums, done) === 0) break
      this.#code.walk(16 * (starts[tree] ?? 0), 16 * (starts[tree + 1] ?? 0), leaves + 4 * mostLeaves * tree, columns, sums.length, bounds, states, sums.byteOffset)
    }
    return done.map((sum, row) => (Number.isNaN(sum) ? (sums[row] ?? 0) : sum))
  }

  #load(forest: Forest): void {
    const { questions, leaves } = forest
    this.#free = padded(questions.byteLength + leaves.byteLength)
    this.#reserve(this.#free)
    new Int32Array(this.#code.memory.buffer).set(questions)
    new Float32Array(this.#code.memory.buffer).set(leaves, questions.length)
    this.#forest = forest
  }

  /** Grows the memory to at least `end` bytes, which detaches existing views of it. */
  #reserve(end: number): void {
    const { memory } = this.#code
    const missing = end - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65_536))
  }
}

const padded = (bytes: number): number => Math.ceil(bytes / 16) * 16

/** Fixes the sums of rows that hardly any remaining tree would change; returns the number of rows left. */
function letClear(sums: Float64Array, done: Float64Array): number {
  let left = 0
  for (let row = 0; row < sums.length; row++) {
    if (!Number.isNaN(done[row])) continue
    const sum = sums[row] ?? 0
    if (isClear(sum)) done[row] = whole(sum)
    else left++
  }
  return left
}
