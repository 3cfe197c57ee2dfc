/**
 * When rows are clear enough to be let go: every ten trees from the sixtieth on, with what the trees that are left would add. Costs no F1 on
 * pages that the trees did not learn from (`docs/content.md`).
 */
export const clear = { from: 60, every: 10, below: -2, down: -2, above: 2.5, up: 1.3 } as const

/** Whether the trees that are left would hardly turn the row. */
export const isClear = (sum: number): boolean => sum < clear.below || sum > clear.above

/** The sum of a row that is clear, with what the trees that are left would add. */
export const whole = (sum: number): number => sum + (sum < 0 ? clear.down : clear.up)
