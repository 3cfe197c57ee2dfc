import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { caching, entry, now, task } from './contract/fixtures.contract.ts'
import { counts, failed, hook, newPage, pageEnd, start, take, takeOne } from './contract/jobs-fixtures.contract.ts'
import { storeContract } from './contract/store.contract.ts'
import { openStore } from './index.ts'
import { openDatabase } from './sqlite/driver.ts'
import { inlineWriter } from './sqlite/writer.ts'

const folders: string[] = []
const folder = async (): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'trawl-store-'))
  folders.push(made)
  return made
}
afterAll(() => Promise.all(folders.map((path) => rm(path, { recursive: true }))))

let dataDir = ''
storeContract('sqlite', {
  open: async () => openStore({ kind: 'sqlite', dataDir: (dataDir = await folder()) }),
  another: () => openStore({ kind: 'sqlite', dataDir, admin: true }),
})

it('lists all pages of a job whose cancellation was interrupted, as after it is resumed', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  await start(first, 'j', { job: { limit: 9_000 }, pages: Array.from({ length: 1_500 }, (_, i) => `p${i}`) })
  await first.jobs.append('j', [], [{ url: 'https://site/late', key: 'late', reason: 'depth' }, { url: 'https://site/x', reason: 'excluded' }], now)
  await first.jobs.append('j', [newPage('late'), newPage('last'), newPage('p1', { url: 'https://site/p1/' })], [], now)
  await first.close()
  // As after the step that ends the job, before any page is skipped.
  const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  database.exec("update jobs set state = 'cancelled'")
  database.close()
  const second = await openStore({ kind: 'sqlite', dataDir: dir })
  const all = await second.jobs.skipped('j', { after: 0, limit: 9_000 })
  expect([all.length, all.filter(({ reason }) => reason === 'cancelled').length]).toEqual([1_504, 1_502])
  expect(await second.jobs.cancel('j', 'end', now)).toBe('cancelled')
  expect(await second.jobs.skipped('j', { after: 0, limit: 9_000 })).toEqual(all)
  await second.close()
})

it('does not index a page again that says the same', async () => {
  const dir = await folder()
  const store = await openStore({ kind: 'sqlite', dataDir: dir })
  const put = async (id: string, body: string): Promise<readonly unknown[]> => {
    const settlement = caching(entry(id, { key: 'k' }))
    const page = { url: 'https://example.com/', title: '', description: '', language: 'en', publishedAt: null, image: null, terms: { title: '', headings: '', address: '', pictures: '', body }, scopes: [] }
    await store.results.settle({ ...settlement, cache: settlement.cache && { ...settlement.cache, search: page } })
    const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
    const blocks = database.prepare('select hex(block) as block from search_terms_data order by id').all()
    database.close()
    return blocks
  }
  const first = await put('a', 'harbour')
  expect(await put('b', 'harbour')).toEqual(first)
  expect(await put('c', 'tide')).not.toEqual(first)
  await store.close()
})

it('lets others write during a large addition', async () => {
  const store = await openStore({ kind: 'sqlite', dataDir: await folder() })
  await start(store, 'j', { job: { kind: 'batch', limit: 1 } })
  const appending = store.jobs.append('j', Array.from({ length: 15_000 }, (_, i) => newPage(`n${i}`)), [], now)
  await store.slots.acquire('b', 'request', 20, now + 1_000, now)
  expect((await store.jobs.find('j'))?.total).toBeLessThan(15_001)
  expect([await appending, (await store.jobs.find('j'))?.total]).toEqual([true, 15_001])
  await store.close()
})

