import { expect, it } from 'vitest'
import type { SitePorts } from '../site/ports.ts'
import { pace } from './pace.ts'

it('work yields every eight milliseconds, also when the time is set back meanwhile', async () => {
  let [time, steady, breaths] = [1_000_000, 0, 0]
  const due = pace({ now: () => time, steady: () => steady, breathe: async () => void breaths++ } as unknown as SitePorts) // the parts that it uses
  const after = async (ms: number): Promise<number> => {
    steady += ms
    time += ms
    await due()
    return breaths
  }
  expect([await after(7), await after(1), await after(7)]).toEqual([0, 1, 1])
  time -= 3_600_000
  expect([await after(1), await after(8)]).toEqual([2, 3])
})
