import { describe, expect, it } from 'vitest'
import { walkCommits } from './commits.ts'
import { killAtRandom } from './random.ts'
import { allPoints, report } from './report.ts'

describe('the service on the embedded store (R12)', () => {
  it('survives a kill at every commit of a crawl of 30 pages', async () => {
    const walk = await walkCommits({ pages: 30, points: allPoints, lanes: 2 })
    report('embedded store, every commit', walk)
    expect(walk.faults).toEqual([])
    expect(walk.kills).toBeGreaterThan(30)
    expect(walk.kills).toBeLessThan(allPoints.length)
  })

  it('survives twenty kills at random moments of a crawl of 500 pages with a concurrent batch', async () => {
    const walk = await killAtRandom({ pages: 500, kills: 20, seed: 7 })
    report('embedded store, random moments', walk)
    expect(walk).toEqual({ kills: 20, jobs: 2, faults: [] })
  })
})
