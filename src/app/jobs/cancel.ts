import { ServiceError } from '../../domain/errors.ts'
import type { Job, Jobs } from '../../domain/jobs.ts'

export interface CancelPorts {
  readonly jobs: Pick<Jobs, 'cancel' | 'find'>
  readonly newId: () => string
  readonly now: () => number
}

/** Ends a running job; one that was cancelled before is cancelled. Throws `JOB_ALREADY_FINISHED` for one that has ended otherwise. */
export async function cancelJob({ id }: Job, ports: CancelPorts): Promise<void> {
  const outcome = await ports.jobs.cancel(id, ports.newId(), ports.now())
  if (outcome === 'cancelled') return
  // Asked again: another request may have cancelled it since it was found.
  const job = outcome === 'finished' ? await ports.jobs.find(id) : null
  if (job === null) throw new ServiceError('NOT_FOUND', 'No job has this id.')
  if (job.state !== 'cancelled') throw new ServiceError('JOB_ALREADY_FINISHED')
}
