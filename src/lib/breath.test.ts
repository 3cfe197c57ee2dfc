import { expect, it } from 'vitest'
import { breather } from './breath.ts'

/** The number of turns of the event loop while steps run for some milliseconds, or until there were enough turns. */
async function turnsIn(ms: number, step: () => Promise<void> | undefined, enough = Infinity): Promise<number> {
  const loop = { turns: 0 }
  let at = setImmediate(function again() {
    loop.turns++
    at = setImmediate(again)
  })
  for (const end = performance.now() + ms; performance.now() < end && loop.turns < enough; ) await step()
  clearImmediate(at)
  return loop.turns
}

it('long steps yield to the event loop, which awaiting alone does not', async () => {
  expect(await turnsIn(30, () => undefined)).toBe(0)
  const breathe = breather(5)
  expect(await turnsIn(5_000, () => breathe(), 3)).toBe(3)
})

it('the first steps of a turn do not wait', async () => {
  const breathe = breather(1_000)
  expect([breathe(), breathe()]).toEqual([undefined, undefined])
})

it('the steps of all callers count together', async () => {
  const breathe = breather(0)
  breathe()
  const waiting = [breathe(), breathe()]
  expect(waiting.every((one) => one instanceof Promise)).toBe(true)
  await Promise.all(waiting)
  expect(breathe()).toBeUndefined()
})