it('reads no more of the activity of a team than it answers, however busy the team is', async () => {
  const dir = await folder()
  const store = await openStore({ kind: 'sqlite', dataDir: dir })
  const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  /** CPU time in microseconds, the best of three. */
  const costWith = async (count: number): Promise<number> => {
    database.exec(`delete from results; with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      insert into results (id, team, kind, blob, request, created_at, expires_at) select 'r' || i, 'a', 'scrape', 'b', '{"url":"https://site/"}', ${now} + i, 0 from n`)
    const runs: number[] = []
    for (let run = 0; run < 3; run++) {
      const before = process.cpuUsage()
      expect(await store.teams.activity('a', { since: now, limit: 50 })).toHaveLength(50)
      runs.push(process.cpuUsage(before).user)
    }
    return Math.min(...runs)
  }
  const few = await costWith(2_000)
  expect((await costWith(64_000)) / Math.max(few, 1_000)).toBeLessThan(8)
  database.close()
  await store.close()
})

it('reads no more versions than it lists pages, however many were tracked, and however often', async () => {
  const dir = await folder()
  const store = await openStore({ kind: 'sqlite', dataDir: dir })
  const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  /** CPU time in microseconds, the best of three. */
  const costWith = async (pages: number, times: number): Promise<number> => {
    database.exec(`delete from versions; with recursive n (i) as (select 0 union all select i + 1 from n where i < ${pages * times - 1})
      insert into versions (team, page, number, id, url, at, status, blob, frame, head, body, bytes, asked, read)
      select 'a', 'p' || (i / ${times}), i % ${times}, 'v' || i, 'https://site/' || (i / ${times}), ${now}, 'same', 'b', '{}', '{}', 'b', 1, '', '' from n`)
    const runs: number[] = []
    for (let run = 0; run < 3; run++) {
      const before = process.cpuUsage()
      for (const after of ['', 'https://site/5']) expect(await store.versions.tracked({ team: 'a', tag: null, prefix: 'https://site/', after, limit: 20 })).toHaveLength(20)
      runs.push(process.cpuUsage(before).user)
    }
    return Math.min(...runs)
  }
  const few = Math.max(await costWith(100, 1), 1_000)
  expect((await costWith(25_600, 1)) / few).toBeLessThan(8)
  expect((await costWith(100, 256)) / few).toBeLessThan(8)
  database.close()
  await store.close()
})

