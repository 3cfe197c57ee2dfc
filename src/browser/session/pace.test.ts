import { describe, expect, it } from 'vitest'
import { pace } from './pace.ts'

describe('a pace', () => {
  it("lets a second's worth of messages pass at once, and then one after the other", () => {
    let ms = 0
    const { take } = pace({ messages: 100, bytes: 1_000_000 }, () => ms)
    expect(Array.from({ length: 102 }, () => take(10)).filter((wait) => wait !== null)).toEqual([10, 10])
    ms += 10
    expect([take(10), take(10)]).toEqual([null, 10])
    ms += 60_000
    expect(Array.from({ length: 101 }, () => take(10)).filter((wait) => wait !== null)).toEqual([10])
  })

  it('lets a large message pass, and delays those after it accordingly', () => {
    let ms = 0
    const { take } = pace({ messages: 100, bytes: 1_000 }, () => ms)
    expect([take(3_000), take(1)]).toEqual([null, 2_001])
    ms += 2_001
    expect(take(1)).toBe(null)
  })
})
