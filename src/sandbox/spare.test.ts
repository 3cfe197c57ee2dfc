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
  started.push(one as Fake) // what is looked at of a cell is there
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

describe('processes that are started before they are needed', () => {
  it('are given away once each, and the next one is started a moment later', async () => {
    kept.make()
    expect([numberOf(kept.take()), started.length]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(1_100)
    expect([started.length, numberOf(kept.take()), numberOf(kept.take())]).toEqual([2, 2, 3])
  })

  it('are done without where they cannot be started', () => {
    const failing = spares(() => {
      throw new Error('Too many files are open.')
    }, { keepMs: 60_000, mayStart: () => true })
    failing.make()
    expect(() => failing.take()).toThrow('Too many files are open.')
  })

  it('end when nobody needs them for a while', async () => {
    kept.make()
    await vi.advanceTimersByTimeAsync(61_000)
    expect([started.map(({ killed }) => killed), numberOf(kept.take())]).toEqual([[true], 2])
  })

  it('are not given away when they have ended, and not started where there is no room', async () => {
    kept.make()
    started[0]?.kill(null)
    expect(numberOf(kept.take())).toBe(2)
    room = false
    await vi.advanceTimersByTimeAsync(1_100)
    expect(started.length).toBe(2)
  })
})
