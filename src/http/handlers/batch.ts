import type { BatchRequest, BatchStartAnswer } from '../../spec/batch.ts'
import type { routes } from '../../spec/routes.ts'
import { retentionOf } from '../../spec/scrape.ts'
import { callerOf, startMs, type StartTerms } from './caller.ts'
import { type Edge, type Handler, json } from './handler.ts'
import { jobHandlers, jobUrl } from './jobs.ts'

async function start(request: BatchRequest, terms: StartTerms, edge: Edge): Promise<Uint8Array> {
  const { id, invalidURLs, warnings = [] } = await edge.ports.startBatch(request, callerOf(terms, edge))
  const answer: BatchStartAnswer = { success: true, id, url: jobUrl('batch', id, edge), ...(invalidURLs === undefined ? {} : { invalidURLs: [...invalidURLs] }), ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }) }
  return Buffer.from(JSON.stringify(answer))
}

/** POST /v2/batch/scrape */
export const batch: Handler<typeof routes.batch> = async ({ body: request, warnings, given }, edge) => {
  const keepable = retentionOf(request) === 'normal'
  return json(await edge.once({ until: edge.ports.now() + startMs, keepable }, () => start(request, { warnings, keepable, given }, edge)))
}

/** The handlers at the URL of a batch. */
export const ofBatch = jobHandlers('batch')
