import type { Jobs } from '../domain/jobs/jobs.ts'
import type { PageTask } from '../domain/jobs/pages.ts'

/** A page that this process works on. */
export interface RunningPage {
  readonly task: PageTask
  readonly abort: AbortController
}

/** Aborts the running pages of jobs that have ended: their results are not wanted. */
export interface EndedJobs {
  /** Checks soon whether the jobs of running pages have ended. */
  check(): void
  stop(): void
}

/** The store changes hundreds of times per second: check at most this often for jobs that were cancelled. */
const everyMs = 500

/** A watch over the set of running pages, which its owner changes. */
export function endedJobs(jobs: Pick<Jobs, 'find'>, running: ReadonlySet<RunningPage>, log: (event: string, fields: Readonly<Record<string, string | number>>) => void): EndedJobs {
  let due: NodeJS.Timeout | null = null

  async function breakOff(): Promise<void> {
    for (const id of new Set([...running].map(({ task }) => task.job))) {
      const job = await jobs.find(id)
      if (job?.state === 'scraping') continue
      for (const { task, abort } of running) if (task.job === id) abort.abort(new Error('job ended'))
    }
  }

  return {
    check() {
      if (due !== null || running.size === 0) return
      due = setTimeout(() => {
        breakOff()
          .catch((error: unknown) => log('jobs-unreachable', { reason: String(error) }))
          .finally(() => void (due = null))
      }, everyMs).unref()
    },
    stop() {
      if (due !== null) clearTimeout(due)
    },
  }
}
