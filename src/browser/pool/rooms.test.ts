import type { BrowserContext } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fleet, Member } from './fleet.ts'
import { rooms } from './rooms.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A context that takes this many milliseconds to close. */
function slowContext(ms: number): BrowserContext {
  let told = (): void => undefined
  const once = (_: string, listener: () => void): void => void (told = listener)
  const close = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    told()
  }
  return { once, close } as unknown as BrowserContext // what rooms use
}

/** A browser whose contexts take these times to close, one after the other; and a record of what happens to it. */
function crewOf(...closings: readonly number[]) {
  const kill = vi.fn()
  const waiting = [...closings]
  const browser = { isConnected: () => true, newContext: async () => slowContext(waiting.shift() ?? 0) }
  const member = { browser, kill, seats: 0, retiring: false } as unknown as Member // what rooms use
  const seat = async (): Promise<Member> => (member.seats++, member)
  const crew = { seat, join: () => (member.seats++, true), leave: () => void member.seats-- } as unknown as Fleet // what rooms use
  return { all: rooms(crew, () => null), member, kill }
}

const terms = { context: {} }
const { signal } = new AbortController()

describe('a context that does not close in a second', () => {
  it('ends a browser that nobody else uses', async () => {
    const { all, kill } = crewOf(60_000)
    const left = all.leave(await all.enter(terms, false, signal), true)
    await vi.advanceTimersByTimeAsync(1_000)
    await left
    expect(kill).toHaveBeenCalledTimes(1)
  })

  it("does not interrupt others' work in the browser if it is only slow", async () => {
    const { all, member, kill } = crewOf(9_000, 0)
    const [slow, other] = [await all.enter(terms, false, signal), await all.enter(terms, false, signal)]
    const left = all.leave(slow, true)
    await vi.advanceTimersByTimeAsync(9_000)
    const last = all.leave(other, true)
    await vi.advanceTimersByTimeAsync(0)
    await Promise.all([left, last])
    expect([kill.mock.calls.length, member.retiring, member.seats]).toEqual([0, true, 0])
  })

  it.each([
    ['did well', true, 10_000],
    ['went wrong', false, 2_000],
  ])('ends the browser finally, if it is stuck and its page %s', async (_, well, patienceMs) => {
    const { all, kill } = crewOf(60_000, 0)
    const [stuck] = [await all.enter(terms, false, signal), await all.enter(terms, false, signal)]
    const left = all.leave(stuck, well)
    await vi.advanceTimersByTimeAsync(patienceMs)
    expect(kill).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(1_000)
    await left
    expect(kill).toHaveBeenCalledTimes(1)
  })
})

it('a context that has closed by itself is not entered again', async () => {
  const { all } = crewOf(0, 0)
  const shared = { ...terms, shared: 'a crawl' }
  const first = await all.enter(shared, false, signal)
  expect(await all.enter(shared, false, signal)).toBe(first)
  void first.context.close()
  await vi.advanceTimersByTimeAsync(1)
  expect(await all.enter(shared, false, signal)).not.toBe(first)
})
