import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Call } from '../domain/call.ts'
import { pace } from './pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: 10_000, retention: 'normal', log: () => undefined }
const settled = async (work: Promise<unknown>): Promise<boolean> => {
  let done = false
  void work.then(() => (done = true))
  await vi.advanceTimersByTimeAsync(0)
  return done
}

it('the pace is halved by a refusal, resumes after its pause, and grows with each answer', async () => {
  const steps = pace({ now: Date.now, most: 4, slowMs: 1_000 })
  const first = await Promise.all(Array.from({ length: 4 }, () => steps.enter(call)))
  for (const leave of first) leave(1_000)
  const next = Array.from({ length: 3 }, () => steps.enter(call))
  expect(await settled(Promise.race(next))).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([await settled(Promise.all(next.slice(0, 2))), await settled(Promise.resolve(next[2]))]).toEqual([true, false])
  const [leave] = await Promise.all(next.slice(0, 2))
  leave?.('answered')
  expect(await settled(Promise.resolve(next[2]))).toBe(true)
})

it('the pace ends the wait for a server that answers nobody, and for long pauses', async () => {
  const steps = pace({ now: Date.now, most: 4, slowMs: 1_000 })
  expect([steps.isWorthWaiting(1_000), steps.isWorthWaiting(3_600_000)]).toEqual([true, false])
  ;(await steps.enter(call))(1_000)
  await vi.advanceTimersByTimeAsync(301_000)
  expect(steps.isWorthWaiting(1_000)).toBe(false)
  const all = await Promise.all(Array.from({ length: 9 }, () => steps.enter(call)))
  all[0]?.('answered')
  expect(steps.isWorthWaiting(1_000)).toBe(true)
})

it('the pace goes on waiting for a server that refuses after a time in which nobody asked it', async () => {
  const steps = pace({ now: Date.now, most: 4, slowMs: 1_000 })
  ;(await steps.enter(call))(1_000)
  await vi.advanceTimersByTimeAsync(301_000)
  ;(await steps.enter(call))(1_000)
  expect(steps.isWorthWaiting(1_000)).toBe(true)
  for (let refused = 0; refused < 5; refused++) {
    const next = steps.enter(call)
    await vi.advanceTimersByTimeAsync(100_000)
    ;(await next)(1_000)
  }
  expect(steps.isWorthWaiting(1_000)).toBe(false)
})

it('the pace frees the slot of a caller that has left', async () => {
  const steps = pace({ now: Date.now, most: 1, slowMs: 1_000 })
  const leave = await steps.enter(call)
  const [one, two] = [new AbortController(), new AbortController()]
  const waits = steps.enter({ ...call, signal: one.signal })
  one.abort(new Error('gone'))
  await expect(waits).rejects.toThrow('gone')
  leave(10_000)
  const pauses = steps.enter({ ...call, signal: two.signal })
  await vi.advanceTimersByTimeAsync(10)
  two.abort(new Error('gone, too'))
  await expect(pauses).rejects.toThrow('gone, too')
  const next = steps.enter(call)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await settled(next)).toBe(true)
})

it('the pace starts low, doubles while answers are fast, and stops growing when they are slow', async () => {
  const steps = pace({ now: Date.now, most: 32, slowMs: 1_000 })
  const asked: (() => void)[] = []
  let most = 0
  let inside = 0
  const work = Array.from({ length: 80 }, async () => {
    const leave = await steps.enter({ ...call, signal: new AbortController().signal })
    most = Math.max(most, ++inside)
    await new Promise<void>((resolve) => void asked.push(resolve))
    inside--
    leave('answered')
  })
  const round = async (ms: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(ms)
    const all = asked.splice(0)
    for (const answer of all) answer()
    await vi.advanceTimersByTimeAsync(0)
    return all.length
  }
  expect([await round(100), await round(100), await round(1_500), await round(1_500), await round(2_500)]).toEqual([4, 8, 16, 16, 16])
  expect(await round(100)).toBeLessThan(14)
  while (asked.length > 0) await round(10)
  await Promise.all(work)
  expect(most).toBe(16)
})
