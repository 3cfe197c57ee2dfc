/** A run of lines of both texts: equal ones, or those that replace each other. */
export interface Run {
  readonly same: boolean
  /** Lines of the first text, `to` not included; then those of the second. */
  readonly from: number
  readonly to: number
  readonly from2: number
  readonly to2: number
}

type Keys = readonly (string | null)[]
interface Gap {
  readonly from: number
  readonly to: number
  readonly from2: number
  readonly to2: number
}
type Pair = readonly [number, number]

/** Most cells of a table; larger gaps are split at lines that occur once in each text. */
const mostCells = 1_000_000

/** The longest common subsequence of a gap, by dynamic programming. */
function exact(a: Keys, b: Keys, { from, to, from2, to2 }: Gap): Pair[] {
  const [n, m] = [to - from, to2 - from2]
  const width = m + 1
  const table = new Uint32Array((n + 1) * width)
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      table[i * width + j] = a[from + i] === b[from2 + j] ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0)
    }
  }
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[from + i] === b[from2 + j]) pairs.push([from + i++, from2 + j++])
    else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++
    else j++
  }
  return pairs
}

/** Lines that occur exactly once in each text of a gap, in an order that both have. */
function anchors(a: Keys, b: Keys, { from, to, from2, to2 }: Gap): Pair[] {
  const places = new Map<string, { count: number; at: number; count2: number; at2: number }>()
  const place = (key: string) => {
    const known = places.get(key) ?? { count: 0, at: 0, count2: 0, at2: 0 }
    places.set(key, known)
    return known
  }
  for (let i = from; i < to; i++) {
    const key = a[i]
    if (key !== null && key !== undefined) Object.assign(place(key), { count: place(key).count + 1, at: i })
  }
  for (let j = from2; j < to2; j++) {
    const key = b[j]
    if (key !== null && key !== undefined) Object.assign(place(key), { count2: place(key).count2 + 1, at2: j })
  }
  const once = [...places.values()].filter(({ count, count2 }) => count === 1 && count2 === 1).map(({ at, at2 }): Pair => [at, at2]).sort((x, y) => x[0] - y[0])
  return rising(once)
}

/** The longest sequence of pairs with rising second numbers. */
function rising(pairs: readonly Pair[]): Pair[] {
  const tails: number[] = []
  const before = new Int32Array(pairs.length).fill(-1)
  pairs.forEach(([, at2], index) => {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < at2) low = middle + 1
      else high = middle
    }
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1
    tails[low] = index
  })
  const row: Pair[] = []
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index]
    if (pair !== undefined) row.push(pair)
  }
  return row.reverse()
}

/**
 * The pairs of a gap: its common ends, then by the table if the gap is small, otherwise by anchors and the gaps between
 * them.
 */
function matched(a: Keys, b: Keys, whole: Gap): Pair[] {
  const found: Pair[] = []
  const waiting: Gap[] = [whole]
  for (let gap = waiting.pop(); gap !== undefined; gap = waiting.pop()) {
    let { from, to, from2, to2 } = gap
    while (from < to && from2 < to2 && a[from] === b[from2]) found.push([from++, from2++])
    while (from < to && from2 < to2 && a[to - 1] === b[to2 - 1]) found.push([--to, --to2])
    if (from === to || from2 === to2) continue
    const rest = { from, to, from2, to2 }
    if ((to - from) * (to2 - from2) <= mostCells) {
      found.push(...exact(a, b, rest))
      continue
    }
    const fixed = anchors(a, b, rest)
    if (fixed.length === 0) continue
    // One by one: there may be more of them than a call can take as arguments.
    for (const pair of fixed) found.push(pair)
    let [start, start2] = [from, from2]
    for (const [at, at2] of [...fixed, [to, to2] as const]) {
      waiting.push({ from: start, to: at, from2: start2, to2: at2 })
      ;[start, start2] = [at + 1, at2 + 1]
    }
  }
  return found.sort((x, y) => x[0] - y[0])
}

/** Aligns two texts by the keys of their lines. Linear in their length, except for gaps of up to a thousand lines. */
export function aligned(a: Keys, b: Keys): readonly Run[] {
  const runs: Run[] = []
  const push = (run: Run): void => {
    const last = runs.at(-1)
    if (last?.same === true && run.same && last.to === run.from && last.to2 === run.from2) runs[runs.length - 1] = { ...last, to: run.to, to2: run.to2 }
    else if (run.from < run.to || run.from2 < run.to2) runs.push(run)
  }
  let [i, j] = [0, 0]
  for (const [at, at2] of matched(a, b, { from: 0, to: a.length, from2: 0, to2: b.length })) {
    push({ same: false, from: i, to: at, from2: j, to2: at2 })
    push({ same: true, from: at, to: at + 1, from2: at2, to2: at2 + 1 })
    ;[i, j] = [at + 1, at2 + 1]
  }
  push({ same: false, from: i, to: a.length, from2: j, to2: b.length })
  return runs
}
