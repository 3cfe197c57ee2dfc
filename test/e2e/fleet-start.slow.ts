import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from 'pg'
import { type TestPostgres, testPostgres } from '../postgres.ts'
import { startTrawl } from '../service.ts'

let postgres: TestPostgres
beforeAll(async () => void (postgres = await testPostgres()))
afterAll(() => postgres.dispose())

it('a process waits at its start for another that upgrades the schema, longer than any other statement may take', async () => {
  const url = await postgres.database()
  const other = new Client({ connectionString: url })
  await other.connect()
  await other.query(`begin; select pg_advisory_xact_lock(hashtextextended('trawl migrations', 0))`)
  const [service] = await Promise.all([startTrawl({ args: ['--roles', 'worker'], settings: { TRAWL_DATABASE_URL: url, TRAWL_CHROMIUM_PATH: '/none' } }), other.query('select pg_sleep(28); rollback')])
  expect(await service.stop()).toBe(0)
  await other.end()
}, 120_000)
