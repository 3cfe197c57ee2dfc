import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StoreAway, StoreRefusal } from '../../domain/errors.ts'
import { commitGroup } from './commit-group.ts'
import { writingConnection } from './connection.ts'
import { openDatabase } from './driver.ts'
import { classified } from './faults.ts'
import { decodeError, encodeError } from './wire.ts'
import { first, run } from '../op.ts'
import { sql } from '../sql.ts'

it('a value that can never be stored is distinguished from other failures', () => {
  const db = openDatabase(':memory:', { timeout: 0 })
  db.exec("create table t (id integer primary key, text text not null check (text <> 'bad')) strict")
  db.prepare('insert into t values (1, ?)').all('good')
  const refused = (statement: string): boolean => {
    try {
      db.prepare(statement).all()
    } catch (error) {
      return classified(error) instanceof StoreRefusal
    }
    throw new Error('nothing failed')
  }
  const never = ["values (1, 'again')", 'values (2, null)', "values (2, 'bad')", "values (2, x'00')", "values ('two', 'text')", 'values (2, zeroblob(2000000000))']
  expect(never.map((what) => refused(`insert into t ${what}`))).toEqual(never.map(() => true))
  expect([refused('insert into missing values (1)'), refused('insert into t')]).toEqual([false, false])
  db.close()
})

describe('a database that is full', () => {
  it('fails the whole group with what says that it may succeed later, and takes the same once there is room', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-full-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const connection = writingConnection(join(folder, 'test.db'))
    onTestFinished(() => connection.close())
    connection.exec('create table t (text text) strict')
    connection.exec('pragma max_page_count = 8')
    const put = (bytes: number) => () => run(sql`insert into t values (${'x'.repeat(bytes)})`)
    const put3 = [put(10), put(100_000), put(10)]
    const failed = commitGroup(connection, put3).map((outcome) => (outcome.ok ? 'written' : decodeError(encodeError(outcome.error))))
    expect(failed).toEqual(put3.map(() => expect.objectContaining({ name: 'StoreAway', message: 'database or disk is full' })))
    expect(failed.every((error) => error instanceof StoreAway)).toBe(true)
    connection.exec('pragma max_page_count = 100')
    expect(commitGroup(connection, put3).map(({ ok }) => ok)).toEqual([true, true, true])
    expect(connection.execute(first(sql`select count(*) as rows from t`))).toEqual({ rows: 3 })
  })
})
