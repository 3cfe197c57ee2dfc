import { ServiceError } from '../../../domain/errors.ts'
import type { Job, JobKind } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { assertOwn, unknownId } from '../../own.ts'

export interface FindPorts {
  readonly jobs: Pick<Jobs, 'find' | 'former'>
  readonly now: () => number
}

/** The job of that id and kind. Throws `NOT_FOUND`, `JOB_EXPIRED`, and `FORBIDDEN` for another team's. */
export async function findJob({ id, kind }: { readonly id: string; readonly kind: JobKind }, ports: FindPorts, team: string): Promise<Job> {
  const job = await ports.jobs.find(id)
  const known = job ?? (await ports.jobs.former(id))
  if (known?.kind !== kind) throw unknownId('job')
  assertOwn('job', known, team)
  if (job === null || (job.expiresAt !== null && job.expiresAt <= ports.now())) throw new ServiceError('JOB_EXPIRED')
  return job
}
