import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withTimeout } from './with-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('withTimeout returns the result of work that is in time, and leaves no timer', async () => {
  expect(await withTimeout(Promise.resolve('done'), 100, () => 'late')).toBe('done')
  await expect(withTimeout(Promise.reject(new Error('failed')), 100, () => 'late')).rejects.toThrow('failed')
  expect(vi.getTimerCount()).toBe(0)
})

it('withTimeout returns or throws the given outcome at the timeout, whatever becomes of the work', async () => {
  let fail = (_error: Error): void => undefined
  const work = new Promise<never>((_, reject) => (fail = reject))
  const [answered, thrown] = [withTimeout(work, 100, () => 'late'), withTimeout(work, 200, () => { throw new Error('too late') })]
  thrown.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(200)
  // The test runner fails on an unhandled rejection.
  fail(new Error('failed'))
  expect(await answered).toBe('late')
  await expect(thrown).rejects.toThrow('too late')
})
