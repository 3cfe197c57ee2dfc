import { describe, expect, it } from 'vitest'
import { compiled } from '../../../../../scripts/gen-walk.mjs'
import { forestOf, mostLeaves } from './forest.ts'
import { width } from './table.ts'
import { forestInUse } from './trees-in-use.ts'
import { trees } from './trees.ts'
import { code } from './walk-code.ts'
import { sumsByRow } from './walk-by-row.ts'
import { chancesOf } from './walk.ts'

/** A leaf, or a split with the subtrees for rows up to its edge and for the others. */
type Node = number | { readonly feature: number; readonly edge: number; readonly first: Node; readonly second: Node }

const base = 0.25
const scale = 0.125

/** The bytes of a forest whose edges are multiples of one half. */
function bytesOf(forest: readonly Node[], features: number): Uint8Array {
  const bytes: number[] = []
  const put = (size: number, write: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size))
    write(view)
    bytes.push(...new Uint8Array(view.buffer))
  }
  const edges = Array.from({ length: 40 }, (_, i) => (i - 20) / 2)
  put(12, (view) => {
    view.setFloat32(0, base, true)
    view.setFloat32(4, scale, true)
    view.setUint16(8, forest.length, true)
    view.setUint16(10, features, true)
  })
  for (let f = 0; f < features; f++) {
    put(1, (view) => view.setUint8(0, edges.length))
    for (const edge of edges) put(4, (view) => view.setFloat32(0, edge, true))
  }
  const node = (one: Node): void => {
    put(2, (view) => view.setUint16(0, typeof one === 'number' ? 0xffff : one.feature, true))
    if (typeof one === 'number') put(2, (view) => view.setInt16(0, one, true))
    else {
      put(1, (view) => view.setUint8(0, edges.indexOf(one.edge)))
      node(one.first)
      node(one.second)
    }
  }
  forest.forEach(node)
  return Uint8Array.from(bytes)
}

const leafFor = (node: Node, row: readonly number[]): number => (typeof node === 'number' ? node : leafFor((row[node.feature] ?? 0) <= node.edge ? node.first : node.second, row))
const chance = (sum: number): number => Math.fround(1 / (1 + Math.exp(-sum)))

/** The score of a row, computed by descending each tree. */
function asked(forest: readonly Node[], row: readonly number[]): number {
  let sum = base
  for (const [at, tree] of forest.entries()) {
    if (at >= 60 && at % 10 === 0 && sum < -2) return chance(sum - 2)
    if (at >= 60 && at % 10 === 0 && sum > 2.5) return chance(sum + 1.3)
    sum += leafFor(tree, row) * scale
  }
  return chance(sum)
}

/** A table that repeats these rows. */
function tableOf(rows: readonly (readonly number[])[], features: number): { rows: number; columns: Float32Array } {
  return { rows: rows.length, columns: Float32Array.from({ length: rows.length * features }, (_, at) => rows[at % rows.length]?.[Math.floor(at / rows.length)] ?? 0) }
}

/** A seeded generator of integers from 0 up to, but excluding, `below`. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => Math.floor(((state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff) / 0x80000000) * below)
}

function grown(leaves: number, features: number, roll: (below: number) => number): Node {
  if (leaves === 1) return roll(21) - 10
  const first = 1 + roll(leaves - 1)
  return { feature: roll(features), edge: (roll(40) - 20) / 2, first: grown(first, features, roll), second: grown(leaves - first, features, roll) }
}

describe('the walk of the trees', () => {
  const features = 5

  it.each(Array.from({ length: 40 }, (_, i) => i + 1))('gives each of %i rows the same result as one by one', (count) => {
    const roll = dice(count)
    const forest = Array.from({ length: 30 * roll(5) + 1 }, () => grown(1 + roll(mostLeaves), features, roll))
    // Halves, so that many values are edges; a feature that is the same in all rows; and one with two values.
    const rows = Array.from({ length: count }, () => [(roll(44) - 22) / 2, (roll(44) - 22) / 2, count % 7, roll(2), roll(9) - 20])
    const [read, table, expected] = [forestOf(bytesOf(forest, features)), tableOf(rows, features), rows.map((row) => asked(forest, row))]
    expect([...chancesOf(read, table)]).toEqual(expected)
    // The evaluation without WebAssembly.
    expect([...sumsByRow(read, table)].map(chance)).toEqual(expected)
  })

  it('works when the memory has to grow, and from forest to forest', () => {
    const roll = dice(7)
    const two = [0, 1].map(() => [grown(mostLeaves, features, roll), grown(2, features, roll)])
    const read = two.map((forest) => ({ forest, read: forestOf(bytesOf(forest, features)) }))
    const rows = Array.from({ length: 50_000 }, () => Array.from({ length: features }, () => roll(20) - 10))
    for (const few of [rows.slice(0, 3), rows, rows.slice(0, 3)]) {
      for (const one of read) expect([...chancesOf(one.read, tableOf(few, features))]).toEqual(few.map((row) => asked(one.forest, row)))
    }
  })

  it('stops early on clear rows, adding the expectation of the remaining trees', () => {
    const forest = Array.from({ length: 100 }, (): Node => ({ feature: 0, edge: 1.5, first: -1, second: 1 }))
    const sums = [...chancesOf(forestOf(bytesOf(forest, 2)), tableOf([[1.5, 9], [1.6, 9]], 2))].map((one) => Math.round(100 * Math.log(one / (1 - one))) / 100)
    expect(sums).toEqual([base - 60 * scale - 2, base + 60 * scale + 1.3].map((sum) => Math.round(100 * sum) / 100))
  })

  it('returns nothing for no rows', () => {
    expect(chancesOf(forestInUse(), { rows: 0, columns: new Float32Array(0) })).toHaveLength(0)
  })

  it('is what its text says', async () => {
    expect(code).toBe(Buffer.from(await compiled()).toString('base64'))
  })
})

describe('a forest', () => {
  it('has no tree with more leaves than a number has bits', () => {
    const chain = (leaves: number): Node => (leaves === 1 ? 1 : { feature: 0, edge: 0, first: 1, second: chain(leaves - 1) })
    expect(() => forestOf(bytesOf([chain(mostLeaves + 1)], 1))).toThrow('33 leaves')
  })

  it('of the service uses only features of the rows, and takes less than a megabyte', () => {
    const { questions, starts } = forestInUse()
    expect([starts.length > 50, questions.every((one, at) => at % 4 !== 0 || one < width), trees.length < 1_000_000]).toEqual([true, true, true])
  })
})
