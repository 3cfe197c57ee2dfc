import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testPostgres, type TestPostgres } from '../postgres.ts'
import { walkCommits } from '../torture/commits.ts'
import { killAtRandom } from '../torture/random.ts'

// A sample: `npm run torture` kills at every commit.

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await testPostgres({ durable: true })
})
afterAll(() => postgres.dispose())

describe.concurrent('R12 a service that is killed at a commit loses, repeats and invents nothing', () => {
  it('R12 on the embedded store', async () => {
    expect(await walkCommits({ pages: 12, points: [1, 3, 8, 19], lanes: 2 })).toMatchObject({ kills: 4, faults: [] })
  }, 240_000)

  it('R12 on Postgres', async () => {
    expect(await walkCommits({ database: postgres.database, pages: 12, points: [1, 5, 12], lanes: 3 })).toMatchObject({ kills: 3, faults: [] })
  }, 240_000)

  it('R12 nor when it is killed at any other moment, with two jobs running', async () => {
    expect(await killAtRandom({ pages: 60, kills: 3, seed: 11 })).toEqual({ kills: 3, jobs: 2, faults: [] })
  }, 240_000)
})
