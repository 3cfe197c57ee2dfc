import { expect, it } from 'vitest'
import { StoreRefusal } from '../../domain/errors.ts'
import { openDatabase } from './driver.ts'
import { asRefusal } from './refusal.ts'

it('a value that can never be stored is distinguished from other failures', () => {
  const db = openDatabase(':memory:', { timeout: 0 })
  db.exec("create table t (id integer primary key, text text not null check (text <> 'bad')) strict")
  db.prepare('insert into t values (1, ?)').all('good')
  const refused = (statement: string): boolean => {
    try {
      db.prepare(statement).all()
    } catch (error) {
      return asRefusal(error) instanceof StoreRefusal
    }
    throw new Error('nothing failed')
  }
  const never = ["values (1, 'again')", 'values (2, null)', "values (2, 'bad')", "values (2, x'00')", "values ('two', 'text')", 'values (2, zeroblob(2000000000))']
  expect(never.map((what) => refused(`insert into t ${what}`))).toEqual(never.map(() => true))
  expect([refused('insert into missing values (1)'), refused('insert into t')]).toEqual([false, false])
  db.close()
})
