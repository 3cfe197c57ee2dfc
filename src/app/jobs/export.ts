import { ServiceError } from '../../domain/errors.ts'
import type { Job } from '../../domain/jobs/job.ts'
import { type DocumentPorts, documents } from './documents.ts'
import { pieces } from './stream.ts'

async function* lines(job: Job, ports: DocumentPorts): AsyncGenerator<Uint8Array | string> {
  let given = 0
  for await (const document of documents(job.id, { skip: 0, limit: job.completed, maxBytes: Number.POSITIVE_INFINITY }, ports)) {
    yield document
    yield '\n'
    given += 1
  }
  // A part is not to be taken for the whole.
  if (given > 0 && given < job.completed) throw new ServiceError('JOB_EXPIRED', 'The results of this job went while they were sent.')
}

/** Every result that the job has by now, one a line (contract §15.20). JSON text holds no line end of its own. Throws `JOB_EXPIRED` where they go meanwhile. */
export function exportBody(job: Job, ports: DocumentPorts): AsyncGenerator<Uint8Array> {
  return pieces(lines(job, ports))
}
