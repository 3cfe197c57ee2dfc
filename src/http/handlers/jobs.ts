import { cancelJob } from '../../app/jobs/cancel.ts'
import type { DocumentPorts } from '../../app/jobs/answers/documents.ts'
import { errorsBody } from '../../app/jobs/answers/errors.ts'
import { eventStream } from '../../app/jobs/answers/events.ts'
import { exportBody } from '../../app/jobs/answers/export.ts'
import { findJob } from '../../app/jobs/answers/find.ts'
import { statusBody } from '../../app/jobs/answers/status.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Job, JobKind } from '../../domain/jobs/job.ts'
import type { StatusQuery } from '../../spec/jobs.ts'
import { limits } from '../../spec/limits.ts'
import { baseUrl } from '../base-url.ts'
import { whileGood, whileGoodOrThrow } from '../followers.ts'
import { forAWhile, heldFor } from '../held.ts'
import { withHeartbeat } from '../heartbeat.ts'
import { heartbeatMs } from '../keep-alive.ts'
import { type Edge, json, type Reply } from './handler.ts'

interface OfJob<Q = unknown> {
  readonly params: { readonly id: string }
  readonly query: Q
}

/** The paths of each kind of job. */
const jobPaths: Readonly<Record<JobKind, string>> = { batch: '/v2/batch/scrape', crawl: '/v2/crawl' }

/** URL of a job, as its caller addressed us. */
export function jobUrl(kind: JobKind, id: string, { request, options }: Edge): string {
  return `${baseUrl(request, options.publicUrl)}${jobPaths[kind]}/${id}`
}

const eventMedia = 'text/event-stream; charset=utf-8'
/** An empty comment of the event stream. */
const beat = Buffer.from(':\n\n')

/** Counts the documents of an answer, which waits for its memory only so long. */
function heldShortly({ ports, team, reply, options }: Edge): NonNullable<DocumentPorts['held']> {
  const { room, signal } = heldFor(team, reply.raw, ports)
  return { room: forAWhile(room, options), signal }
}

function lastEventId({ headers }: Edge['request']): number | undefined {
  const given = headers['last-event-id']
  if (given === undefined || given === '') return undefined
  const id = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN
  if (!(id <= limits.count)) throw new ServiceError('BAD_REQUEST', 'Last-Event-ID is not the number of an event.')
  return id
}

/** The handlers at the URL of a job of that kind. */
export function jobHandlers(kind: JobKind) {
  const found = ({ params }: OfJob, { ports, team }: Edge): Promise<Job> => findJob({ id: params.id, kind }, ports, team)
  return {
    /** GET …/{id} */
    status: async (input: OfJob<StatusQuery>, edge: Edge): Promise<Reply> => {
      const job = await found(input, edge)
      return json(statusBody(job, { ...input.query, url: jobUrl(kind, job.id, edge) }, { ...edge.ports, held: heldShortly(edge) }))
    },
    /** DELETE …/{id} */
    cancel: async (input: OfJob, edge: Edge): Promise<Reply> => {
      await cancelJob(await found(input, edge), edge.ports)
      return json('{"success":true,"status":"cancelled"}')
    },
    /** GET …/{id}/errors */
    errors: async (input: OfJob<{ readonly skipped?: boolean | undefined }>, edge: Edge): Promise<Reply> =>
      json(errorsBody(await found(input, edge), { skipped: input.query.skipped === true }, edge.ports)),
    /** GET …/{id}/export */
    export: async (input: OfJob, edge: Edge): Promise<Reply> => {
      const job = await found(input, edge)
      void edge.reply.headers({ 'content-disposition': `attachment; filename="${job.id}.ndjson"` })
      return { media: 'application/x-ndjson; charset=utf-8', body: whileGoodOrThrow(exportBody(job, { ...edge.ports, held: heldShortly(edge) }), edge.standing()) }
    },
    /** GET …/{id}/events */
    events: async (input: OfJob<{ readonly lastEventId?: number | undefined }>, edge: Edge): Promise<Reply> => {
      const after = lastEventId(edge.request) ?? input.query.lastEventId ?? 0
      const job = await found(input, edge)
      // By the HTML standard §9.2.3, only this status keeps a browser from reconnecting forever.
      if (job.state !== 'scraping' && after >= job.lastEvent) return { media: eventMedia, body: '', status: 204 }
      const follower = edge.follow()
      // Proxies that buffer responses would delay every event.
      void edge.reply.headers({ 'x-accel-buffering': 'no' })
      const stream = whileGood(eventStream(job.id, after, { ...follower.patient(edge.ports), now: edge.ports.now, held: heldFor(edge.team, edge.reply.raw, edge.ports), changed: follower.changed }), follower)
      return { media: eventMedia, body: withHeartbeat(stream, beat, edge.options.heartbeatMs ?? heartbeatMs) }
    },
  }
}
