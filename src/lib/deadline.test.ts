import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deadline, isUp, untilAborted } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const late = () => new Error('late')

it('a call is up shortly before its deadline, which moves by as long as its clock stood still', () => {
  expect([949, 950, 1_000].map((now) => isUp({ deadline: 1_000 }, now))).toEqual([false, true, true])
  expect(isUp({ deadline: 1_000, clock: { pausedMs: 100, after: () => () => undefined } }, 1_000)).toBe(false)
})

describe('deadline', () => {
  it('aborts when the time is up', () => {
    const limit = deadline(new AbortController().signal, 100, late)
    vi.advanceTimersByTime(99)
    expect(limit.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(limit.signal.reason).toEqual(late())
  })

  it('aborts with its parent, with the same reason', () => {
    const parent = new AbortController()
    const limit = deadline(parent.signal, 100, late)
    parent.abort('gone')
    expect(limit.signal.reason).toBe('gone')
  })

  it.each([0, -1])('has expired from the start with %i ms', (ms) => {
    expect(deadline(new AbortController().signal, ms, late).signal.reason).toEqual(late())
  })

  it('aborts at once when its parent has already aborted', () => {
    expect(deadline(AbortSignal.abort('gone'), 100, late).signal.reason).toBe('gone')
  })

  it('does not abort at once for a limit longer than the maximum of a timer', () => {
    const limit = deadline(new AbortController().signal, 2 ** 40, late)
    vi.advanceTimersByTime(1_000)
    expect(limit.signal.aborted).toBe(false)
  })

  it('leaves no timer and no listener when disposed of', () => {
    const parent = new AbortController()
    const limit = deadline(parent.signal, 100, late)
    limit.dispose()
    expect(vi.getTimerCount()).toBe(0)
    parent.abort()
    expect(limit.signal.aborted).toBe(false)
  })
})

describe('untilAborted', () => {
  it('returns the result of the work', async () => {
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1)
    await expect(untilAborted(Promise.reject(late()), new AbortController().signal)).rejects.toThrow('late')
  })

  it('stops waiting when the signal aborts', async () => {
    const controller = new AbortController()
    const waiting = untilAborted(new Promise(() => {}), controller.signal)
    controller.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(untilAborted(Promise.resolve(1), controller.signal)).rejects.toThrow('gone')
  })

  it('causes no unhandled rejection, whether the work fails before or after the abort', async () => {
    const controller = new AbortController()
    let fail: (error: Error) => void = () => undefined
    const waiting = untilAborted(new Promise((_, reject) => (fail = reject)), controller.signal)
    controller.abort(new Error('gone'))
    fail(late())
    await expect(waiting).rejects.toThrow('gone')
    // The test runner fails on an unhandled rejection.
    await expect(untilAborted(Promise.reject(late()), controller.signal)).rejects.toThrow('gone')
  })
})
