import type { Job } from '../../domain/jobs.ts'
import { type DocumentPorts, documents } from './documents.ts'
import { pieces } from './stream.ts'

async function* lines(job: Job, ports: DocumentPorts): AsyncGenerator<Uint8Array | string> {
  for await (const document of documents(job.id, { skip: 0, limit: job.completed, maxBytes: Number.POSITIVE_INFINITY }, ports)) {
    yield document
    yield '\n'
  }
}

/** Every result that the job has by now, one a line (contract §15.20). JSON text holds no line end of its own. */
export function exportBody(job: Job, ports: DocumentPorts): AsyncGenerator<Uint8Array> {
  return pieces(lines(job, ports))
}
