import { ServiceError } from '../../../domain/errors.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import { type DocumentPorts, documents } from './documents.ts'
import { erasedNote } from './status.ts'
import { pieces } from './stream.ts'

async function* lines(job: Job, ports: DocumentPorts): AsyncGenerator<Uint8Array | string> {
  let given = 0
  for await (const document of documents(job.id, { skip: 0, limit: job.completed, maxBytes: Number.POSITIVE_INFINITY }, ports)) {
    yield document
    yield '\n'
    given += 1
  }
  // An incomplete export must not look complete. It has no place for the warning of a status answer.
  if (given < job.completed) throw new ServiceError('JOB_EXPIRED', given === 0 ? erasedNote : 'The results of this job went while they were sent.')
}

/** Every result so far, one JSON text a line (contract §15.20). Throws `JOB_EXPIRED` if they have been erased, or disappear meanwhile. */
export function exportBody(job: Job, ports: DocumentPorts): AsyncGenerator<Uint8Array> {
  return pieces(lines(job, ports))
}
