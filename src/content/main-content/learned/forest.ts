import type { Table } from './table.ts'

/** Regression trees in one list of nodes: a node's first child follows it, `other` names the second. */
export interface Forest {
  readonly base: number
  readonly starts: Int32Array
  /** The number that a node looks at; -1 for a leaf. */
  readonly feature: Int16Array
  /** Up to which value a node goes to its first child; of a leaf what it adds. */
  readonly value: Float32Array
  readonly other: Int32Array
}

const leaf = 0xffff

/**
 * Reads a forest: the base and the scale of leaves (f32), the count of trees (u16) and of features (u16), the edges of each feature
 * (u8 count, f32 each), and the nodes of each tree in order (u16 feature and u8 edge, or 0xffff and i16 for a leaf). Little-endian.
 */
export function forestOf(bytes: Uint8Array): Forest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const trees = view.getUint16(8, true)
  const { edges, end } = edgesOf(view, view.getUint16(10, true))
  const nodes: Nodes = { feature: [], value: [], other: [] }
  const starts: number[] = []
  for (let at = end, tree = 0; tree < trees; tree++) {
    starts.push(nodes.feature.length)
    at = readTree({ view, at, scale: view.getFloat32(4, true), edges }, nodes)
  }
  return { base: view.getFloat32(0, true), starts: Int32Array.from(starts), feature: Int16Array.from(nodes.feature), value: Float32Array.from(nodes.value), other: Int32Array.from(nodes.other) }
}

interface Nodes {
  readonly feature: number[]
  readonly value: number[]
  readonly other: number[]
}

function edgesOf(view: DataView, features: number): { readonly edges: readonly (readonly number[])[]; readonly end: number } {
  const edges: number[][] = []
  let at = 12
  for (let f = 0; f < features; f++) {
    const count = view.getUint8(at)
    const from = at + 1
    edges.push(Array.from({ length: count }, (_, i) => view.getFloat32(from + 4 * i, true)))
    at = from + 4 * count
  }
  return { edges, end: at }
}

/** Reads one tree; answers where the next begins. */
function readTree({ view, at: from, scale, edges }: { readonly view: DataView; readonly at: number; readonly scale: number; readonly edges: readonly (readonly number[])[] }, nodes: Nodes): number {
  /** Nodes that still await their second child. */
  const open: number[] = []
  for (let at = from; ; ) {
    const node = nodes.feature.length
    const feature = view.getUint16(at, true)
    nodes.other.push(-1)
    if (feature === leaf) {
      nodes.feature.push(-1)
      nodes.value.push(view.getInt16(at + 2, true) * scale)
      at += 4
      const waiting = open.pop()
      if (waiting === undefined) return at
      nodes.other[waiting] = node + 1
    } else {
      nodes.feature.push(feature)
      nodes.value.push(edges[feature]?.[view.getUint8(at + 2)] ?? 0)
      at += 3
      open.push(node)
    }
  }
}

/**
 * When rows are clear enough to be let go: every ten trees from the sixtieth on, with what the trees that are left would add. Saves nearly half
 * of the walk, and costs no F1 on pages that the trees did not learn from (`docs/content.md`).
 */
const clear = { from: 60, every: 10, below: -2, down: -2, above: 2.5, up: 1.3 } as const

/** The chance that the forest gives each row. */
export function chancesOf(forest: Forest, table: Table): Float32Array {
  const sums = new Float64Array(table.rows).fill(forest.base)
  const walk = new Walk(forest, table, sums)
  const { starts } = forest
  for (let tree = 0; tree < starts.length && walk.left > 0; tree++) {
    if (tree >= clear.from && tree % clear.every === 0) walk.leaveClear()
    walk.tree(starts[tree] ?? 0)
  }
  const chances = new Float32Array(sums.length)
  for (let row = 0; row < sums.length; row++) chances[row] = 1 / (1 + Math.exp(-(sums[row] ?? 0)))
  return chances
}

/** Sends all rows through a tree at once: most questions part a page's rows into few groups, and many do not part them at all. */
class Walk {
  readonly #forest: Forest
  readonly #table: Table
  readonly #sums: Float64Array
  /** The rows, those at one node side by side. */
  readonly #order: Uint16Array
  readonly #least: Float32Array
  readonly #most: Float32Array
  /** Groups that wait for their turn in a tree: a node, and the rows at it. */
  readonly #waiting: number[] = []
  /** How many rows are still asked about: the first of the order. */
  left: number

  constructor(forest: Forest, table: Table, sums: Float64Array) {
    this.#forest = forest
    this.#table = table
    this.#sums = sums
    this.#order = new Uint16Array(sums.length)
    for (let row = 0; row < sums.length; row++) this.#order[row] = row
    const { rows, columns } = table
    this.left = rows
    const features = rows === 0 ? 0 : columns.length / rows
    this.#least = new Float32Array(features)
    this.#most = new Float32Array(features)
    for (let f = 0, at = 0; f < features; f++) {
      let least = columns[at] ?? 0
      let most = least
      for (const end = at + rows; at < end; at++) {
        const value = columns[at] ?? 0
        if (value < least) least = value
        if (value > most) most = value
      }
      this.#least[f] = least
      this.#most[f] = most
    }
  }

  /** Lets rows go whose sum hardly any tree will turn. */
  leaveClear(): void {
    const order = this.#order
    let left = 0
    for (let i = 0; i < this.left; i++) {
      const row = order[i] ?? 0
      const sum = this.#sums[row] ?? 0
      if (sum < clear.below) this.#sums[row] = sum + clear.down
      else if (sum > clear.above) this.#sums[row] = sum + clear.up
      else order[left++] = row
    }
    this.left = left
  }

  tree(start: number): void {
    const { feature, value, other } = this.#forest
    const waiting = this.#waiting
    let node = start
    let from = 0
    let end = this.left
    for (;;) {
      const f = feature[node] ?? -1
      const edge = value[node] ?? 0
      if (f < 0) {
        this.#add(edge, from, end)
        if (waiting.length === 0) return
        end = waiting.pop() ?? 0
        from = waiting.pop() ?? 0
        node = waiting.pop() ?? 0
        continue
      }
      const middle = (this.#most[f] ?? 0) <= edge ? end : (this.#least[f] ?? 0) > edge ? from : this.#part(f * this.#table.rows, edge, { from, end })
      if (middle > from && middle < end) waiting.push(other[node] ?? 0, middle, end)
      node = middle > from ? node + 1 : (other[node] ?? 0)
      if (middle > from) end = middle
    }
  }

  #add(amount: number, from: number, end: number): void {
    const order = this.#order
    const sums = this.#sums
    for (let i = from; i < end; i++) {
      const row = order[i] ?? 0
      sums[row] = (sums[row] ?? 0) + amount
    }
  }

  /** Puts rows up to an edge before the others; answers where the others begin. */
  #part(column: number, edge: number, { from, end }: { readonly from: number; readonly end: number }): number {
    const order = this.#order
    const { columns } = this.#table
    let middle = from
    for (let i = from; i < end; i++) {
      const row = order[i] ?? 0
      if (!((columns[column + row] ?? 0) <= edge)) continue
      order[i] = order[middle] ?? 0
      order[middle++] = row
    }
    return middle
  }
}
