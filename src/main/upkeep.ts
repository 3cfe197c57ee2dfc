import { removeErased } from '../app/jobs/cancel.ts'
import type { Store } from '../domain/store.ts'
import type { Log } from '../http/ports.ts'
import type { LateClaims } from './claims.ts'
import type { RememberingBlobs } from './removals.ts'

export interface UpkeepOptions {
  /** The settings of teams, to be read again. */
  readonly terms: { refresh(): Promise<void> }
  readonly claims: Pick<LateClaims, 'abandonLate'>
  readonly cacheMaxBytes: number
  /** How long a process may be silent before its work is given to others. */
  readonly leaseMs: number
  /** Whether no other process writes to store and blobs. */
  readonly alone: boolean
  readonly now: () => number
  readonly log: Log
}

export interface Upkeep {
  /** Records that a key was used; written in batches. */
  keyUsed(id: string): void
  start(): void
  /** Writes what is still pending. */
  stop(): Promise<void>
}

const minute = 60_000
const keyFlushMs = 15_000
const termsMs = 5_000
const claimsMs = 1_000
const sweepMs = minute
/** A job that has not moved for this long is checked (R10). */
const stillMs = minute
const watchMs = minute / 2
/** The longest lease whose length is not a setting, and more than the clocks of a fleet may differ by. */
const longestLeaseMs = 5 * minute
const blobSweepMs = 60 * minute
/** A blob is written before the row that names it: younger blobs may be about to be named. */
const blobGraceMs = 60 * minute

/** The first sweep removes what was too young to be removed when the previous process ended. */
const firstSweepMs = minute
/** What a clock that is only being adjusted lags behind a minute. */
const clockSlackMs = 1_000

/** Periodic housekeeping: expired rows, cache size, unnamed blobs, last use of keys. */
export function upkeep(store: Store, blobs: RememberingBlobs, options: UpkeepOptions): Upkeep {
  const uses = new Map<string, number>()
  const timers: NodeJS.Timeout[] = []

  const guarded = (name: string, work: () => Promise<unknown>): Promise<void> =>
    work().then(
      () => undefined,
      (error: unknown) => options.log('error', 'upkeep-failed', { name, reason: String(error) }),
    )
  const every = (ms: number, name: string, work: () => Promise<unknown>): void => void timers.push(setInterval(() => void guarded(name, work), ms).unref())

  async function flushKeys(): Promise<void> {
    const batch = [...uses].map(([id, at]) => ({ id, at }))
    uses.clear()
    if (batch.length > 0) await store.accounts.touchKeys(batch)
  }

  async function sweep(): Promise<void> {
    await removeErased(await store.sweep(options.now()), { blobs, blobsInUse: store.blobsInUse })
    await store.cache.evict(options.cacheMaxBytes)
  }

  async function watch(): Promise<void> {
    await store.shortenLeases(options.now() + Math.max(options.leaseMs, longestLeaseMs))
    const { repaired, unseeded, ended } = await store.jobs.watch(options.now() - stillMs, options.now())
    for (const [what, jobs] of Object.entries({ repaired, unseeded, ended })) {
      for (const job of jobs) options.log('warn', 'job-watched', { job, what })
    }
  }

  return {
    keyUsed: (id) => void uses.set(id, options.now()),
    start() {
      every(keyFlushMs, 'keys', flushKeys)
      every(termsMs, 'terms', options.terms.refresh)
      every(claimsMs, 'claims', options.claims.abandonLate)
      every(sweepMs, 'sweep', sweep)
      every(watchMs, 'jobs', watch)
      every(sweepMs, 'erased', blobs.removeLate)
      const started = options.now()
      const sweepBlobs = (graceMs: number): Promise<number> => blobs.sweep((keys) => store.blobsInUse(keys), graceMs)
      const first = (): Promise<number> => {
        const age = options.now() - started
        // If this is the only process, nobody can still name a blob that was written before it began; if the clock was set back, new blobs look older than that.
        return sweepBlobs(options.alone && age > firstSweepMs - clockSlackMs ? age : blobGraceMs)
      }
      timers.push(setTimeout(() => void guarded('blobs', first), firstSweepMs).unref())
      every(blobSweepMs, 'blobs', () => sweepBlobs(blobGraceMs))
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await guarded('keys', flushKeys)
    },
  }
}
