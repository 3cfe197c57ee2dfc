import type { JobEvent } from '../../../domain/jobs/events.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import type { Blobs } from '../../../domain/blobs.ts'
import { alone, type DocumentPorts } from './documents.ts'
import { keptBlobs } from '../../kept-blobs.ts'
import { eventBody } from './event-body.ts'

export interface FollowPorts {
  readonly jobs: Pick<Jobs, 'find' | 'events'>
  /** Resolves when something may have changed since the last call; false when the client is gone. */
  readonly changed: () => Promise<boolean>
}

/** An event, with the job as it was then or later. */
export interface Followed {
  readonly job: Job
  readonly event: JobEvent
}

const chunkSize = 100

/** The events of a job after that number, past and future. Ends when the job has ended or is deleted, and when the client is gone. */
export async function* followEvents(id: string, after: number, { jobs, changed }: FollowPorts): AsyncGenerator<Followed> {
  for (let last = after; ; ) {
    const job = await jobs.find(id)
    if (job === null) return
    // Events after the job was read wait for the next turn, so that the job's `error` belongs to its last event.
    const events = job.lastEvent <= last ? [] : (await jobs.events(id, last, chunkSize)).filter((event) => event.seq <= job.lastEvent)
    for (const event of events) {
      yield { job, event }
      last = event.seq
    }
    const isRead = last >= job.lastEvent || events.length === 0
    if (isRead && (job.state !== 'scraping' || !(await changed()))) return
  }
}

/** The events as server-sent events (contract §15.20). */
export async function* eventStream(id: string, after: number, ports: FollowPorts & Pick<DocumentPorts, 'held' | 'now'> & { readonly blobs: Blobs }): AsyncGenerator<Uint8Array> {
  for await (const { job, event } of followEvents(id, after, ports)) {
    const read = async (): Promise<Uint8Array> => {
      const body = await eventBody(job, event, keptBlobs(ports.blobs, event.at, ports.now))
      return Buffer.concat([Buffer.from(`event: ${event.type}\nid: ${event.seq}\ndata: `), body, Buffer.from('\n\n')])
    }
    yield* alone(event.page ?? { bytes: 0 }, read, ports)
  }
}
