import type { Pool, PoolClient } from 'pg'
import { ServiceError, StoreAway, storeDamaged, StoreRefusal } from '../../domain/errors.ts'
import type { CrashPoint } from '../crash.ts'
import type { Op, Row } from '../op.ts'
import { type Sql, render } from '../sql.ts'
import { connecting, isAway, isDamage, isReadOnly, isRefusal, isServerAnswer, isSilence } from './away.ts'

/** Another transaction was in the way; a retry may succeed. */
const retryCodes: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

const maxAttempts = 5

// The server soon ends the transaction of a process that hangs, because it holds locks; its work is repeated.
// Defaults of the role or database do not apply: operations read anew after waiting for a lock, and wait until they have it.
// All in one round trip, and not when connecting, because connection poolers refuse start-up parameters.
const begin = "begin isolation level read committed; set local lock_timeout = 0; set local statement_timeout = '20s'; set local idle_in_transaction_session_timeout = '5s'; set local synchronous_commit = on"

/** Runs each operation in a transaction on a pooled connection; retries if another transaction was in the way, or if the connection broke before the commit. */
export interface Runner {
  /** READ COMMITTED; operations lock the rows that their decisions depend on. `name` is passed to the crash point, if any. */
  transaction<T>(make: () => Op<T>, name?: string): Promise<T>
  /** The same, tried once: null if another transaction was in the way. */
  impatient<T>(make: () => Op<T>, name?: string): Promise<T | null>
  /** For operations that only read: each statement sees the committed state. */
  read<T>(make: () => Op<T>): Promise<T>
}

/** A runner over this pool; reports commits that wrote something to the crash point. */
export function poolRunner(pool: Pool, crash?: CrashPoint): Runner {
  const source: Source = { connect: connecting(pool), lost: new WeakMap() }
  // The server may end a connection while granting it; without a listener that would crash the process.
  pool.on('connect', (client) => client.on('error', (error) => source.lost.set(client, error)))
  const once = <T>(make: () => Op<T>, name?: string): Promise<T> =>
    withClient(source, (client) => inTransaction(client, make(), name === undefined || !crash ? undefined : () => crash.committed(name)))
  return {
    transaction: (make, name) => repeating(() => once(make, name), (error) => isConflict(error) || error instanceof Dropped),
    impatient: async (make, name) => {
      try {
        return await repeating(() => once(make, name), (error) => error instanceof Dropped)
      } catch (error) {
        if (isConflict(error)) return null
        throw error
      }
    },
    read: (make) => repeating(() => withClient(source, (client) => drive(client, make())), (error) => error instanceof Dropped),
  }
}

async function repeating<T>(work: () => Promise<T>, isWorthIt: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === maxAttempts || !isWorthIt(error)) throw error
      await pause(attempt)
    }
  }
}

/** The connection broke, and nothing was written. */
class Dropped extends StoreAway {}

/** The commit failed: what the transaction wrote may be there. */
class InDoubt extends Error {
  constructor(cause: unknown) {
    super('The commit failed.', { cause })
  }
}

/** The reason to discard a connection whose transaction may still be open. */
const unsure = new Error('The rollback failed.')

/** Where connections come from. */
interface Source {
  readonly connect: () => Promise<PoolClient>
  /** Dropped connections, and why. */
  readonly lost: WeakMap<PoolClient, Error>
}

async function withClient<T>({ connect, lost }: Source, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await connect()
  let broken: unknown = lost.get(client)
  // Without a listener, a connection that drops between two statements would crash the process; the statement itself rejects too.
  const onError = (error: Error): void => void (broken ??= error)
  client.on('error', onError)
  try {
    return await use(client)
  } catch (thrown) {
    const error = thrown instanceof InDoubt ? thrown.cause : thrown
    const dropped = broken !== undefined && broken !== unsure && !isServerAnswer(error) && !(error instanceof ServiceError)
    if (!isServerAnswer(error) || isReadOnly(error)) broken ??= error
    if (isDamage(error)) throw storeDamaged(error)
    // A server that has fallen silent is not waited for again.
    if (dropped || isAway(error)) throw thrown instanceof InDoubt || isServerAnswer(error) || isSilence(error) ? new StoreAway(error) : new Dropped(error)
    throw isRefusal(error) ? new StoreRefusal(error) : error
  } finally {
    client.off('error', onError)
    // A connection in an unknown state is not reused.
    client.release(broken !== undefined)
  }
}

async function inTransaction<T>(client: PoolClient, op: Op<T>, committed?: () => void): Promise<T> {
  let answer: T
  let wrote = false
  try {
    // Several statements, of which a later one may fail when the transaction is open.
    await client.query(begin)
    answer = await drive(client, op)
    if (committed) wrote = (await client.query('select 1 where pg_current_xact_id_if_assigned() is not null')).rows.length > 0
  } catch (error) {
    // If even that fails, the connection is lost; the first error is the one to report. A server that has fallen silent is not waited for again.
    if (isAway(error) && !isServerAnswer(error)) client.emit('error', unsure)
    else await client.query('rollback').catch(() => client.emit('error', unsure))
    throw error
  }
  await client.query('commit').catch((error: unknown) => {
    throw new InDoubt(error)
  })
  if (wrote) committed?.()
  return answer
}

async function drive<T>(client: PoolClient, op: Op<T>): Promise<T> {
  let step = op.next([])
  while (!step.done) step = op.next(await rowsOf(client, step.value))
  return step.value
}

async function rowsOf(client: PoolClient, statement: Sql): Promise<readonly Row[]> {
  const { text, values } = render(statement, 'postgres')
  if (text === '') return []
  return (await client.query<Row>(text, [...values])).rows
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && retryCodes.has(error.code)
}

/** Longer each time, with jitter, so that two callers do not collide again. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2 ** attempt * (1 + Math.random())))
}
