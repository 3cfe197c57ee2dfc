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
      return measured.lately().busy
    }, { interval: 1, timeout: 10_000 })
    .toBeGreaterThan(0.5)
  expect(measured.lately().lag).toBeGreaterThan(0)
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
