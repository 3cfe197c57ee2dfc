import { StoreAway } from '../../domain/errors.ts'
import type { CrashPoint } from '../crash.ts'
import { first } from '../op.ts'
import { jointly, operation } from '../ops/index.ts'
import type { Swept } from '../ops/jobs/watch.ts'
import { sql } from '../sql.ts'
import { commitGroup, inSavepoint, type Maker, oneByOne, type Outcome } from './commit-group.ts'
import type { Connection, WritingConnection } from './connection.ts'

/** An operation by name, with its arguments. */
export interface Asked {
  readonly name: string
  readonly args: readonly unknown[]
}

/** Operations that delete what must not remain in any file, by whether they did: blobs, whose deletion must also free disk space, as that of a file does, and jobs with zero retention. */
const erasing: Readonly<Record<string, (answer: unknown) => boolean>> = {
  'blobRows.remove': (count) => count !== 0,
  'jobs.erase': () => true,
  'upkeep.sweep': (swept) => (swept as Swept).erased, // What the operation of that name answers.
}

const displaced = 'The database file or its journal was moved, deleted or replaced while it was open.'

/** Runs operations in one commit; if a crash point counts them, each has its own commit and may be the last. None runs while the file is not in its place: it would not be kept (R7). */
export function commitAll(connection: WritingConnection, asked: readonly Asked[], crash?: CrashPoint): readonly Outcome[] {
  if (!connection.isInPlace()) return asked.map(() => ({ ok: false, error: new StoreAway(new Error(displaced)) }))
  const outcomes = commitEach(connection, asked, crash)
  connection.committed(asked.some(({ name }, i) => outcomes[i]?.ok === true && erasing[name]?.(outcomes[i].value) === true))
  return outcomes
}

function commitEach(connection: Connection, asked: readonly Asked[], crash: CrashPoint | undefined): readonly Outcome[] {
  const makers = asked.map(makerOf)
  if (!crash?.counts(asked.map(({ name }) => name))) return commitGroup(connection, makers, () => runsOf(asked).flatMap((run) => together(connection, run)))
  return makers.flatMap((make, i) => {
    const before = changes(connection)
    const outcomes = commitGroup(connection, [make])
    if (changes(connection) !== before) crash.committed(asked[i]?.name ?? '')
    return outcomes
  })
}

const makerOf =
  ({ name, args }: Asked): Maker =>
  () =>
    operation(name, args)

/** The operations, with neighbours of the same name grouped. */
function runsOf(asked: readonly Asked[]): readonly (readonly Asked[])[] {
  const runs: Asked[][] = []
  for (const one of asked) {
    const last = runs.at(-1)
    if (last?.[0]?.name === one.name) last.push(one)
    else runs.push([one])
  }
  return runs
}

/** Runs operations of one name as one if possible, otherwise one by one. */
function together(connection: Connection, run: readonly Asked[]): readonly Outcome[] {
  const op = jointly(run[0]?.name ?? '', run.map(({ args }) => args))
  const all = op === undefined ? undefined : inSavepoint(connection, () => op)
  return all?.ok === true ? (all.value as readonly unknown[]).map((value) => ({ ok: true, value })) : oneByOne(connection, run.map(makerOf)) // What `jointly` answers is a list.
}

/** Rows written by this connection since it was opened. */
function changes(connection: Connection): number {
  return connection.execute(first<{ count: number }>(sql`select total_changes() as count`))?.count ?? 0
}
