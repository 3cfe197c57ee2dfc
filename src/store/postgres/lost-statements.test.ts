import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type TestPostgres, testPostgres } from '../../../test/postgres.ts'
import { type PostgresWay, postgresWay, type WayFault } from '../../../test/postgres-way.ts'
import { StoreAway } from '../../domain/errors.ts'
import type { PageEnd } from '../../domain/jobs/pages.ts'
import type { Store } from '../../domain/store.ts'
import { now } from '../contract/fixtures.contract.ts'
import { counts, hook, newPage, pageEnd, start, takeOne } from '../contract/jobs-fixtures.contract.ts'
import { openStore } from '../index.ts'

let server: TestPostgres
let way: PostgresWay
let store: Store
beforeAll(async () => void (server = await testPostgres()))
afterAll(() => server.dispose())
beforeEach(async () => {
  way = await postgresWay(await server.database())
  store = await openStore({ kind: 'postgres', url: way.url })
  onTestFinished(async () => {
    await store.close()
    await way.close()
  })
})

/** Ends a page while one statement has this fault; returns the statement, if there were that many. */
async function settledWith(end: PageEnd, fault: WayFault, number: number): Promise<{ readonly statement: string | null; readonly outcome: string }> {
  let [seen, faulty]: [number, string | null] = [0, null]
  way.fault = (statement) => {
    if (++seen !== number) return undefined
    faulty = statement
    return fault
  }
  const outcome = await store.jobs.settle(end).catch((error: unknown) => (error instanceof StoreAway ? 'away' : Promise.reject(error)))
  way.fault = () => undefined
  return { statement: faulty, outcome }
}

it.each<WayFault>(['lost', 'answer-lost'])('a page ends once, whichever of its statements is %s', async (fault) => {
  const outcomes: string[] = []
  for (let number = 1; ; number++) {
    const id = `${number}`
    await start(store, id, { pages: ['a'], job: { webhook: hook } })
    const end = pageEnd(await takeOne(store), undefined, { pages: [newPage('b')] })
    const { statement, outcome } = await settledWith(end, fault, number)
    // Whoever does not know what became of a commit ends the page again: either nothing was written, or the page is no longer theirs.
    const then = outcome === 'away' ? await store.jobs.settle(end) : outcome
    outcomes.push(`${statement === 'commit' ? 'commit: ' : ''}${outcome}, ${then}`)
    expect([await counts(store, id), (await store.jobs.events(id, 0, 9)).length]).toMatchObject([{ total: 2, completed: 1, creditsUsed: 1, lastEvent: 2 }, 2])
    await store.jobs.cancel(id, `${id}-end`, now)
    if (statement === null) break
  }
  expect(new Set(outcomes)).toEqual(new Set(['settled, settled', fault === 'lost' ? 'commit: away, settled' : 'commit: away, lost']))
  expect(outcomes.length).toBeGreaterThan(5)
}, 60_000)
