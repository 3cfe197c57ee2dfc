import { expect, it } from 'vitest'
import { growth } from './cpu.ts'

const numbers = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

it.each<[string, (of: readonly number[]) => number, number, number, number]>([
  ['linear for what looks at each once', (of) => of.reduce((sum, x) => Math.sin(sum + x), 0), 10_000, 0.5, 1.4],
  ['quadratic for what looks at each for each', (of) => of.reduce((sum, x) => of.reduce((inner, y) => (inner * x + y) | 0, sum), 0), 100, 1.6, 2.4],
])('the growth of work is %s', (_, work, from, least, most) => {
  const power = growth(numbers, work, from)
  expect(power).toBeGreaterThan(least)
  expect(power).toBeLessThan(most)
})
