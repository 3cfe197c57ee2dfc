/** From which chance on blocks are taken, and the F1 of words that is to be expected of that. */
export interface Decision {
  readonly threshold: number
  readonly expected: number
}

/** The threshold with the highest expected F1: with chances that are true, taking a block pays as long as its chance is above half of what is reached. */
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
