import { afterEach, expect, it, vi } from 'vitest'
import { load } from './load.ts'

afterEach(() => void vi.useRealTimers())

it('the load is the share of time that the thread was busy since the last call', async () => {
  const measured = load()
  expect(measured.lately()).toEqual({ lag: 0, busy: 0 })
  await expect
    .poll(() => {
      const until = performance.now() + 50
      while (performance.now() < until);
      // Both are of the same stretch of time: in one alone, a timer may have been as punctual as can be.
      const { busy, lag } = measured.lately()
      return busy > 0.5 && lag > 0
    }, { interval: 1, timeout: 10_000 })
    .toBe(true)
  measured.stop()
})

it('measuring stops when nobody has asked for a while, and resumes on demand', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const measured = load()
  measured.lately()
  vi.advanceTimersByTime(4_000)
  measured.lately()
  vi.advanceTimersByTime(4_000)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(vi.getTimerCount()).toBe(0)
  measured.lately()
  expect(vi.getTimerCount()).toBe(1)
  measured.stop()
})
