import { inPlace } from '../../app/admission.ts'
import { withRoom } from '../../app/body-room.ts'
import { storedAnswer } from '../../app/results.ts'
import type { Claimed } from '../../domain/repeats.ts'
import { limits } from '../../spec/limits.ts'
import type { routes } from '../../spec/routes.ts'
import { baseUrl } from '../base-url.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import { type Edge, type Handler, json } from './handler.ts'
import { leftBehind } from './left-behind.ts'

const retentionOf = (request: ScrapeRequest): 'normal' | 'zero' => (request.zeroDataRetention || request.lockdown ? 'zero' : 'normal')

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

/** How long a stored response may wait for memory. */
const storedMs = 60_000

/** GET /v2/scrape/{jobId} */
export const scrapeStatus: Handler<typeof routes.scrapeStatus> = async ({ params }, edge) => {
  const call = edge.call({ timeoutMs: storedMs, retention: 'normal' })
  const { bodies, results } = edge.ports
  return withRoom(bodies, call, async ({ room }) => {
    // Its size is only known after reading it.
    await room?.take(limits.storedBytes, call.signal)
    return json(await storedAnswer(params.jobId, results, edge.team))
  })
}
