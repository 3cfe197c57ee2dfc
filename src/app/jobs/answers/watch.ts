import type { Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { limits } from '../../../spec/limits.ts'
import { unknownId } from '../../own.ts'
import { alone, documents, pageDocument } from './documents.ts'
import { type FollowPorts, followEvents } from './events.ts'
import { type StatusPorts, type Summary, summaryOf } from './status.ts'
import { jsonItems, pieces } from './stream.ts'

export interface WatchPorts extends StatusPorts, FollowPorts {
  readonly jobs: Pick<Jobs, 'results' | 'skipped' | 'find' | 'events'>
}

/** A message of the watch protocol, in pieces. */
export type Frame = AsyncIterable<Uint8Array>

async function* whole(type: string, data: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([Buffer.from(`{"type":"${type}","data":`), Buffer.from(data), Buffer.from('}')])
}

/** The results so far, as many as one frame may hold. If they do not all fit, the state comes last, because clients stop reading at an ended one. */
async function* catchupParts(job: Job, caught: { count: number }, ports: WatchPorts): AsyncGenerator<Uint8Array | string> {
  const { success, id, ...rest } = await summaryOf(job, ports)
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const document of documents(job.id, { skip: 0, limit: job.completed, maxBytes: limits.statusPageBytes }, ports)) {
      caught.count += 1
      yield document
    }
  }
  yield `{"type":"catchup","data":${JSON.stringify({ success, id }).slice(0, -1)},"data":`
  yield* jsonItems(counted())
  const state = caught.count < job.completed ? { status: 'scraping' } : {}
  yield `,${JSON.stringify({ ...rest, ...state, next: null }).slice(1)}}`
}

function lastFrame({ status, total, completed, creditsUsed, expiresAt, ...rest }: Summary): Frame {
  const counts = { status, total, completed, creditsUsed, expiresAt, data: [] }
  // Clients read `done` as completed.
  return status === 'completed' ? whole('done', JSON.stringify(counts)) : whole('status', JSON.stringify({ ...rest, ...counts, next: null }))
}

/**
 * The frames for a client that watches the job (contract §5.7): the results so far, each further result, the end. Consume each frame before
 * asking for the next. Ends without a last frame when the client is gone. Throws `NOT_FOUND` when the job is deleted meanwhile.
 */
export async function* watchFrames(job: Job, ports: WatchPorts): AsyncGenerator<Frame> {
  const caught = { count: 0 }
  yield pieces(catchupParts(job, caught, ports))
  const rest = { skip: caught.count, limit: job.completed - caught.count, maxBytes: Number.POSITIVE_INFINITY }
  for await (const document of documents(job.id, rest, ports)) yield whole('document', document)
  for await (const { event } of followEvents(job.id, job.lastEvent, ports)) {
    const { page } = event
    if (page === null) continue
    for await (const document of alone(page, () => pageDocument(page, ports), ports)) yield whole('document', document)
  }
  const after = await ports.jobs.find(job.id)
  if (after === null) throw unknownId('job')
  if (after.state !== 'scraping') yield lastFrame(await summaryOf(after, ports))
}
