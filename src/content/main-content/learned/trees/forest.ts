/** Regression trees. Questions and leaves are in preorder, first child first. */
export interface Forest {
  readonly base: number
  /** Index of the first question of each tree, followed by the number of all questions. */
  readonly starts: Int32Array
  /**
   * Four numbers per question: the feature, the edge (the bits of an f32), and two masks with the leaves that remain for
   * rows up to the edge and for rows above it.
   */
  readonly questions: Int32Array
  /** The values of the leaves, `mostLeaves` slots per tree. */
  readonly leaves: Float32Array
}

/** A set of a tree's leaves is a bit mask in one number. */
export const mostLeaves = 32

const leaf = 0xffff

/**
 * Reads a forest: the base and the scale of leaves (f32), the number of trees (u16) and of features (u16), the edges of
 * each feature (u8 count, f32 each), and the nodes of each tree in order (u16 feature and u8 edge, or 0xffff and i16 for a
 * leaf). Little-endian. Throws when a tree has more than `mostLeaves` leaves.
 */
export function forestOf(bytes: Uint8Array): Forest {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const trees = view.getUint16(8, true)
  const { edges, end } = edgesOf(view, view.getUint16(10, true))
  const reader = new Reader(view, end, edges)
  const starts = [0]
  for (let tree = 0; tree < trees; tree++) {
    reader.tree()
    starts.push(reader.questions.length)
  }
  return { base: view.getFloat32(0, true), starts: Int32Array.from(starts), ...packed(reader, view.getFloat32(4, true)) }
}

function edgesOf(view: DataView, features: number): { readonly edges: readonly Float32Array[]; readonly end: number } {
  const edges: Float32Array[] = []
  let at = 12
  for (let f = 0; f < features; f++) {
    const count = view.getUint8(at)
    const from = at + 1
    edges.push(Float32Array.from({ length: count }, (_, i) => view.getFloat32(from + 4 * i, true)))
    at = from + 4 * count
  }
  return { edges, end: at }
}

/** A question of a tree, with the masks of the leaves below its children. */
interface Question {
  readonly feature: number
  readonly edge: number
  first: number
  second: number
}

class Reader {
  readonly questions: Question[] = []
  readonly leaves: number[][] = []
  readonly #view: DataView
  readonly #edges: readonly Float32Array[]
  #at: number

  constructor(view: DataView, at: number, edges: readonly Float32Array[]) {
    this.#view = view
    this.#at = at
    this.#edges = edges
  }

  tree(): void {
    const leaves: number[] = []
    this.#node(leaves)
    if (leaves.length > mostLeaves) throw new Error(`a tree has ${leaves.length} leaves`)
    this.leaves.push(leaves)
  }

  /** Reads the next node and everything below; returns the mask of its leaves. */
  #node(leaves: number[]): number {
    const feature = this.#view.getUint16(this.#at, true)
    if (feature === leaf) {
      leaves.push(this.#view.getInt16(this.#at + 2, true))
      this.#at += 4
      return 1 << (leaves.length - 1)
    }
    const question: Question = { feature, edge: this.#edges[feature]?.[this.#view.getUint8(this.#at + 2)] ?? 0, first: 0, second: 0 }
    this.questions.push(question)
    this.#at += 3
    question.first = this.#node(leaves)
    question.second = this.#node(leaves)
    return question.first | question.second
  }
}

function packed({ questions, leaves }: Reader, scale: number): Pick<Forest, 'questions' | 'leaves'> {
  const numbers = new Int32Array(4 * questions.length)
  const edges = new Float32Array(numbers.buffer)
  questions.forEach(({ feature, edge, first, second }, i) => {
    numbers.set([feature, 0, ~second, ~first], 4 * i)
    edges[4 * i + 1] = edge
  })
  const values = new Float32Array(mostLeaves * leaves.length)
  leaves.forEach((list, tree) => values.set(list.map((value) => value * scale), mostLeaves * tree))
  return { questions: numbers, leaves: values }
}
