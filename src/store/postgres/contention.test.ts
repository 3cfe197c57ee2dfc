import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Client } from 'pg'
import { type TestPostgres, testPostgres } from '../../../test/postgres.ts'
import { postgresWay } from '../../../test/postgres-way.ts'
import type { PageTask } from '../../domain/jobs/pages.ts'
import type { Store } from '../../domain/store.ts'
import { caching, entry, now } from '../contract/fixtures.contract.ts'
import { counts, newJob, newPage, pageEnd, start, take, takeOne } from '../contract/jobs-fixtures.contract.ts'
import { openStore } from '../index.ts'

let server: TestPostgres
/** A database with the schema and no rows: copying it is much faster than creating one. */
let ready: string
let url: string
let store: Store
let other: Client
beforeAll(async () => {
  server = await testPostgres()
  ready = await server.database()
  await (await openStore({ kind: 'postgres', url: ready })).close()
})
afterAll(() => server.dispose())
beforeEach(async () => {
  url = await server.database(ready)
  store = await openStore({ kind: 'postgres', url })
  other = new Client({ connectionString: url })
  await other.connect()
})
afterEach(async () => {
  await other.end()
  await store.close()
})

const pages = Array.from({ length: 40 }, (_, i) => `p${i}`)
const begin = (id: string, team: string): Promise<void> => start(store, id, { pages, job: { team, limit: 1_000, maxConcurrency: 1_000 } })
const jobsOf = (tasks: readonly PageTask[]): readonly string[] => tasks.map((task) => task.job).sort()

/** The result of a promise, and its duration in milliseconds. */
async function timed<T>(work: Promise<T>): Promise<{ readonly answer: T; readonly ms: number }> {
  const started = performance.now()
  const answer = await work
  return { answer, ms: performance.now() - started }
}

/** Runs the work while the row of a job is always locked by some transaction. */
async function whileTaken(job: string, work: () => Promise<unknown>): Promise<void> {
  const over = new AbortController()
  const hogs = Array.from({ length: 3 }, async () => {
    const hog = new Client({ connectionString: url })
    await hog.connect()
    while (!over.signal.aborted) await hog.query(`begin; select id from jobs where id = '${job}' for update; select pg_sleep(0.01); commit`)
    await hog.end()
  })
  try {
    await work()
  } finally {
    over.abort()
    await Promise.all(hogs)
  }
}

