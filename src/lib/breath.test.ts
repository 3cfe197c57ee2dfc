import { expect, it } from 'vitest'
import { breather } from './breath.ts'

/** How often the event loop came round while steps were made for some milliseconds, or until it had come round often enough. */
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

it('lets the event loop run once steps have taken long, which awaiting alone does not', async () => {
  expect(await turnsIn(30, () => undefined)).toBe(0)
  const breathe = breather(5)
  expect(await turnsIn(5_000, () => breathe(), 3)).toBe(3)
})

it('does not make the first steps of a turn wait', async () => {
  const breathe = breather(1_000)
  expect([breathe(), breathe()]).toEqual([undefined, undefined])
})

it('counts the steps of all callers that share it', async () => {
  const breathe = breather(0)
  breathe()
  const waiting = [breathe(), breathe()]
  expect(waiting.every((one) => one instanceof Promise)).toBe(true)
  await Promise.all(waiting)
  expect(breathe()).toBeUndefined()
})
