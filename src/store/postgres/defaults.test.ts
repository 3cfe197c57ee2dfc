import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Client, Pool } from 'pg'
import { type TestPostgres, testPostgres } from '../../../test/postgres.ts'
import type { Store } from '../../domain/store.ts'
import { now } from '../contract/fixtures.contract.ts'
import { pageEnd, start, takeOne } from '../contract/jobs-fixtures.contract.ts'
import { openStore } from '../index.ts'
import { first } from '../op.ts'
import { sql } from '../sql.ts'
import { poolRunner } from './runner.ts'

let server: TestPostgres
beforeAll(async () => void (server = await testPostgres()))
afterAll(() => server.dispose())

/** The store on a database with this default, and another client of it. */
async function storeWith(setting: string, value: string): Promise<{ readonly store: Store; readonly other: Client }> {
  const url = await server.database()
  const other = new Client({ connectionString: url })
  await other.connect()
  await other.query(`alter database "${new URL(url).pathname.slice(1)}" set ${setting} = '${value}'`)
  const store = await openStore({ kind: 'postgres', url })
  onTestFinished(async () => {
    await store.close()
    await other.end()
  })
  return { store, other }
}

describe('a database whose defaults are not those of Postgres', () => {
  it.each(['repeatable read', 'serializable'])('of isolation %s reserves no more credits than there are', async (isolation) => {
    const { store } = await storeWith('default_transaction_isolation', isolation)
    await store.accounts.ensureTeam('a', 10, now)
    const holds = await Promise.all(Array.from({ length: 16 }, (_, i) => store.ledger.hold({ team: 'a' }, `h${i}`, 3, now + 9_000, now)))
    expect(holds.filter((hold) => hold !== null)).toHaveLength(3)
  })

  it('of a short wait for locks ends a page whose job is locked for longer', async () => {
    const { store, other } = await storeWith('lock_timeout', '5ms')
    await start(store, 'held', { pages: ['a'] })
    const task = await takeOne(store)
    await other.query(`begin; select id from jobs where id = 'held' for update`)
    const settled = store.jobs.settle(pageEnd(task)).catch((error: unknown) => error)
    await other.query('select pg_sleep(0.5); commit')
    expect(await settled).toBe('settled')
  })

  it('of no limit for statements ends one that waits after twenty seconds', async () => {
    const { other } = await storeWith('statement_timeout', '0')
    const pool = new Pool({ host: other.host, port: other.port, user: other.user ?? '', database: other.database ?? '' })
    onTestFinished(() => pool.end())
    expect(await poolRunner(pool).transaction(() => first(sql`show statement_timeout`))).toEqual({ statement_timeout: '20s' })
  })
})
