import { type Either, type Sql, type Value, either, sql } from './sql.ts'

/** Skips rows that another transaction has locked. SQLite has one writer, so it has no such rows. */
export const skipLocked = either({ sqlite: sql``, postgres: sql`for update skip locked` })

/** Limits how long the transaction waits for a lock: a few times as long as a job's row is usually locked. */
export const impatiently = either({ sqlite: sql``, postgres: sql`set local lock_timeout = '50ms'` })

/** Locks the rows that are read until the end of the transaction. */
export const forUpdate = either({ sqlite: sql``, postgres: sql`for update` })

/** The same for rows with foreign keys to them: new references need not wait for this lock. */
export const forNoKeyUpdate = either({ sqlite: sql``, postgres: sql`for no key update` })

/** The larger of its arguments. */
export const greatest = either({ sqlite: sql`max`, postgres: sql`greatest` })

/** Orders text by its bytes, as code does, whatever the language of the database. */
export const byBytes = either({ sqlite: sql``, postgres: sql`collate "C"` })

/** Column type for times, sums and counters. */
export const integer = either({ sqlite: sql`integer`, postgres: sql`bigint` })

/** Column type for bytes. */
export const bytes = either({ sqlite: sql`blob`, postgres: sql`bytea` })

/** Column that numbers rows in the order of their creation. */
export const sequence = either({ sqlite: sql`integer primary key autoincrement`, postgres: sql`bigint generated always as identity primary key` })

/** The time by the clock of the database, in milliseconds since 1970; within a transaction, too, it goes on. */
export const currentTime = either({ sqlite: sql`cast(unixepoch('subsec') * 1000 as integer)`, postgres: sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)` })

/** Makes SQLite check column types as strictly as Postgres does. */
export const strict = either({ sqlite: sql`strict`, postgres: sql`` })

/** Tells other processes that tasks may be due or done. One process owns an embedded store, so SQLite has nobody to tell. */
export const notifyQueue = either({ sqlite: sql``, postgres: sql`select pg_notify('trawl_queue', '')` })

/** Stores the rows of a table in the order of its primary key; Postgres has no such option. Comes after `strict`. */
export const clustered = either({ sqlite: sql`, without rowid`, postgres: sql`` })

/**
 * The value by which an index finds a text of any length. Postgres indexes no more than about 2,700 bytes, so there it is a
 * digest, which is only compared together with the text, or among the texts of one job.
 */
export function digest(column: 'key' | 'url' | 'c.text' | 'c.value ->> 0'): Either {
  const name: Sql = { texts: [column], parts: [] }
  return either({ sqlite: name, postgres: sql`md5(${name})` })
}

/** What an index orders URLs by: their bytes. In Postgres, of a URL that is too long for an index, its beginning and a digest. */
export function byUrl(url: Value | Sql): Either {
  return either({ sqlite: sql`${url}`, postgres: sql`(case when length(${url}) <= 300 then ${url} else left(${url}, 300) || md5(${url}) end) collate "C"` })
}

/** Whether a column and another text are equal, found by the index of the column's `digest`. */
export function sameText(column: string, other: Value | Sql): Sql {
  const name: Sql = { texts: [column], parts: [] }
  return sql`${either({ sqlite: sql``, postgres: sql`md5(${name}) = md5(${other}) and` })} ${name} = ${other}`
}

/** Makes SQLite use this index. Without it, SQLite may scan the table in row order, past all rows that are done. */
export function byIndex(name: string): Either {
  const index: Sql = { texts: [`indexed by ${name}`], parts: [] }
  return either({ sqlite: index, postgres: sql`` })
}

/** Rows as one parameter, however many: a table `c` of `n`, from 1, and `value`, an array whose members `value ->> 0` and so on give. */
export function rowsOf(rows: readonly (readonly (string | number | null)[])[]): Either {
  const json = JSON.stringify(rows)
  return either({
    sqlite: sql`(select key + 1 as n, value from json_each(${json})) as c`,
    postgres: sql`jsonb_array_elements(cast(${json} as jsonb)) with ordinality as c(value, n)`,
  })
}

/** Texts as one parameter: a table `c` of `n`, from 1, and `text`. */
export function textsOf(texts: readonly string[]): Either {
  const json = JSON.stringify(texts)
  return either({
    sqlite: sql`(select key + 1 as n, value as text from json_each(${json})) as c`,
    postgres: sql`jsonb_array_elements_text(cast(${json} as jsonb)) with ordinality as c(text, n)`,
  })
}

/** Texts as one parameter, for `in`. */
export function anyOf(texts: readonly string[]): Either {
  const json = JSON.stringify(texts)
  return either({
    sqlite: sql`(select value from json_each(${json}))`,
    postgres: sql`(select jsonb_array_elements_text(cast(${json} as jsonb)))`,
  })
}

/** Text from outside as both databases can hold it, within JSON too: no NUL, no half of a surrogate pair. */
export function storable(text: string): string {
  return /[\0\uD800-\uDFFF]/.test(text) ? text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD') : text
}
