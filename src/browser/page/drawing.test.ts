import { expect, it } from 'vitest'
import { drawing } from './drawing.ts'

const pace = { scarceMs: 60_000, tryMs: 100, pausesMs: [1, 1] }
const refused = new Error('Unable to capture screenshot')
const { signal } = new AbortController()

/** Draws pictures, of which the first ones are refused; `most` tells how many were drawn at once. */
function easel(refusals: number) {
  let [left, now, most] = [refusals, 0, 0]
  return {
    most: () => most,
    draw: async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 5))
      now--
      if (left-- > 0) throw refused
      return 'picture'
    },
  }
}

it('draws pictures at once, and one after the other once one was refused, which is drawn again', async () => {
  const drawn = drawing(pace)
  const calm = easel(0)
  expect(await Promise.all([1, 2, 3].map(() => drawn(calm.draw, signal)))).toEqual(['picture', 'picture', 'picture'])
  expect(calm.most()).toBe(3)
  expect(await drawn(easel(1).draw, signal)).toBe('picture')
  const scarce = easel(2)
  expect(await Promise.all([1, 2, 3].map(() => drawn(scarce.draw, signal)))).toEqual(['picture', 'picture', 'picture'])
  expect(scarce.most()).toBe(1)
})

it('gives up a picture that is refused again and again, and passes on every other error at once', async () => {
  const drawn = drawing(pace)
  await expect(drawn(easel(9).draw, signal)).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR', cause: refused })
  let asked = 0
  await expect(drawn(async () => Promise.reject(new Error(`Target closed ${++asked}`)), signal)).rejects.toThrow('Target closed 1')
})

it('draws a picture again that does not come while others were refused', async () => {
  const drawn = drawing(pace)
  await drawn(easel(1).draw, signal)
  let asked = 0
  expect(await drawn(() => (++asked === 1 ? new Promise<string>(() => undefined) : Promise.resolve('picture')), signal)).toBe('picture')
})

it('ends with its signal, and leaves its place to the next', async () => {
  const drawn = drawing(pace)
  await drawn(easel(1).draw, signal)
  const late = new AbortController()
  const stuck = drawn(() => new Promise(() => undefined), late.signal)
  const next = drawn(easel(0).draw, signal)
  late.abort(new Error('late'))
  await expect(stuck).rejects.toThrow('late')
  expect(await next).toBe('picture')
})
