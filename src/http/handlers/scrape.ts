import { storedAnswer } from '../../app/results.ts'
import type { routes } from '../../spec/routes.ts'
import { baseUrl } from '../base-url.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import { type Edge, type Handler, json } from './handler.ts'

const retentionOf = (request: ScrapeRequest): 'normal' | 'zero' => (request.zeroDataRetention || request.lockdown ? 'zero' : 'normal')

async function run(request: ScrapeRequest, warnings: readonly string[], edge: Edge): Promise<Uint8Array> {
  const { ports } = edge
  const call = edge.call({ timeoutMs: request.timeout, retention: retentionOf(request) })
  const place = await ports.admission.enter(call)
  try {
    return await ports.scrape({ id: ports.newId(), request, warnings, queuedMs: place.waitedMs, baseUrl: baseUrl(edge.request, edge.options.publicUrl) }, call)
  } finally {
    place.release()
  }
}

/** POST /v2/scrape */
export const scrape: Handler<typeof routes.scrape> = async ({ body: request, warnings }, edge) => {
  const terms = { until: edge.ports.now() + request.timeout, keepable: retentionOf(request) === 'normal' }
  return json(await edge.once(terms, () => run(request, warnings, edge)))
}

/** GET /v2/scrape/{jobId} */
export const scrapeStatus: Handler<typeof routes.scrapeStatus> = async ({ params }, edge) =>
  json(await storedAnswer(params.jobId, edge.ports.results, edge.team))
