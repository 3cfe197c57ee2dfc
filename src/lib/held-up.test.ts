import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { timeLeft } from './deadline.ts'
import { heldUp } from './held-up.ts'
import { pausableClock } from './pausable-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Time passes, and no timer comes: what a turn of the event loop that takes long looks like. */
const block = (ms: number): void => void vi.setSystemTime(Date.now() + ms)

describe('a measure of how long the thread was held up', () => {
  it('counts what its timer was late by, and no turn as short as usual', () => {
    const held = heldUp(Date.now)
    const end = held.watch()
    vi.advanceTimersByTime(1_000)
    expect(held.ms).toBe(0)
    block(300)
    expect(held.ms).toBeCloseTo(280, -1)
    vi.advanceTimersByTime(1_000)
    expect(held.ms).toBeGreaterThanOrEqual(280)
    const before = held.ms
    block(4)
    vi.advanceTimersByTime(1_000)
    expect(held.ms).toBe(before)
    block(500)
    end()
    expect(held.ms - before).toBeGreaterThanOrEqual(475)
  })

  it('looks only while somebody watches', () => {
    const held = heldUp(Date.now)
    expect(vi.getTimerCount()).toBe(0)
    const [one, other] = [held.watch(), held.watch()]
    one()
    one()
    expect(vi.getTimerCount()).toBe(1)
    other()
    block(1_000)
    expect([vi.getTimerCount(), held.ms]).toEqual([0, 0])
    other()
    held.watch()
    vi.advanceTimersByTime(100)
    expect(held.ms).toBe(0)
  })
})

describe('a clock that stands still while the thread is held up', () => {
  const started = (ms: number) => {
    const [expired, clock] = [vi.fn(), pausableClock(Date.now, heldUp(Date.now))]
    clock.after(ms, expired)
    return { expired, clock, deadline: Date.now() + ms }
  }

  it('rings once it has run for as long as it was set to', () => {
    const { expired, clock, deadline } = started(1_000)
    vi.advanceTimersByTime(400)
    block(5_000)
    vi.advanceTimersByTime(1)
    expect(timeLeft({ deadline, clock }, Date.now())).toBeGreaterThan(570)
    vi.advanceTimersByTime(570)
    expect(expired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(60)
    expect(expired).toHaveBeenCalledTimes(1)
    clock.dispose()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not count a pause twice in which the thread was held up', () => {
    const { expired, clock, deadline } = started(1_000)
    const goOn = clock.pause()
    block(3_000)
    vi.advanceTimersByTime(1_000)
    goOn()
    expect([timeLeft({ deadline, clock }, Date.now()), clock.pausedMs]).toEqual([1_000, 4_000])
    vi.advanceTimersByTime(999)
    expect(expired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(expired).toHaveBeenCalledTimes(1)
    clock.dispose()
  })

  it.each([-3_600_000, 3_600_000])('rings in time when the clock of the machine is set by %d ms', (setMs) => {
    const steady = (): number => performance.now()
    const [expired, clock, deadline] = [vi.fn(), pausableClock(Date.now, heldUp(steady), steady), Date.now() + 100]
    clock.after(100, expired)
    vi.advanceTimersByTime(40)
    vi.setSystemTime(Date.now() + setMs)
    expect(timeLeft({ deadline, clock }, Date.now())).toBe(60)
    vi.advanceTimersByTime(59)
    expect(expired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(expired).toHaveBeenCalledTimes(1)
    clock.dispose()
  })
})
