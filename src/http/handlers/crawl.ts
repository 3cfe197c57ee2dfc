import { activeCrawls } from '../../app/jobs/active.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { CrawlRequest, CrawlStartAnswer } from '../../spec/crawl.ts'
import type { routes } from '../../spec/routes.ts'
import { callerOf, startMs } from './caller.ts'
import { type Edge, type Handler, json, type Reply } from './handler.ts'
import { jobHandlers, jobUrl } from './jobs.ts'

function refusePrompt(): never {
  throw new ServiceError('FEATURE_NOT_CONFIGURED', 'Not configured: options of a crawl from a prompt are not in this release; give the options themselves.', { details: { feature: 'prompt' } })
}

async function start(request: CrawlRequest, terms: Parameters<typeof callerOf>[0], edge: Edge): Promise<Uint8Array> {
  if (request.prompt !== undefined) refusePrompt()
  const { id } = await edge.ports.startCrawl(request, callerOf(terms, edge))
  const answer: CrawlStartAnswer = { success: true, id, url: jobUrl('crawl', id, edge) }
  return Buffer.from(JSON.stringify(answer))
}

/** POST /v2/crawl */
export const crawl: Handler<typeof routes.crawl> = async ({ body: request, warnings }, edge) => {
  const keepable = !request.zeroDataRetention && !request.scrapeOptions.lockdown
  return json(await edge.once({ until: edge.ports.now() + startMs, keepable }, () => start(request, { warnings, keepable }, edge)))
}

/** POST /v2/crawl/params-preview */
export const crawlPreview: Handler<typeof routes.crawlPreview> = () => refusePrompt()

/** GET /v2/crawl/active, GET /v2/crawl/ongoing */
export const active = async (_input: unknown, { ports, team }: Edge): Promise<Reply> => json(JSON.stringify(await activeCrawls(ports, team)))

/** What answers at the address of a crawl. */
export const ofCrawl = jobHandlers('crawl')
