import type { JobEvent } from '../../domain/jobs/events.ts'
import type { Job } from '../../domain/jobs/job.ts'
import type { Jobs } from '../../domain/jobs/jobs.ts'
import type { Blobs } from '../../domain/blobs.ts'
import { eventBody } from './event-body.ts'

export interface FollowPorts {
  readonly jobs: Pick<Jobs, 'find' | 'events'>
  /** Answers when something may have happened since it last did; false when nobody listens any more. */
  readonly changed: () => Promise<boolean>
}

/** An event, and the job as it stood then or later. */
export interface Followed {
  readonly job: Job
  readonly event: JobEvent
}

const chunkSize = 100

/** The events of a job after that number, those to come included; ends when the job has ended, when it is no more, and when nobody listens. */
export async function* followEvents(id: string, after: number, { jobs, changed }: FollowPorts): AsyncGenerator<Followed> {
  for (let last = after; ; ) {
    const job = await jobs.find(id)
    if (job === null) return
    // What has come since the job was read waits for the next turn: `error` of the job is that of its last event then.
    const events = job.lastEvent <= last ? [] : (await jobs.events(id, last, chunkSize)).filter((event) => event.seq <= job.lastEvent)
    for (const event of events) {
      yield { job, event }
      last = event.seq
    }
    if (job.state !== 'scraping' && (last >= job.lastEvent || events.length === 0)) return
    if ((events.length === 0 || last >= job.lastEvent) && !(await changed())) return
  }
}

/** The events as server-sent events (contract §15.20). */
export async function* eventStream(id: string, after: number, ports: FollowPorts & { readonly blobs: Blobs }): AsyncGenerator<Uint8Array> {
  for await (const { job, event } of followEvents(id, after, ports)) {
    const body = await eventBody(job, event, ports.blobs)
    yield Buffer.concat([Buffer.from(`event: ${event.type}\nid: ${event.seq}\ndata: `), body, Buffer.from('\n\n')])
  }
}
