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

/** The chance that the forest gives each row. */
export function chancesOf({ base, starts, feature, value, other }: Forest, { rows, width }: Table): Float32Array {
  const count = rows.length / width
  const sums = new Float64Array(count).fill(base)
  for (const start of starts) {
    for (let row = 0, at = 0; row < count; row++, at += width) {
      let node = start
      for (let f = feature[node] ?? -1; f >= 0; f = feature[node] ?? -1) node = (rows[at + f] ?? 0) <= (value[node] ?? 0) ? node + 1 : (other[node] ?? 0)
      sums[row] = (sums[row] ?? 0) + (value[node] ?? 0)
    }
  }
  return Float32Array.from(sums, (sum) => 1 / (1 + Math.exp(-sum)))
}
