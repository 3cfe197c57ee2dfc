import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cell, End } from './cell.ts'
import { type Spares, spares } from './spare.ts'

interface Fake extends Cell {
  readonly number: number
  killed: boolean
}

const started: Fake[] = []
let room = true
let kept: Spares

function fakeCell(): Fake {
  let settle: (end: End) => void = () => undefined
  const one: Partial<Fake> & { killed: boolean } = { number: started.length + 1, killed: false, ended: new Promise<End>((resolve) => (settle = resolve)), dying: () => one.killed }
  one.kill = () => {
    one.killed = true
    settle({ code: null, why: null })
  }
  started.push(one as Fake) // the parts of a cell that are used
  return one as Fake // the same
}

const numberOf = (cell: Cell): number => started.findIndex((one) => one === cell) + 1

beforeEach(() => {
  vi.useFakeTimers()
  started.length = 0
  room = true
  kept = spares(fakeCell, { keepMs: 60_000, mayStart: () => room })
  return () => void vi.useRealTimers()
})
afterEach(() => kept.end())

describe('spare processes', () => {
  it('are handed out once each, and the next one starts a moment later', async () => {
    kept.make()
    expect([numberOf(kept.take()), started.length]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(1_100)
    expect([started.length, numberOf(kept.take()), numberOf(kept.take())]).toEqual([2, 2, 3])
  })

  it('are skipped if they cannot be started', () => {
    const failing = spares(() => {
      throw new Error('Too many files are open.')
    }, { keepMs: 60_000, mayStart: () => true })
    failing.make()
    expect(() => failing.take()).toThrow('Too many files are open.')
  })

  it('end when they are not needed for a while', async () => {
    kept.make()
    await vi.advanceTimersByTimeAsync(61_000)
    expect([started.map(({ killed }) => killed), numberOf(kept.take())]).toEqual([[true], 2])
  })

  it('are not handed out once they have ended, and not started without capacity', async () => {
    kept.make()
    started[0]?.kill(null)
    expect(numberOf(kept.take())).toBe(2)
    room = false
    await vi.advanceTimersByTimeAsync(1_100)
    expect(started.length).toBe(2)
  })
})