it('keeps the newest ten thousand feedbacks of each team', async () => {
  const dir = await folder()
  const store = await openStore({ kind: 'sqlite', dataDir: dir })
  const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  for (const team of ['a', 'b']) {
    database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 10002)
      insert into feedback (id, team, at, endpoint, rating, body) select '${team}' || i, '${team}', ${now} + i, 'search', 'good', '{}' from n`)
  }
  await store.teams.addFeedback({ id: 'newest', team: 'a', at: now + 20_000, endpoint: 'search', rating: 'bad', body: '{}' })
  const kept = await store.teams.feedback(99_999)
  const [own, others] = ['a', 'b'].map((team) => kept.filter((one) => one.team === team).map(({ id }) => id))
  expect([own?.length, own?.[0], own?.at(-1), others?.length]).toEqual([10_000, 'newest', 'a4', 10_002])
  database.close()
  await store.close()
})

it('lets others write during a large eviction', async () => {
  const store = await openStore({ kind: 'sqlite', dataDir: await folder() })
  const keys = Array.from({ length: 1_100 }, (_, i) => `p${i}`)
  await Promise.all(keys.map((key, i) => store.results.settle(caching(entry(`e-${key}`, { key, fetchedAt: now + i })))))
  const isThere = async (): Promise<boolean> => (await store.cache.find({ team: 'a', key: 'p1099' }, 0, now + 9_000, 'markdown', now)) !== null
  const evicting = store.cache.evict(0)
  await store.slots.acquire('b', 'first', 20, now + 1_000, now)
  await store.slots.acquire('b', 'second', 20, now + 1_000, now)
  expect([await isThere(), await evicting, await isThere()]).toEqual([true, 1_100, false])
  await store.close()
})

it('runs what was postponed by a clock that was ahead, and leaves other waiting work alone', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  await start(first, 'j', { job: { kind: 'batch', webhook: hook }, pages: ['a', 'b'] })
  await first.queue.push([task('t')])
  await first.close()
  const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  database.exec("update job_pages set run_at = run_at + 300000 where key = 'b'")
  database.close()
  const back = now - 3 * 3_600_000
  const second = await openStore({ kind: 'sqlite', dataDir: dir, now: back })
  expect((await take(second, 9, {}, back)).map(({ key }) => key)).toEqual(['a', 'b'])
  expect((await second.queue.take('w', ['scrape'], 9, 1_000, back)).map(({ id }) => id)).toEqual(['t'])
  expect(await second.outbox.next()).toBe(back)
  await second.close()
})

it('gives free what a former process held: places of its teams and profiles', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  const profile = { team: 'a', name: 'p' }
  expect([await first.slots.acquire('a', 'h', 1, now + 60_000, now), await first.profiles.lock(profile, 'x', now + 60_000, now)]).toEqual([true, true])
  await first.profiles.save(profile, 'x', { blob: 'state', bytes: 1, savedAt: now }, { profiles: 9, bytes: 99 })
  await first.close()
  const second = await openStore({ kind: 'sqlite', dataDir: dir, now })
  expect([await second.slots.inUse('a', now), await second.slots.acquire('a', 'i', 1, now + 60_000, now), await second.profiles.lock(profile, 'y', now + 60_000, now)]).toEqual([0, true, true])
  expect([await second.profiles.renew(profile, 'x', now + 90_000), await second.profiles.find(profile)]).toEqual([false, { blob: 'state', bytes: 1, savedAt: now }])
  await second.close()
})

it('keeps a delivery that was tried waiting over a restart, however late its next try', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  await start(first, 'j', { job: { kind: 'batch', webhook: hook } })
  const [delivery] = await first.outbox.take({ worker: 'w', limit: 1, perReceiver: 1, leaseMs: 1_000 }, now)
  if (delivery === undefined) throw new Error('one delivery')
  const later = now + 30 * 86_400_000
  await first.outbox.attempted(delivery, { kind: 'again', runAt: later, reason: 'status 500' }, now)
  await first.close()
  const second = await openStore({ kind: 'sqlite', dataDir: dir, now })
  expect((await second.outbox.list({ limit: 9 })).map(({ runAt }) => runAt)).toEqual([later])
  await second.close()
})

it('keeps a page waiting over a restart for as long as its site asked', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  await start(first, 'j')
  await first.jobs.giveBack(await takeOne(first), { runAt: now + 600_000, postponed: true }, now)
  await first.close()
  const second = await openStore({ kind: 'sqlite', dataDir: dir, now })
  expect([await take(second, 9, {}, now + 599_999), (await take(second, 9, {}, now + 600_000)).length]).toEqual([[], 1])
  await second.close()
})

it('lets tasks and deliveries wait over a restart that were put off, and makes due what a clock that was ahead has put off', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  const never = now + 30 * 86_400_000
  await first.queue.push([task('soon', { runAt: now + 60_000 }), task('ahead', { runAt: never })])
  for (const id of ['soon', 'ahead']) await start(first, id, { job: { kind: 'batch', webhook: { ...hook, url: `https://${id}.example/` } } })
  for (const delivery of await first.outbox.take({ worker: 'w', limit: 9, perReceiver: 9, leaseMs: 1_000 }, now)) {
    await first.outbox.attempted(delivery, { kind: 'again', counted: false, runAt: delivery.job.id === 'soon' ? now + 60_000 : never, reason: 'not read' }, now)
  }
  await first.close()
  const second = await openStore({ kind: 'sqlite', dataDir: dir, now })
  expect((await second.queue.take('w', ['scrape'], 9, 1, now)).map(({ id }) => id)).toEqual(['ahead'])
  expect((await second.outbox.list({ limit: 9 })).map(({ job, runAt }) => [job, runAt]).sort()).toEqual([['ahead', now], ['soon', now + 60_000]])
  await second.close()
})