/** The answer of work that waits for a lock, all of whose connections end while it does, also those that it opens to try again. */
async function cutOff<T>(work: Promise<T>): Promise<T> {
  let over = false
  const end = (): void => void (over = true)
  void work.then(end, end)
  await expect.poll(async () => {
    // In an open transaction, the same activity is shown again and again otherwise.
    await other.query("select pg_stat_clear_snapshot(); select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
    return over
  }).toBe(true)
  return work
}

/** Far longer than anything takes here that does not wait, in milliseconds. */
const soon = 1_000

it('credits are reserved while charges of the same team are being written', async () => {
  await store.accounts.ensureTeam('a', 10, now)
  await other.query(`begin; insert into ledger (team, ref, kind, credits, at) values ('a', 'r', 'scrape', 1, 0)`)
  const { answer, ms } = await timed(store.ledger.hold({ team: 'a' }, 'h', 10, now + 1_000, now))
  expect([answer?.ref, ms < soon]).toEqual(['h', true])
  await other.query('commit')
  // Reservations do not run concurrently: each sees the others.
  const holds = await Promise.all(Array.from({ length: 8 }, (_, i) => store.ledger.hold({ team: 'a' }, `h${i}`, 3, now + 9_000, now + 1_000)))
  expect(holds.filter((hold) => hold !== null)).toHaveLength(3)
})

describe('a job whose row is locked by another transaction', () => {
  it('delays nobody else: not its team, not its requests, not the last free slot', async () => {
    await begin('held', 'a')
    await begin('beside', 'a')
    await begin('else', 'b')
    await other.query(`begin; select id from jobs where id = 'held' for update`)
    const one = await timed(take(store, 1))
    expect([jobsOf(one.answer), one.ms < soon]).toEqual([['beside'], true])
    const two = await timed(take(store, 4, { worker: 'v' }))
    expect([jobsOf(two.answer), two.ms < soon]).toEqual([['beside', 'beside', 'else', 'else'], true])
    expect((await timed(store.slots.acquire('a', 'request', 20, now + 1_000, now))).ms).toBeLessThan(soon)
    await other.query('commit')
    expect(jobsOf(await take(store, 1))).toEqual(['held'])
  })

  it('does not delay the search for pages of dead workers, and its own are found when it is free', async () => {
    await start(store, 'held', { pages: ['a'] })
    await start(store, 'beside', { pages: ['b', 'c'] })
    // Three workers died with pages of both jobs in flight: any of these may have been the cause.
    for (let died = 0; died < 3; died++) {
      const at = now + died * 2_000
      expect(jobsOf(await take(store, 9, { worker: `dead${died}` }, at))).toEqual(['beside', 'beside', 'held'])
      await other.query(`begin; select id from jobs where id = 'held' for update`)
      const found = await timed(take(store, 9, { worker: `finder${died}` }, at + 1_500))
      expect([jobsOf(found.answer), found.ms < soon]).toEqual([['beside', 'beside'], true])
      for (const { job, seq, token } of found.answer) await store.jobs.giveBack({ job, seq, token }, { runAt: at + 1_500, postponed: false }, at + 1_500)
      await other.query('commit')
      await expect.poll(async () => {
        const own = (await take(store, 9, { worker: `finder${died}` }, at + 1_500)).filter(({ job }) => job === 'held')
        for (const { job, seq, token } of own) await store.jobs.giveBack({ job, seq, token }, { runAt: at + 1_500, postponed: false }, at + 1_500)
        return own.length
      }).toBe(1)
      await store.jobs.leave(`finder${died}`, at + 1_500)
    }
    expect(await counts(store, 'held')).toMatchObject({ state: 'scraping', failed: 0 })
  })

  it('does not make a worker dead that is heard of while its pages are looked for', async () => {
    await start(store, 'held', { pages: ['a'] })
    await start(store, 'beside', { pages: ['b', 'c'] })
    expect(await take(store, 9, { worker: 'late' })).toHaveLength(3)
    await other.query(`begin; select id from jobs where id = 'held' for update; update workers set until = ${now + 9_000} where id = 'late'`)
    const looking = take(store, 9, { worker: 'finder' }, now + 1_500)
    await expect.poll(async () => (await other.query('select pid from pg_locks where not granted')).rowCount).toBe(1)
    await other.query('commit')
    await looking
    expect((await other.query(`select until from workers where id = 'late'`)).rows).toEqual([{ until: String(now + 9_000) }])
  })

  it("does not delay other jobs' pages that a worker gives back together with its own", async () => {
    await start(store, 'beside', { pages: ['a', 'b'] })
    await start(store, 'held', { pages: ['c'] })
    expect(jobsOf(await take(store, 9))).toEqual(['beside', 'beside', 'held'])
    await other.query(`begin; select id from jobs where id = 'held' for update`)
    const leaving = store.jobs.leave('w', now)
    await expect.poll(async () => jobsOf(await take(store, 9, { worker: 'v' }))).toEqual(['beside', 'beside'])
    await other.query('commit')
    await leaving
    expect((await take(store, 9, { worker: 'v' })).map(({ job, attempt }) => [job, attempt])).toEqual([['held', 1]])
    expect((await other.query('select id from workers')).rows).toEqual([{ id: 'v' }])
  })

  it('does not delay the watchdog, which includes it the next time', async () => {
    await begin('beside', 'a')
    await begin('held', 'b')
    await other.query(`begin; select id from jobs where id = 'held' for update`)
    const first = await timed(store.jobs.watch(now, now + 1))
    expect([first.answer.seen, first.ms < soon]).toEqual([1, true])
    await other.query('commit')
    expect((await store.jobs.watch(now, now + 1)).seen).toBe(1)
  })

  it('is checked for pages of dead workers even if its row is never free', async () => {
    await start(store, 'hot', { pages: ['a'] })
    await take(store, 1, { worker: 'dead' })
    await whileTaken('hot', async () => {
      await expect.poll(async () => jobsOf(await take(store, 9, {}, now + 2_000)), { timeout: 8_000 }).toEqual(['hot'])
    })
  })

  it('is found as soon as it is free when there is nothing else to do', async () => {
    await begin('held', 'a')
    await other.query(`begin; select id from jobs where id = 'held' for update`)
    expect(await take(store, 9)).toEqual([])
    const woken = new Promise<void>((resolve) => store.queue.onChange(resolve))
    await other.query('commit')
    const { ms } = await timed(woken)
    expect([ms < 900, jobsOf(await take(store, 2))]).toEqual([true, ['held', 'held']])
  })

  it('gets its turn even if its row is never free', async () => {
    await begin('hot', 'a')
    // Enough that there is always something else to take.
    await start(store, 'busy', { pages: Array.from({ length: 800 }, (_, i) => `p${i}`), job: { team: 'b', limit: 1_000, maxConcurrency: 1_000 } })
    const got: string[] = []
    const of = (id: string): number => got.filter((job) => job === id).length
    // On a slow machine its row is not always got within the short wait, and then not waited for again for half a second.
    await whileTaken('hot', () => expect.poll(async () => {
      got.push(...jobsOf(await take(store, 2)))
      return of('hot')
    }, { timeout: 8_000, interval: 1 }).toBeGreaterThan(5))
    expect(of('busy')).toBeGreaterThan(5)
    expect(of('busy')).toBeLessThan(800)
  })

  it('is locked for one batch of pages at a time when it is cancelled, and counts as cancelled from the first batch on', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) => `p${i}`)
    await start(store, 'large', { pages: many, job: { kind: 'batch', limit: 2_500 } })
    await take(store, 1)
    const cancelling = await openStore({ kind: 'postgres', url })
    await other.query(`begin; select seq from job_pages where job = 'large' and seq = 1500 for update`)
    const cut = cancelling.jobs.cancel('large', 'end', now).catch((error: unknown) => error)
    await expect.poll(() => counts(store, 'large')).toEqual({ state: 'cancelled', total: 2_500, completed: 0, failed: 0, skipped: 1_000, creditsUsed: 0, lastEvent: 2 })
    expect([await take(store, 9), await store.jobs.load('a'), await store.jobs.active('a', 'batch')]).toEqual([[], { waiting: 0, running: 1 }, []])
    expect((await store.teams.load('a', now)).waiting).toBe(0)
    // At any time, each page is listed once, in order of discovery, under its final number.
    const meanwhile = await store.jobs.skipped('large', { after: 0, limit: 9_999 })
    expect(meanwhile.map(({ url, reason }) => [url.slice(13), reason])).toEqual(many.slice(1).map((key) => [key, 'cancelled']))
    expect(await store.jobs.skipped('large', { after: meanwhile[1_199]?.seq ?? 0, limit: 300, reason: 'cancelled' })).toEqual(meanwhile.slice(1_200, 1_500))
    expect(await store.jobs.skipped('large', { after: 0, limit: 9, reason: 'robots' })).toEqual([])
    // The process that cancels dies midway: the rest is listed by the next watchdog run, or by another cancel.
    expect(await cutOff(cut)).toBeInstanceOf(Error)
    await other.query('commit')
    expect(await counts(store, 'large')).toMatchObject({ skipped: 1_000 })
    await store.jobs.watch(now, now)
    const listed = await store.jobs.skipped('large', { after: 0, limit: 9_999 })
    expect(listed).toEqual(meanwhile)
    expect([(await counts(store, 'large'))['skipped'], await store.jobs.cancel('large', 'again', now)]).toEqual([2_499, 'cancelled'])
    await cancelling.close()
  })

  it('is locked for one batch at a time when it ends at its limit, and counts as ended and lists all remaining pages from then on', async () => {
    const many = Array.from({ length: 2_500 }, (_, i) => `p${i}`)
    await start(store, 'full', { pages: many, job: { kind: 'batch', limit: 1 } })
    const task = await takeOne(store)
    const settling = await openStore({ kind: 'postgres', url })
    await other.query(`begin; select seq from job_pages where job = 'full' and seq = 1500 for update`)
    const cut = settling.jobs.settle(pageEnd(task))
    await expect.poll(() => counts(store, 'full')).toEqual({ state: 'completed', total: 1, completed: 1, failed: 0, skipped: 1_000, creditsUsed: 1, lastEvent: 3 })
    const meanwhile = await store.jobs.skipped('full', { after: 0, limit: 9_999 })
    expect(meanwhile.map(({ url, reason }) => [url.slice(13), reason])).toEqual(many.slice(1).map((key) => [key, 'limit']))
    expect([await take(store, 9), await store.jobs.load('a'), await store.jobs.active('a', 'batch')]).toEqual([[], { waiting: 0, running: 0 }, []])
    // The process that skips pages dies midway: the page is settled, and the watchdog continues.
    expect(await cutOff(cut)).toBe('settled')
    await other.query('commit')
    await store.jobs.watch(now, now)
    expect([(await counts(store, 'full'))['skipped'], await store.jobs.skipped('full', { after: 0, limit: 9_999 })]).toEqual([2_499, meanwhile])
    await settling.close()
  })

  it('is locked for one batch of added URLs at a time, and a missing batch does no harm', async () => {
    const fetched = async (at: number): Promise<readonly string[]> => {
      const tasks = await take(store, 9, {}, at)
      for (const task of tasks) await store.jobs.settle(pageEnd(task))
      return tasks.map(({ key }) => key)
    }
    const twice = Array.from({ length: 1_998 }, () => newPage('a'))
    const more = [newPage('b'), newPage('c'), ...twice, newPage('d'), ...twice, newPage('e')]
    await start(store, 'large', { pages: ['a'], job: { kind: 'batch', limit: 1 } })
    const appending = await openStore({ kind: 'postgres', url })
    await other.query(`begin; insert into job_pages (job, seq, url, key, host, depth, external, state, run_at) values ('large', 9999, '', 'd', '', 0, 0, 'waiting', 0)`)
    const cut = appending.jobs.append('large', more, [], now).catch((error: unknown) => error)
    await expect.poll(() => counts(store, 'large')).toMatchObject({ total: 3 })
    // The process that adds URLs dies midway.
    expect(await cutOff(cut)).toBeInstanceOf(Error)
    await other.query('rollback')
    await other.query(`select id from jobs where id = 'large' for update`)
    // The batch does not end because all existing pages are done.
    expect(await fetched(now)).toEqual(['a', 'b'])
    expect(await counts(store, 'large')).toMatchObject({ state: 'scraping', total: 3, completed: 2 })
    expect([await store.jobs.append('large', more, [], now + 1), await counts(store, 'large')]).toMatchObject([true, { total: 5 }])
    expect([await fetched(now + 1), await fetched(now + 60_000)]).toEqual([['d', 'e'], ['c']])
    expect(await counts(store, 'large')).toMatchObject({ state: 'completed', total: 5, completed: 5, skipped: 3 })
    await appending.close()
  })

  it('gets no more slots than its own limit and that of its team, whoever waits for it', async () => {
    await start(store, 'hot', { pages, job: { limit: 1_000, maxConcurrency: 7 } })
    // Leaves at least three slots of the team, however long the other's row is not free.
    await start(store, 'beside', { pages, job: { limit: 1_000, maxConcurrency: 15 } })
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ kind: 'postgres', url })))
    const got: string[] = []
    const takes = (): Promise<unknown> =>
      Promise.all(stores.map(async (one, i) => {
        for (let n = 0; n < 10; n++) got.push(...jobsOf(await take(one, 3, { worker: `w${i}`, teamPlaces: 20 })))
      }))
    await whileTaken('hot', async () => {
      await expect.poll(async () => {
        await takes()
        return got.length
      }).toBe(18)
      // Nor when all are taken.
      await takes()
    })
    const hot = got.filter((job) => job === 'hot').length
    expect([hot > 2, hot <= 7, got.length]).toEqual([true, true, 18])
    await Promise.all(stores.map((one) => one.close()))
  })
})

