import { expect, it } from 'vitest'
import { growth } from './cpu.ts'

const numbers = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

it.each<[string, (of: readonly number[]) => number, number, number]>([
  ['as much for what looks at each once', (of) => of.reduce((sum, x) => (sum * 31 + x) | 0, 0), 2, 8],
  ['its square for what looks at each for each', (of) => of.reduce((sum, x) => of.reduce((inner, y) => (inner * x + y) | 0, sum), 0), 10, 24],
])('the growth of work is %s', (_, work, least, most) => {
  const times = growth(numbers, work, 2_000)
  expect(times).toBeGreaterThan(least)
  expect(times).toBeLessThan(most)
})
