import type { PageVisit } from './bounds.ts'
import type { KnownJob } from './memory.ts'
import type { WorkPorts } from '../ports.ts'

/** The hosts that had answered a job when this process began to work on it, read once. */
const hosts = new WeakMap<KnownJob, Promise<ReadonlySet<string>>>()

/**
 * Whether the page's host answered for the job in a process before this one, which may have been started while the host
 * was away.
 */
export async function hasAnsweredBefore({ task, known }: Pick<PageVisit, 'task' | 'known'>, { jobs }: Pick<WorkPorts, 'jobs'>): Promise<boolean> {
  if (known.job.completed === 0) return false
  const reading = hosts.get(known) ?? jobs.answered(task.job).then((all) => new Set(all))
  hosts.set(known, reading)
  try {
    return (await reading).has(`${new URL(task.url).protocol}//${task.host}`)
  } catch (error) {
    hosts.delete(known)
    throw error
  }
}