it('pages are found behind hundreds of jobs that wait for one host, in a few statements', async () => {
  for (let n = 0; n < 300; n++) await start(store, `blocked${n}`)
  await store.accounts.ensureTeam('b', null, now)
  await store.jobs.create(newJob('free', { team: 'b' }), { pages: [newPage('x', { host: 'quick' })], skipped: [], eventId: 'free-started', seed: null })
  const way = await postgresWay(url)
  let statements = 0
  way.fault = () => void statements++
  const counted = await openStore({ kind: 'postgres', url: way.url })
  try {
    for (const blocked of [{ busyHosts: ['site'] }, { crowdedHosts: new Map([['a', ['site']]]) }]) {
      statements = 0
      const [task] = await take(counted, 9, blocked)
      expect([task?.job, statements < 40]).toEqual(['free', true])
      await store.jobs.giveBack(task ?? { job: '', seq: 0, token: '' }, { runAt: now, postponed: false }, now)
    }
  } finally {
    await counted.close()
    await way.close()
  }
}, 60_000)

/** Whether somebody waits for a lock. */
const isBlocked = async (): Promise<boolean> => (await other.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).rows.length > 0

it('a job that another process sweeps is left to it, and none of its rows outlives it', async () => {
  await start(store, 'j', { pages: [], job: { retention: 'zero' } })
  await store.jobs.cancel('j', 'end', now)
  await other.query(`insert into results (id, team, kind, blob, request, created_at, expires_at, job, seq, page, bytes)
    select 'r' || i, 'a', 'scrape', 'b' || i, '{}', 0, 8640000000000000, 'j', i, i, 1 from generate_series(1, 600) as i`)
  // As the first of two sweeps does.
  await other.query(`begin; select id from jobs where id = 'j' for update; delete from results where id in (select id from results where job = 'j' limit 500)`)
  let over = false
  const sweeping = store.sweep(now + 9_000).finally(() => (over = true))
  await expect.poll(async () => over || (await isBlocked())).toBe(true)
  await other.query('commit')
  const blobs = [...(await sweeping), ...(await store.sweep(now + 9_000))]
  expect([await store.jobs.find('j'), (await other.query('select id from results')).rows, blobs.length]).toEqual([null, [], 100])
})

it('memos that are added to a cached page at once all count', async () => {
  await store.results.settle(caching(entry('e')))
  await other.query(`begin; insert into cache_memos (team, key, name, entry, blob, bytes) values ('a', 'page', 'x', 'e', 'x', 1); update cache_entries set size = bytes + 1`)
  const adding = store.cache.addMemo('a', 'e', 'y', 'y', 1)
  await expect.poll(isBlocked).toBe(true)
  await other.query('commit')
  await adding
  expect([await store.cache.evict(102), await store.cache.evict(101)]).toEqual([0, 1])
})
