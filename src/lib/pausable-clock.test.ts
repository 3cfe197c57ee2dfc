import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deadline, timeLeft, within } from './deadline.ts'
import { pausableClock } from './pausable-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const late = () => new Error('late')

describe('a pausable clock', () => {
  const started = (ms: number) => {
    const expired = vi.fn()
    const limit = pausableClock(Date.now)
    return { expired, limit, cancel: limit.after(ms, expired) }
  }

  it('fires after the given time, without pauses', () => {
    const { expired, limit } = started(100)
    vi.advanceTimersByTime(60)
    const [first, second] = [limit.pause(), limit.pause()]
    vi.advanceTimersByTime(500)
    first()
    first()
    vi.advanceTimersByTime(500)
    expect([expired.mock.calls.length, limit.pausedMs]).toEqual([0, 1_000])
    second()
    vi.advanceTimersByTime(39)
    expect([expired.mock.calls.length, limit.pausedMs]).toEqual([0, 1_000])
    vi.advanceTimersByTime(1)
    expect(expired).toHaveBeenCalledTimes(1)
  })

  it('fires several timers at their own times, including those set during a pause', () => {
    const { limit } = started(1_000)
    const rung: string[] = []
    limit.after(100, () => rung.push('a'))
    const goOn = limit.pause()
    vi.advanceTimersByTime(300)
    limit.after(50, () => rung.push('b'))
    const taken = limit.after(50, () => rung.push('taken back'))
    vi.advanceTimersByTime(300)
    goOn()
    taken()
    expect(timeLeft({ deadline: Date.now(), clock: limit }, Date.now())).toBe(600)
    vi.advanceTimersByTime(50)
    expect(rung).toEqual(['b'])
    vi.advanceTimersByTime(50)
    expect(rung).toEqual(['b', 'a'])
  })

  it('leaves no timer when disposed of, paused or not', () => {
    const { expired, limit } = started(100)
    const goOn = limit.pause()
    limit.dispose()
    goOn()
    limit.after(10, expired)
    started(100).limit.dispose()
    started(100).cancel()
    vi.advanceTimersByTime(1_000)
    expect([vi.getTimerCount(), expired.mock.calls.length]).toEqual([0, 0])
  })

  it('drives the time limits of a call', () => {
    const { limit: clock } = started(10_000)
    const parent = new AbortController()
    const [inner, limit] = [within({ signal: parent.signal, clock }, 100), deadline(parent.signal, 100, late, clock)]
    const goOn = clock.pause()
    vi.advanceTimersByTime(500)
    expect([inner.aborted, limit.signal.aborted]).toEqual([false, false])
    goOn()
    vi.advanceTimersByTime(100)
    expect([inner.reason.name, limit.signal.reason]).toEqual(['TimeoutError', late()])
    const gone = within({ signal: parent.signal, clock }, 100)
    parent.abort(new Error('gone'))
    expect(gone.reason).toEqual(new Error('gone'))
  })
})
