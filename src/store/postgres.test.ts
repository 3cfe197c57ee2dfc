import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { type TestPostgres, testPostgres } from '../../test/postgres.ts'
import { type Sessions, postgresSessions } from '../../test/postgres-sessions.ts'
import { postgresWay } from '../../test/postgres-way.ts'
import { restored } from '../../test/restored.ts'
import { type Built, builtStore } from './contract/built.contract.ts'
import { crashWalk } from './contract/crash.contract.ts'
import { storeContract } from './contract/store.contract.ts'
import { StoreAway, StoreFault } from '../domain/errors.ts'
import { openStore } from './index.ts'
import { versions } from './ops/versions.ts'
import { listening } from './postgres/listen.ts'
import { render, type Value } from './sql.ts'

let server: TestPostgres
let built: Built
let sessions: Sessions
let url = ''
/** A database with the schema, which is restored for each test: creating one takes ten times as long as most tests. */
let used = ''
let empty: () => Promise<void>

/**
 * The URL of an empty database, which replaces the last one: hundreds of them would take gigabytes, and minutes to
 * write and remove.
 */
async function fresh(): Promise<string> {
  if (url !== '' && new URL(url).pathname !== new URL(used).pathname) await server.drop(url)
  return (url = await server.database())
}

/** The URL of the one database with the schema and no rows. */
async function emptied(): Promise<string> {
  await empty()
  return (url = used)
}

beforeAll(async () => {
  server = await testPostgres()
  built = await builtStore()
  used = await server.database()
  await (await openStore({ kind: 'postgres', url: used })).close()
  sessions = await postgresSessions(used)
  empty = await restored(used, sessions.through(used))
})
afterAll(async () => {
  await sessions.close()
  await server.dispose()
})

storeContract('postgres', {
  open: async () => openStore({ kind: 'postgres', url: sessions.through(await emptied()) }),
  another: () => openStore({ kind: 'postgres', url: sessions.through(url) }),
})

crashWalk('postgres', {
  url: () => built.url,
  fresh: async () => ({ kind: 'postgres', url: await emptied() }),
  reopen: () => openStore({ kind: 'postgres', url }),
})

const at = 1_000

async function query(text: string, values: readonly Value[] = []): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, [...values])).rows
  } finally {
    await client.end()
  }
}

