import { readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ServiceError } from '../../domain/errors.ts'
import { migrate } from '../migrate.ts'
import { type Migration, migrations } from '../migrations/index.ts'
import { type Op, all, run } from '../op.ts'
import { outbox } from '../ops/outbox.ts'
import { type Sql, render, sql } from '../sql.ts'
import { type Connection, readingConnection, writingConnection } from './connection.ts'
import { commitGroup } from './commit-group.ts'
import { threadWriter } from './thread.ts'
import { decodeError, encodeError } from './wire.ts'

let folder = ''
let file = ''
let connection: Connection
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-writer-'))
  file = join(folder, 'x.db')
  connection = writingConnection(file)
  connection.exec('create table t (a integer primary key) strict')
})
afterEach(async () => {
  connection.close()
  await rm(folder, { recursive: true })
})

const rows = (): readonly unknown[] => {
  const reader = readingConnection(file)
  try {
    return reader.execute(all(sql`select a from t order by a`))
  } finally {
    reader.close()
  }
}
function* insert(a: number): Op<number> {
  yield* run(sql`insert into t values (${a})`)
  return a
}
/** Empty for a descriptor that was closed in the meantime, such as that of the listing itself. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
function* insertThenThrow(a: number): Op<number> {
  yield* insert(a)
  throw new ServiceError('NOT_FOUND')
}

describe('a group of operations', () => {
  it('commits all that succeed and undoes only the others', () => {
    const outcomes = commitGroup(connection, [() => insert(1), () => insertThenThrow(2), () => insert(1), () => insert(3)])
    expect(outcomes.map((o) => (o.ok ? o.value : 'failed'))).toEqual([1, 'failed', 'failed', 3])
    expect(rows()).toEqual([{ a: 1 }, { a: 3 }])
  })

  it('fails as a whole if one of them ends the transaction', () => {
    function* endsAll(): Op<void> {
      yield* run(sql`rollback`)
      throw new Error('disk full')
    }
    const outcomes = commitGroup(connection, [() => insert(1), endsAll, () => insert(2)])
    expect(outcomes.map((o) => o.ok)).toEqual([false, false, false])
    expect(rows()).toEqual([])
    expect(commitGroup(connection, [() => insert(5)])).toEqual([{ ok: true, value: 5 }])
  })

  it.runIf(process.platform === 'linux')('keeps undo data in memory', () => {
    connection.exec('create table wide (a integer primary key, b blob not null) strict')
    commitGroup(connection, [
      function* fill() {
        yield* run(sql`with recursive n (a) as (select 1 union all select a + 1 from n where a < 500) insert into wide select a, zeroblob(1000) from n`)
      },
    ])
    let open: readonly string[] = []
    function* rewrite(): Op<void> {
      yield* run(sql`update wide set b = randomblob(1000)`)
      open = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`))
    }
    commitGroup(connection, [rewrite])
    expect([open.includes(file), open.filter((path) => path.includes('etilqs'))]).toEqual([true, []])
  })

  it('shows nothing to readers before its commit', () => {
    let seen: readonly unknown[] = []
    function* look(): Op<void> {
      yield* insert(1)
      seen = rows()
    }
    commitGroup(connection, [look])
    expect(seen).toEqual([])
    expect(rows()).toEqual([{ a: 1 }])
  })

  it('cannot write over a reading connection', () => {
    const reader = readingConnection(file)
    expect(() => reader.execute(insert(1))).toThrow('readonly')
    reader.close()
  })
})

describe('an error passed between threads', () => {
  it('stays a ServiceError', () => {
    const error = new ServiceError('RATE_LIMITED', 'Slow down.', { details: { limit: 3 }, retryAfterSeconds: 7, cause: new RangeError('inner') })
    const arrived = decodeError(structuredClone(encodeError(error)))
    expect(arrived).toBeInstanceOf(ServiceError)
    expect(arrived).toMatchObject({ name: 'ServiceError', code: 'RATE_LIMITED', message: 'Slow down.', details: { limit: 3 }, retryAfterSeconds: 7, status: 429, stack: error.stack })
    expect(arrived.cause).toMatchObject({ name: 'RangeError', message: 'inner' })
  })

  it('keeps name, code and message otherwise', () => {
    const arrived = decodeError(structuredClone(encodeError(Object.assign(new TypeError('odd'), { code: 'ERR_ODD' }))))
    expect(arrived).toMatchObject({ name: 'TypeError', code: 'ERR_ODD', message: 'odd' })
    expect(decodeError(encodeError('a string')).message).toBe('a string')
  })
})

describe('a writer thread', () => {
  const entry = async (body: string): Promise<URL> => {
    const path = join(folder, 'entry.mjs')
    await writeFile(path, `import { parentPort } from 'node:worker_threads'\n${body}`)
    return pathToFileURL(path)
  }

  it('rejects everything when it dies, and reports that once', async () => {
    const onFatal = vi.fn()
    const writer = await threadWriter(await entry(`parentPort.on('message', () => { throw new Error('boom') }); parentPort.postMessage({ kind: 'open' })`), { file, onFatal })
    const answers = await Promise.allSettled([writer.run('a.b', []), writer.run('a.b', [])])
    expect(answers.map((a) => a.status === 'rejected' && a.reason.message)).toEqual(Array.from({ length: 2 }, () => 'The writer thread of the store has stopped.'))
    await expect(writer.run('a.b', [])).rejects.toThrow('The writer thread of the store has stopped.')
    await writer.close()
    expect(onFatal.mock.calls).toEqual([[expect.objectContaining({ message: 'The writer thread of the store has stopped.', cause: expect.objectContaining({ message: 'boom' }) })]])
  })

  it('rejects only what cannot be sent to it', async () => {
    const onFatal = vi.fn()
    const writer = await threadWriter(await entry(`parentPort.on('message', ({ kind, id }) => (kind === 'close' ? parentPort.close() : parentPort.postMessage({ kind: 'answers', answers: [{ id, ok: true, value: id }] }))); parentPort.postMessage({ kind: 'open' })`), { file, onFatal })
    const answers = await Promise.allSettled([writer.run('a.b', []), writer.run('a.b', [() => undefined]), writer.run('a.b', [])])
    expect(answers).toEqual([{ status: 'fulfilled', value: 1 }, { status: 'rejected', reason: expect.objectContaining({ name: 'DataCloneError' }) }, { status: 'fulfilled', value: 3 }])
    await writer.close()
    expect(onFatal).not.toHaveBeenCalled()
  })

  it('rejects opening if it cannot open the database', async () => {
    const onFatal = vi.fn()
    await expect(threadWriter(await entry(`throw new Error('no database')`), { file, onFatal })).rejects.toThrow('no database')
    await expect(threadWriter(await entry(`process.exit(3)`), { file, onFatal })).rejects.toThrow('exit code 3')
    expect(onFatal).not.toHaveBeenCalled()
  })

  it('reports a rejection instead of hanging when it ends during closing', async () => {
    const onFatal = vi.fn()
    const writer = await threadWriter(await entry(`parentPort.on('message', (m) => m.kind === 'close' && process.exit(0)); parentPort.postMessage({ kind: 'open' })`), { file, onFatal })
    const lost = writer.run('a.b', []).catch((error: Error) => error.message)
    await writer.close()
    expect(await lost).toBe('The store is closed.')
    expect(onFatal).not.toHaveBeenCalled()
  })
})

describe('the schema', () => {
  const inTransaction = (steps: readonly Migration[], mayChange = true): void => {
    const [outcome] = commitGroup(connection, [() => migrate(steps, { mayChange, now: 1 })])
    if (outcome && !outcome.ok) throw outcome.error
  }
  const step = (number: number, statements: readonly Sql[]): Migration => ({ number, name: `step-${number}`, statements })

  it('is migrated by the missing steps only', () => {
    const one = step(1, [sql`create table one (a integer)`])
    const two = step(2, [sql`create table two (a integer)`, sql`insert into two values (${7})`])
    inTransaction([one])
    inTransaction([one])
    inTransaction([one, two])
    expect(connection.execute(all(sql`select a from two`))).toEqual([{ a: 7 }])
  })

  it('is unchanged if a step fails', () => {
    expect(() => inTransaction([step(1, [sql`create table one (a integer)`, sql`this is no statement`])])).toThrow('syntax error')
    expect(connection.execute(all(sql`select name from sqlite_master where name in ('one', 'migrations')`))).toEqual([])
  })

  it('is refused if it belongs to a newer program, or its past was edited', () => {
    inTransaction([step(1, [sql`create table one (a integer)`]), step(2, [])])
    expect(() => inTransaction([step(1, [sql`create table one (a integer)`])])).toThrow('The database was written by a newer version of this program (schema 2, step-2); start that version instead.')
    expect(() => inTransaction([step(1, [sql`create table one (a text)`]), step(2, [])])).toThrow('Schema step 1 (step-1) of this program is not the one that made this database; a released step must not be edited.')
    inTransaction([step(1, [sql`create  table one (a\n integer)`]), step(2, [])])
  })

  it('is freed of what two sweeps at once left of an expired job, and of nothing else', () => {
    inTransaction(migrations.filter(({ number }) => number < 31))
    connection.exec(`insert into jobs (id, team, kind, state, retention, retention_ms, page_limit, max_concurrency, delay_ms, wanted, receiver, created_at, seeding, open, progress_at)
      values ('kept', 'a', 'crawl', 'completed', 'normal', 1, 1, 1, 0, '', '', 0, 0, 0, 0)`)
    for (const job of ['kept', 'swept']) {
      connection.exec(`insert into job_details (job, request, base_url, warnings) values ('${job}', '{}', '', '[]')`)
      connection.exec(`insert into job_pages (job, seq, url, key, host, depth, external, state, run_at) values ('${job}', 1, 'u', 'k', 'h', 0, 0, 'done', 0)`)
      connection.exec(`insert into job_skipped (job, seq, url, reason) values ('${job}', 1, 'u', 'limit')`)
      connection.exec(`insert into job_errors (job, seq, id, at, url, code, error) values ('${job}', 1, 'e', 0, 'u', 'c', 'e')`)
      connection.exec(`insert into job_events (job, seq, id, type, at) values ('${job}', 1, 'e', 'started', 0)`)
      connection.exec(`insert into outbox (id, team, job, seq, type, receiver, state, run_at) values ('${job}', 'a', '${job}', 1, 'started', 'r', 'waiting', 0)`)
      connection.exec(`insert into results (id, team, kind, blob, request, created_at, expires_at, job, seq, page, bytes) values ('${job}', 'a', 'scrape', 'b', '{}', 0, 0, '${job}', 1, 1, 1)`)
    }
    connection.exec(`insert into results (id, team, kind, blob, request, created_at, expires_at) values ('single', 'a', 'scrape', 'b', '{}', 0, 0)`)
    inTransaction(migrations)
    const left = connection.execute(all<{ job: string }>(sql`select job from job_details union all select job from job_pages union all select job from job_skipped union all select job from job_errors
      union all select job from job_events union all select job from outbox`))
    expect(left).toEqual(Array.from({ length: 6 }, () => ({ job: 'kept' })))
    expect(connection.execute(all(sql`select id from results order by id`))).toEqual([{ id: 'kept' }, { id: 'single' }])
  })

  it('drops a delivery whose job is gone, instead of sending none at all', () => {
    inTransaction(migrations)
    connection.exec(`insert into outbox (id, team, job, seq, type, receiver, state, run_at) values ('swept', 'a', 'swept', 1, 'started', 'r', 'waiting', 0)`)
    expect(connection.execute(outbox.take({ worker: 'w', limit: 10, perReceiver: 10, leaseMs: 100 }, 1))).toEqual([])
    expect(connection.execute(all(sql`select id from outbox`))).toEqual([])
  })

  it('is not changed under a running service', () => {
    expect(() => inTransaction(migrations, false)).toThrow('The database needs a newer schema while an older version is running on it; restart the service first.')
    inTransaction(migrations)
    inTransaction(migrations, false)
  })
})

describe('a statement', () => {
  it('is rendered for either database, including fragments and lists', () => {
    const where = sql`a = ${1} and b = ${null}`
    const statement = sql`select * from t where ${where} and c in ${{ texts: ['(', ', ', ')'], parts: ['x', 'y'] }} ${{ sqlite: sql`limit ${5}`, postgres: sql`for update` }}`
    expect(render(statement, 'sqlite')).toEqual({ text: 'select * from t where a = ? and b = ? and c in (?, ?) limit ?', values: [1, null, 'x', 'y', 5] })
    expect(render(statement, 'postgres')).toEqual({ text: 'select * from t where a = $1 and b = $2 and c in ($3, $4) for update', values: [1, null, 'x', 'y'] })
  })
})
