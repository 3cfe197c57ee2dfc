import type { Jobs, TakeTerms } from '../domain/jobs/jobs.ts'
import type { PageTask } from '../domain/jobs/pages.ts'
import { sleep } from '../lib/sleep.ts'
import { doubt } from './doubt.ts'
import type { RunningPage } from './ended-jobs.ts'

interface LeasePorts {
  readonly jobs: Pick<Jobs, 'beat' | 'take' | 'leasedTo' | 'leave' | 'giveBack'>
  /** The pages that this worker runs. */
  readonly running: ReadonlySet<RunningPage>
}

interface LeaseOptions {
  readonly worker: string
  readonly leaseMs: number
  readonly now: () => number
  readonly log: (event: string, fields: Readonly<Record<string, string | number>>) => void
}

/** The leases of one worker: they hold as long as it sends heartbeats. */
export interface PageLeases {
  /** Renews the leases if any page runs. Aborts the running pages if their leases expired before this. */
  keepAlive(): Promise<void>
  /** Sends a heartbeat if the last one is old. Call it before `take`: the store leases nothing to a silent worker. */
  renew(): Promise<void>
  /** Leases pages. */
  take(terms: Omit<TakeTerms, 'worker'>): Promise<readonly PageTask[]>
  /** Gives back the pages of takes whose answer was lost: while this worker is alive, nobody else would get them. */
  giveBackUnknown(): Promise<void>
  /** Gives a page back. Retries while the store is away, because the lease does not expire while this worker is alive; ends at once when `stop` aborts. */
  giveBack(page: RunningPage, stop: AbortSignal): Promise<void>
  /** Gives back everything. */
  leave(): Promise<void>
}

/** When the store failed to write a page, it is retried after this pause, which doubles up to the maximum. */
const failed = { firstMs: 1_000, mostMs: 60_000 }
const storeAwayMs = 1_000

/** Takes, renews and gives back the page leases of a worker (R8). */
export function pageLeases({ jobs, running }: LeasePorts, { worker, leaseMs, now, log }: LeaseOptions): PageLeases {
  let aliveUntil = 0
  const { taking, remains } = doubt(now)

  async function beat(): Promise<void> {
    const until = now() + leaseMs
    await jobs.beat(worker, until, now())
    aliveUntil = until
  }

  return {
    async keepAlive() {
      if (running.size === 0) return
      try {
        // Expired leases belong to another worker now, and their tokens are refused: stop working on these pages.
        if (aliveUntil <= now()) for (const { abort } of running) abort.abort(new Error('lease lost'))
        await beat()
      } catch (error) {
        log('heartbeat-failed', { reason: String(error) })
      }
    },

    async renew() {
      if (aliveUntil - now() < leaseMs / 2) await beat()
    },

    take: (terms) => taking(() => jobs.take({ worker, ...terms }, now())),

    async giveBackUnknown() {
      if (!remains()) return
      // As long as this fails, the doubt remains.
      await taking(async () => {
        for (const lease of await jobs.leasedTo(worker)) {
          const own = [...running].some(({ task }) => task.job === lease.job && task.seq === lease.seq && task.token === lease.token)
          if (!own) await jobs.giveBack(lease, { runAt: now(), postponed: false }, now())
        }
      })
    },

    async giveBack({ task, abort }, stop) {
      for (let tries = 0; !stop.aborted; tries++) {
        try {
          // An aborted page is not at fault; one that could not be written may be, so the attempt counts.
          const terms = abort.signal.aborted ? { runAt: now(), postponed: false } : { runAt: now() + Math.min(failed.mostMs, failed.firstMs * 2 ** (task.attempt - 1)), postponed: false, counted: true }
          await jobs.giveBack(task, terms, now())
          return
        } catch (error) {
          // Not once a second for each page: what fails may be a disk that logs have filled.
          if (tries === 0) log('page-not-given-back', { job: task.job, page: task.seq, reason: String(error) })
          await sleep(storeAwayMs, stop).catch(() => undefined) // a stop, which the loop sees
        }
      }
    },

    async leave() {
      if (aliveUntil > 0) await jobs.leave(worker, now())
    },
  }
}