it('does not end a batch while a part of an addition is missing, and accepts the rest of it', async () => {
  const dir = await folder()
  const first = await openStore({ kind: 'sqlite', dataDir: dir })
  await start(first, 'j', { job: { kind: 'batch', limit: 1 }, pages: ['a'] })
  await first.close()
  // As after a process that died before the second part.
  const writer = inlineWriter(join(dir, 'trawl.db'))
  await writer.run('jobs.append', ['j', { pages: [newPage('b'), newPage('c')], skipped: [], place: 'before-more' }, now])
  await writer.close()
  const second = await openStore({ kind: 'sqlite', dataDir: dir, now })
  const fetched = async (at: number): Promise<readonly string[]> => {
    const tasks = await take(second, 9, {}, at)
    for (const task of tasks) await second.jobs.settle(pageEnd(task))
    return tasks.map(({ key }) => key)
  }
  expect([await fetched(now), await counts(second, 'j')]).toMatchObject([['a', 'b'], { state: 'scraping', total: 3, completed: 2 }])
  expect(await second.jobs.append('j', ['b', 'c', 'd'].map((key) => newPage(key)), [], now)).toBe(true)
  expect([await fetched(now), await fetched(now + 60_000)]).toEqual([['d'], ['c']])
  expect(await counts(second, 'j')).toMatchObject({ state: 'completed', total: 4, completed: 4 })
  await second.close()
})

it.each(['deleted', 'swept'] as const)('leaves nothing of a job with zero retention in any file once it is %s, though no result was stored', async (how) => {
  const dir = await folder()
  const store = await openStore({ kind: 'sqlite', dataDir: dir })
  const isThere = async (): Promise<boolean> => (await Promise.all(['trawl.db', 'trawl.db-wal'].map((name) => readFile(join(dir, name))))).some((bytes) => bytes.includes('telling-address'))
  await start(store, 'j', { job: { kind: 'batch', limit: 1, retention: 'zero' }, pages: ['telling-address'] })
  const page = await takeOne(store)
  await store.jobs.settle(pageEnd(page, failed(page)))
  const before = await isThere()
  if (how === 'deleted') await store.jobs.erase('j')
  else await store.sweep(now + 3_600_000)
  expect([before, await isThere()]).toEqual([true, false])
  await store.close()
})

it('leaves no row of a removed team in any table, whatever tables there are', async () => {
  const dir = await folder()
  await (await openStore({ kind: 'sqlite', dataDir: dir })).close()
  const database = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  const ask = (text: string): readonly Record<string, unknown>[] => database.prepare(text).all()
  const ofTeams = ask(`select t.name from pragma_table_list t where t.type = 'table' and exists (select 1 from pragma_table_info(t.name) c where c.name = 'team') order by 1`).map(({ name }) => String(name))
  database.exec('pragma foreign_keys = off; pragma ignore_check_constraints = on')
  for (const team of ['a', 'b']) {
    database.exec(`insert into teams (id, created_at) values ('${team}', 1)`)
    for (const table of ofTeams) {
      const columns = ask(`select name, type from pragma_table_info('${table}')`)
      const value = ({ name, type }: Record<string, unknown>): string => (name !== 'team' && type === 'INTEGER' ? String(team === 'a' ? 1 : 2) : `'${team}'`)
      database.exec(`insert into ${table} (${columns.map(({ name }) => String(name)).join(', ')}) values (${columns.map(value).join(', ')})`)
    }
  }
  database.close()
  const store = await openStore({ kind: 'sqlite', dataDir: dir, admin: true })
  await store.removal.remove('a')
  await store.close()
  const after = openDatabase(join(dir, 'trawl.db'), { timeout: 1_000 })
  expect(ofTeams.length).toBeGreaterThan(15)
  for (const table of ofTeams) expect([table, after.prepare(`select team from ${table}`).all()]).toEqual([table, [{ team: 'b' }]])
  after.close()
})
