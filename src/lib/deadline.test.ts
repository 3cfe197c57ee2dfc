import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clock, deadline, timeLeft, untilAborted, within } from './deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const late = () => new Error('late')

describe('deadline', () => {
  it('aborts when the time is up', () => {
    const limit = deadline(new AbortController().signal, 100, late)
    vi.advanceTimersByTime(99)
    expect(limit.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(limit.signal.reason).toEqual(late())
  })

  it('aborts with its parent, for the same reason', () => {
    const parent = new AbortController()
    const limit = deadline(parent.signal, 100, late)
    parent.abort('gone')
    expect(limit.signal.reason).toBe('gone')
  })

  it.each([0, -1])('is over from the start with %i ms', (ms) => {
    expect(deadline(new AbortController().signal, ms, late).signal.reason).toEqual(late())
  })

  it('is over from the start when its parent is', () => {
    expect(deadline(AbortSignal.abort('gone'), 100, late).signal.reason).toBe('gone')
  })

  it('is not over at once when it is further away than a timer reaches', () => {
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

describe('a clock', () => {
  const started = (ms: number) => {
    const expired = vi.fn()
    const limit = clock(Date.now)
    return { expired, limit, cancel: limit.after(ms, expired) }
  }

  it('rings when it has gone on for so long, without the time that it stood still', () => {
    const { expired, limit } = started(100)
    vi.advanceTimersByTime(60)
    const [first, second] = [limit.begin(), limit.begin()]
    vi.advanceTimersByTime(500)
    first()
    first()
    vi.advanceTimersByTime(500)
    expect([expired.mock.calls.length, limit.sum]).toEqual([0, 1_000])
    second()
    vi.advanceTimersByTime(39)
    expect([expired.mock.calls.length, limit.sum]).toEqual([0, 1_000])
    vi.advanceTimersByTime(1)
    expect(expired).toHaveBeenCalledTimes(1)
  })

  it('rings for many, each at its own time, for those too that came while it stood still', () => {
    const { limit } = started(1_000)
    const rung: string[] = []
    limit.after(100, () => rung.push('a'))
    const goOn = limit.begin()
    vi.advanceTimersByTime(300)
    limit.after(50, () => rung.push('b'))
    const taken = limit.after(50, () => rung.push('taken back'))
    vi.advanceTimersByTime(300)
    goOn()
    taken()
    expect(timeLeft({ deadline: Date.now(), rest: limit }, Date.now())).toBe(600)
    vi.advanceTimersByTime(50)
    expect(rung).toEqual(['b'])
    vi.advanceTimersByTime(50)
    expect(rung).toEqual(['b', 'a'])
  })

  it('leaves no timer when disposed of, stopped or not', () => {
    const { expired, limit } = started(100)
    const goOn = limit.begin()
    limit.dispose()
    goOn()
    limit.after(10, expired)
    started(100).limit.dispose()
    started(100).cancel()
    vi.advanceTimersByTime(1_000)
    expect([vi.getTimerCount(), expired.mock.calls.length]).toEqual([0, 0])
  })

  it('is what limits of a call go by', () => {
    const { limit: rest } = started(10_000)
    const parent = new AbortController()
    const [inner, limit] = [within({ signal: parent.signal, rest }, 100), deadline(parent.signal, 100, late, rest)]
    const goOn = rest.begin()
    vi.advanceTimersByTime(500)
    expect([inner.aborted, limit.signal.aborted]).toEqual([false, false])
    goOn()
    vi.advanceTimersByTime(100)
    expect([inner.reason.name, limit.signal.reason]).toEqual(['TimeoutError', late()])
    const gone = within({ signal: parent.signal, rest }, 100)
    parent.abort(new Error('gone'))
    expect(gone.reason).toEqual(new Error('gone'))
  })
})

describe('untilAborted', () => {
  it('answers what the work answers', async () => {
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

  it('leaves no failure of the work unheard, neither before the signal aborts nor after', async () => {
    const controller = new AbortController()
    let fail: (error: Error) => void = () => undefined
    const waiting = untilAborted(new Promise((_, reject) => (fail = reject)), controller.signal)
    controller.abort(new Error('gone'))
    fail(late())
    await expect(waiting).rejects.toThrow('gone')
    // The test runner fails on a rejection that nobody hears.
    await expect(untilAborted(Promise.reject(late()), controller.signal)).rejects.toThrow('gone')
  })
})
