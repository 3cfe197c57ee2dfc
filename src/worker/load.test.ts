import { afterEach, expect, it, vi } from 'vitest'
import { load } from './load.ts'

afterEach(() => void vi.useRealTimers())

it('tells how busy the thread was since it was asked', async () => {
  const measured = load()
  expect(measured.lately()).toEqual({ lag: 0, busy: 0 })
  await expect
    .poll(() => {
      const until = performance.now() + 50
      while (performance.now() < until);
      return measured.lately().busy
    }, { interval: 1, timeout: 10_000 })
    .toBeGreaterThan(0.5)
  expect(measured.lately().lag).toBeGreaterThan(0)
  measured.stop()
})

it('rests when nobody has asked for a while, and begins again when asked', () => {
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
