import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPostgres, type TestPostgres } from '../postgres.ts'
import { killAtRandom, walkCommits } from './kill.ts'

/** A crawl of 30 pages makes fewer commits than this. */
const enough = 2_000
const hourMs = 3_600_000
const points = Array.from({ length: enough }, (_, i) => i + 1)

function report(what: string, walk: { readonly kills: number; readonly jobs: number }): void {
  process.stdout.write(`${what}: ${walk.kills} kills, ${walk.jobs} jobs whole\n`)
}

describe('every commit in turn (R12)', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await testPostgres({ durable: true })
  })
  afterAll(() => postgres.dispose())

  it('on the embedded store', { timeout: hourMs }, async () => {
    const walk = await walkCommits({ pages: 30, points })
    report('embedded store, each commit', walk)
    expect(walk.faults).toEqual([])
    expect(walk.kills).toBeGreaterThan(30)
    expect(walk.kills).toBeLessThan(enough)
  })

  it('on Postgres', { timeout: hourMs }, async () => {
    const walk = await walkCommits({ databaseUrl: await postgres.database(), pages: 30, points })
    report('Postgres, each commit', walk)
    expect(walk.faults).toEqual([])
    expect(walk.kills).toBeGreaterThan(30)
    expect(walk.kills).toBeLessThan(enough)
  })

  it('twenty random moments of a crawl of 500 pages beside a batch, on both', { timeout: hourMs }, async () => {
    for (const databaseUrl of [undefined, await postgres.database()]) {
      const walk = await killAtRandom({ ...(databaseUrl === undefined ? {} : { databaseUrl }), pages: 500, kills: 20, seed: 7 })
      report(databaseUrl === undefined ? 'embedded store, random moments' : 'Postgres, random moments', walk)
      expect(walk.faults).toEqual([])
    }
  })
})
