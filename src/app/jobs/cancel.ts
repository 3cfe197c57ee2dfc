import { ServiceError } from '../../domain/errors.ts'
import type { Job } from '../../domain/jobs/job.ts'
import type { Jobs } from '../../domain/jobs/jobs.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Store } from '../../domain/store.ts'
import { unknownId } from '../own.ts'

/** Where the bytes of erased results are deleted. */
export interface ErasurePorts {
  readonly blobs: Pick<Blobs, 'remove'>
  readonly blobsInUse: Store['blobsInUse']
}

export interface CancelPorts extends ErasurePorts {
  readonly jobs: Pick<Jobs, 'cancel' | 'erase' | 'find'>
  readonly newId: () => string
  readonly now: () => number
}

/** A blob is written before the row that names it: younger ones may be about to be named, and are left to the sweep. */
const youngMs = 60_000

/** Deletes the blobs of erased results that nothing else names. */
export async function removeErased(keys: readonly string[], { blobs, blobsInUse }: ErasurePorts): Promise<void> {
  if (keys.length > 0) await blobs.remove(keys, blobsInUse, youngMs)
}

/**
 * Ends a running job; a job cancelled before counts as cancelled. With zero retention, everything the job gathered is erased, however it ended
 * (contract §15.22). Throws `JOB_ALREADY_FINISHED` for one that ended otherwise.
 */
export async function cancelJob({ id, retention }: Pick<Job, 'id' | 'retention'>, ports: CancelPorts): Promise<void> {
  const outcome = await ports.jobs.cancel(id, ports.newId(), ports.now())
  if (retention === 'zero') await removeErased(await ports.jobs.erase(id), ports)
  if (outcome === 'cancelled') return
  // Read again: another request may have cancelled it in the meantime.
  const job = outcome === 'finished' ? await ports.jobs.find(id) : null
  if (job === null) throw unknownId('job')
  if (job.state !== 'cancelled') throw new ServiceError('JOB_ALREADY_FINISHED', retention === 'zero' ? 'The job had ended; what it gathered has been erased.' : undefined)
}
