import { expect, it } from 'vitest'
import { type AtWall, wallMemory, type Walls } from './walls.ts'

const { signal } = new AbortController()
const several = (walls: Walls, count: number, name = 'a'): AtWall[] => Array.from({ length: count }, () => walls.approach(name))

/** Opens pages one after the other, all refused or none; returns the numbers of those that tried, from 1. */
async function tried(walls: Walls, count: number, refused = true): Promise<number[]> {
  const found: number[] = []
  for (const [i, page] of several(walls, count).entries()) {
    const may = await page.mayTry(signal)
    expect(page.left()).toBe(!may)
    if (may) found.push(i + 1)
    page.end(may ? refused : null)
  }
  return found
}

it('a wall stands after five refusals in a row, except for every twentieth page, until one page gets past it', async () => {
  const walls = wallMemory()
  expect(await tried(walls, 4)).toEqual([1, 2, 3, 4])
  expect(await tried(walls, 1, false)).toEqual([1])
  expect(await tried(walls, 45)).toEqual([1, 2, 3, 4, 5, 25, 45])
  expect([walls.approach('a').stands(), walls.approach('b').stands()]).toEqual([true, false])
  expect(await tried(walls, 20, false)).toEqual([20])
  expect([walls.approach('a').stands(), await tried(walls, 3, false)]).toEqual([false, [1, 2, 3]])
})

it('only as many pages try at once as are needed to decide; the others learn from them', async () => {
  const walls = wallMemory()
  const [first, second] = [several(walls, 8), several(walls, 8, 'b')]
  const answers: (boolean | undefined)[] = first.map(() => undefined)
  const all = first.map((page, i) => page.mayTry(signal).then((may) => (answers[i] = may)))
  await Promise.all(all.slice(0, 5))
  expect(answers).toEqual([true, true, true, true, true, undefined, undefined, undefined])
  for (const page of first.slice(0, 5)) page.end(true)
  await Promise.all(all)
  expect(answers.slice(5)).toEqual([false, false, false])
  const others = second.map((page) => page.mayTry(signal))
  await others[0]
  second[0]?.end(false)
  expect(await Promise.all(others)).toEqual(second.map(() => true))
})

it('a page that fails lets the next one try, and an aborted page stops waiting', async () => {
  const walls = wallMemory()
  const trying = several(walls, 5)
  await Promise.all(trying.map((page) => page.mayTry(signal)))
  const gone = new AbortController()
  const [lost, next] = [walls.approach('a').mayTry(gone.signal), walls.approach('a').mayTry(signal)]
  gone.abort(new Error('given up'))
  await expect(lost).rejects.toThrow('given up')
  trying[0]?.end(null)
  expect(await next).toBe(true)
})
