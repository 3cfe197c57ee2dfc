import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPostgres, type TestPostgres } from '../postgres.ts'
import { walkCommits } from './commits.ts'
import { killAtRandom } from './random.ts'
import { allPoints, report } from './report.ts'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await testPostgres({ durable: true })
})
afterAll(() => postgres.dispose())

describe('the service on Postgres (R12)', () => {
  it('survives a kill at every commit of a crawl of 30 pages', async () => {
    // The leases of deliveries of a dead process expire after a quarter of a minute: other lanes use that time.
    const walk = await walkCommits({ database: postgres.database, pages: 30, points: allPoints, lanes: 8 })
    report('Postgres, every commit', walk)
    expect(walk.faults).toEqual([])
    expect(walk.kills).toBeGreaterThan(30)
    expect(walk.kills).toBeLessThan(allPoints.length)
  })

  it('survives twenty kills at random moments of a crawl of 500 pages with a concurrent batch', async () => {
    const walk = await killAtRandom({ database: postgres.database, pages: 500, kills: 20, seed: 7 })
    report('Postgres, random moments', walk)
    expect(walk).toEqual({ kills: 20, jobs: 2, faults: [] })
  })
})
