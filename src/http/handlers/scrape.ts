import { inPlace } from '../../app/admission.ts'
import { storedAnswer } from '../../app/results.ts'
import type { Claimed } from '../../domain/teams/repeats.ts'
import type { routes } from '../../spec/routes.ts'
import { baseUrl } from '../base-url.ts'
import { retentionOf, type ScrapeRequest } from '../../spec/scrape.ts'
import { type Edge, type Handler, json } from './handler.ts'
import { leftBehind, stored } from './stored.ts'

async function run(request: ScrapeRequest, { id, again, warnings }: Claimed & { readonly warnings: readonly string[] }, edge: Edge): Promise<Uint8Array> {
  const { ports } = edge
  const call = edge.call({ timeoutMs: request.timeout, retention: retentionOf(request) })
  return (again ? await leftBehind(id, edge, call) : null) ?? inPlace(ports.admission, call, ({ waitedMs }) => ports.scrape({ id, request, warnings, queuedMs: waitedMs, baseUrl: baseUrl(edge.request, edge.options.publicUrl) }, call))
}

/** POST /v2/scrape */
export const scrape: Handler<typeof routes.scrape> = async ({ body: request, warnings }, edge) => {
  const terms = { until: edge.ports.now() + request.timeout, keepable: retentionOf(request) === 'normal' }
  return json(await edge.once(terms, (own) => run(request, { ...own, warnings }, edge)))
}

/** GET /v2/scrape/{jobId} */
export const scrapeStatus: Handler<typeof routes.scrapeStatus> = ({ params }, edge) => stored(() => storedAnswer(params.jobId, edge.ports.results, edge.team), edge)
