import type { ClientConfig, CustomTypesConfig, Pool } from 'pg'
import type { Store } from '../../domain/store.ts'
import { sleep } from '../../lib/sleep.ts'
import { composeStore } from '../compose.ts'
import { crashPoint } from '../crash.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { impatient, operation, reads } from '../ops/index.ts'
import { run } from '../op.ts'
import { sql } from '../sql.ts'
import { type Wakeups, wakeups } from '../wakeups.ts'
import { type Listening, listening } from './listen.ts'
import { poolRunner } from './runner.ts'

/** Which server. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  /** Maximum number of connections, plus one for listening; default: 10. */
  readonly maxConnections?: number
  /** For tests: the process dies after this many commits of work (see `crash.ts`). */
  readonly crashPoint?: number | undefined
}

/** How long a statement of a migration may take: an hour, also by the server. */
const migrationMs = 3_600_000

/** How long closing waits for connections to end. */
const farewellMs = 500

/** Opens the shared store. Throws if the server cannot be reached, or its schema is newer than this program. */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const { default: pg } = await import('pg')
  const config: ClientConfig = {
    connectionString: options.url,
    application_name: 'trawl',
    connectionTimeoutMillis: 5_000,
    query_timeout: 25_000,
    keepAlive: true,
    types: numbers(pg.types),
  }
  await migrated(new pg.Pool({ ...config, query_timeout: migrationMs, max: 1 }))
  const pool = new pg.Pool({ ...config, max: options.maxConnections ?? 10, idleTimeoutMillis: 30_000 })
  // A dropped idle connection is replaced on next use; nothing to do here.
  pool.on('error', () => undefined)
  const runner = poolRunner(pool, options.crashPoint === undefined ? undefined : crashPoint(options.crashPoint))
  const local = wakeups(async () => true)
  const ears = listening(() => new pg.Client(config), local.changed)
  let open = true
  return composeStore({
    name: 'postgres',
    wakeups: withEars(local, ears),
    run: async (name, args) => {
      if (!open) throw new Error('The store is closed.')
      if (reads.has(name)) return runner.read(() => operation(name, args))
      return impatient.has(name) ? runner.impatient(() => operation(name, args), name) : runner.transaction(() => operation(name, args), name)
    },
    close: async () => {
      if (!open) return
      open = false
      // A frozen server does not answer a farewell either.
      await Promise.race([ears.close().then(() => pool.end()), sleep(farewellMs, new AbortController().signal)])
    },
  })
}

/** Brings the schema up to date, on a pool that it closes. That may take long: for large tables, or while another process does it. */
async function migrated(pool: Pool): Promise<void> {
  pool.on('error', () => undefined)
  try {
    await poolRunner(pool).transaction(function* () {
      yield* run(sql`set local statement_timeout = '1h'`)
      yield* migrate(migrations, { mayChange: true, now: Date.now() })
    })
  } finally {
    await pool.end()
  }
}

/** Wake-ups that include other processes, from the first subscription on. */
function withEars(local: Wakeups, ears: Listening): Wakeups {
  return {
    ...local,
    onChange: (listener) => {
      ears.start()
      return local.onChange(listener)
    },
  }
}

const bigint = 20
const numeric = 1700

/** Sums, counts and times as numbers: ours are far below 2^53. */
function numbers(defaults: CustomTypesConfig): CustomTypesConfig {
  const types: Pick<CustomTypesConfig, 'getTypeParser'> = {
    getTypeParser: (oid, format) => (oid === bigint || oid === numeric ? Number : defaults.getTypeParser(oid, format)),
  }
  return types
}