describe('the Postgres store', () => {
  it('creates its schema once when several processes start together', async () => {
    await fresh()
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ kind: 'postgres', url })))
    await stores[0]?.accounts.ensureTeam('a', 1, at)
    expect(await stores[3]?.accounts.teams()).toEqual([{ id: 'a', createdAt: at, creditsGranted: 1 }])
    await Promise.all(stores.map((store) => store.close()))
  })

  it('keeps the leases of other processes until they expire', async () => {
    await fresh()
    const first = await openStore({ kind: 'postgres', url })
    await first.queue.push([{ id: 't', team: 'a', kind: 'scrape', priority: 0, runAt: at, payload: '', maxAttempts: 2, createdAt: at }])
    const [taken] = await first.queue.take('w', ['scrape'], 1, 100, at)
    const second = await openStore({ kind: 'postgres', url })
    expect(await second.queue.depth()).toEqual({ waiting: 0, leased: 1 })
    expect(await first.queue.done('t', taken?.token ?? '', '', at)).toBe(true)
    await Promise.all([first.close(), second.close()])
  })

  it('refuses a database of a newer version', async () => {
    await fresh()
    await (await openStore({ kind: 'postgres', url })).close()
    await query(`insert into migrations values (999, 'from-the-future', 'x', 0)`)
    await expect(openStore({ kind: 'postgres', url })).rejects.toThrow('The database was written by a newer version of this program (schema 999, from-the-future); start that version instead.')
  })

  it('survives lost connections, including the one for notifications', async () => {
    await fresh()
    const store = await openStore({ kind: 'postgres', url })
    await store.accounts.ensureTeam('a', 1, at)
    let changes = 0
    const stop = store.queue.onChange(() => changes++)
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    const teams = async (): Promise<unknown> => store.accounts.teams().catch(() => store.accounts.teams())
    expect(await teams()).toEqual([{ id: 'a', createdAt: at, creditsGranted: 1 }])
    const before = changes
    await expect.poll(() => changes, { timeout: 3_000 }).toBeGreaterThan(before)
    stop()
    await store.close()
  })

  it('reads no more versions than it lists pages, however many were tracked, and however often', async () => {
    await emptied()
    for (const [pages, times] of [[20_000, 1], [100, 200]]) {
      await query(`truncate versions; insert into versions (team, page, number, id, url, at, status, blob, frame, head, body, bytes, asked, read)
        select 'a', 'p' || (i / ${times}), i % ${times}, 'v' || i, 'https://site/' || (i / ${times}), 1, 'same', 'b', '${'f'.repeat(500)}', '{}', 'b', 1, '', '' from generate_series(0, ${pages} * ${times} - 1) as n(i)`)
      const listing = versions.tracked({ team: 'a', tag: null, prefix: 'https://site/', after: 'https://site/5', limit: 20 }).next([])
      if (listing.done) throw new Error('a statement')
      const { text, values } = render(listing.value, 'postgres')
      const [row] = await query(`explain (analyze, buffers, format json) ${text}`, values)
      const buffers = [...JSON.stringify(row).matchAll(/"Shared (?:Hit|Read) Blocks":(\d+)/g)].slice(0, 2).reduce((sum, [, blocks]) => sum + Number(blocks), 0)
      expect([pages, times, buffers < 600]).toEqual([pages, times, true])
    }
  })

  it('opens a limited number of connections, however many calls run at once', async () => {
    await fresh()
    const store = await openStore({ kind: 'postgres', url, maxConnections: 3 })
    await Promise.all(Array.from({ length: 30 }, () => store.accounts.teams()))
    expect(await query(`select count(*) as count from pg_stat_activity where datname = current_database() and application_name = 'trawl'`)).toEqual([{ count: '3' }])
    await store.close()
  })

  it('waits a while when the server accepts no more connections, and reports then that it is unavailable', async () => {
    await fresh()
    await query('drop role if exists few')
    await query('create role few login connection limit 1')
    await query('grant create, usage on schema public to few')
    const limited = url.replace('trawl@', 'few@')
    const hog = new Client({ connectionString: limited })
    await hog.connect()
    await expect(openStore({ kind: 'postgres', url: limited })).rejects.toBeInstanceOf(StoreAway)
    const [store] = await Promise.all([openStore({ kind: 'postgres', url: limited, maxConnections: 2 }), hog.end()])
    // The second connection is refused: calls wait for it, and are served once the server accepts it.
    const asked = Promise.all(Array.from({ length: 5 }, () => store.accounts.teams()))
    await query('alter role few connection limit 5')
    expect(await asked).toEqual([[], [], [], [], []])
    // An error of a statement does not count as an error of the connection.
    await query('revoke all on teams from few; alter table teams owner to trawl')
    const refused: unknown = await store.accounts.teams().catch((error: unknown) => error)
    expect([refused instanceof StoreFault, refused instanceof StoreAway]).toEqual([true, false])
    await store.close()
  })

  it('receives notifications again after its listening connection was lost', async () => {
    await fresh()
    let heard = 0
    const ears = listening(() => new Client({ connectionString: url }), () => heard++)
    ears.start()
    await expect.poll(() => heard, { timeout: 3_000 }).toBe(1)
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    // Once for the gap, in which a notification may have been lost.
    await expect.poll(() => heard, { timeout: 3_000 }).toBe(2)
    await query(`select pg_notify('trawl_queue', '')`)
    await expect.poll(() => heard, { timeout: 3_000 }).toBe(3)
    await ears.close()
  })

  it('receives notifications again after its listening connection fell silent', async () => {
    const sent = await fresh()
    const way = await postgresWay(sent)
    let [heard, connections] = [0, 0]
    way.fault = (statement) => (statement === 'select 1' && connections === 1 ? 'silent' : undefined)
    const ears = listening(() => {
      connections++
      return new Client({ connectionString: way.url, query_timeout: 100 })
    }, () => heard++, 20)
    ears.start()
    // Once for the gap, in which a notification may have been lost.
    await expect.poll(() => heard, { timeout: 3_000 }).toBe(2)
    await query(`select pg_notify('trawl_queue', '')`)
    await expect.poll(() => [heard, connections], { timeout: 3_000 }).toEqual([3, 2])
    await ears.close()
    await way.close()
  })

  it('rejects while the server is down, including pings, and works again when it is back', async () => {
    await fresh()
    const store = await openStore({ kind: 'postgres', url })
    await store.ping()
    await server.stop()
    await expect(store.ping()).rejects.toThrow()
    await expect(store.accounts.ensureTeam('a', 1, at)).rejects.toThrow()
    await server.start()
    await expect.poll(() => store.ping().then(() => 'up', () => 'down'), { timeout: 5_000 }).toBe('up')
    expect(await store.accounts.teams()).toEqual([])
    await store.close()
  })

  it('rejects opening without a server', async () => {
    await expect(openStore({ kind: 'postgres', url: 'postgres://trawl@localhost/x?host=/nonexistent' })).rejects.toThrow()
  })
})
