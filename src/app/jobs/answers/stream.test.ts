import { expect, it } from 'vitest'
import { pieces } from './stream.ts'

async function sizes(parts: readonly number[]): Promise<readonly number[]> {
  const given = async function* (): AsyncGenerator<string> {
    for (const length of parts) yield 'x'.repeat(length)
  }
  const out: number[] = []
  for await (const piece of pieces(given())) out.push(piece.length)
  return out
}

it.each([
  ['nothing', [], []],
  ['small parts', [10, 20], [30]],
  ['parts that fill pieces, and a rest', [65_535, 1, 65_536, 7], [65_536, 65_536, 7]],
  ['parts that fill pieces exactly, after which there is no empty one', [65_536, 65_536], [65_536, 65_536]],
])('pieces of %s', async (_, parts, expected) => {
  expect(await sizes(parts)).toEqual(expected)
})
