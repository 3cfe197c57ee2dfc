import { integer, strict } from './dialect.ts'
import type { Migration } from './migrations/index.ts'
import { type Op, all, exclusively, run } from './op.ts'
import { render, sql } from './sql.ts'
import { sha256 } from '../lib/sha256.ts'

/** What a start may do to the schema. */
export interface MigrateOptions {
  /** False where another process is running on the database: a schema that is behind is an error then. */
  readonly mayChange: boolean
  readonly now: number
}

/** Brings the schema up to date; throws with one sentence when the database is newer than the program, or a past step was edited. */
export function* migrate(steps: readonly Migration[], options: MigrateOptions): Op<void> {
  yield* exclusively('trawl migrations')
  yield* run(sql`create table if not exists migrations (number ${integer} primary key, name text not null, checksum text not null, applied_at ${integer} not null) ${strict}`)
  const applied = yield* all<{ number: number; name: string; checksum: string }>(sql`select number, name, checksum from migrations order by number`)
  for (const row of applied) check(row, steps)
  const done = new Set(applied.map((row) => row.number))
  const missing = steps.filter((s) => !done.has(s.number))
  if (missing.length > 0 && !options.mayChange) throw new Error('The database needs a newer schema while an older version is running on it; restart the service first.')
  for (const step of missing) {
    for (const statement of step.statements) yield* run(statement)
    yield* run(sql`insert into migrations values (${step.number}, ${step.name}, ${checksum(step)}, ${options.now})`)
  }
}

function check(row: { number: number; name: string; checksum: string }, steps: readonly Migration[]): void {
  const step = steps.find((s) => s.number === row.number)
  if (!step) throw new Error(`The database was written by a newer version of this program (schema ${row.number}, ${row.name}); start that version instead.`)
  if (checksum(step) !== row.checksum) throw new Error(`Schema step ${row.number} (${row.name}) of this program is not the one that made this database; a released step must not be edited.`)
}

/** Over both dialects, white space aside, so that one edit is noticed whichever database is in use. */
function checksum(step: Migration): string {
  const texts = step.statements.flatMap((s) => [render(s, 'sqlite').text, render(s, 'postgres').text])
  return sha256(texts.join('\n').replace(/\s+/g, ' '))
}
