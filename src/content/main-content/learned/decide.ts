/** The chance from which on blocks are kept, and the expected F1 of words at that threshold. */
export interface Decision {
  readonly threshold: number
  readonly expected: number
}

/**
 * The threshold with the highest expected F1. With calibrated chances, keeping a block pays as long as its chance exceeds
 * half of the F1 reached.
 */
export function decide(chances: Float32Array, words: Float64Array): Decision {
  const order = new Uint32Array(chances.length)
  for (let i = 0; i < order.length; i++) order[i] = i
  order.sort((a, b) => (chances[b] ?? 0) - (chances[a] ?? 0) || a - b)
  let wanted = 0
  for (let i = 0; i < chances.length; i++) wanted += (chances[i] ?? 0) * (words[i] ?? 0)
  let right = 0
  let taken = 0
  let best: Decision = { threshold: 1, expected: 0 }
  for (const i of order) {
    right += (chances[i] ?? 0) * (words[i] ?? 0)
    taken += words[i] ?? 0
    const expected = (2 * right) / Math.max(taken + wanted, 1e-9)
    if (expected > best.expected) best = { threshold: chances[i] ?? 0, expected }
  }
  return best
}
