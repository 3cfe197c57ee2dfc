import { activeCrawls } from '../../app/jobs/answers/active.ts'
import type { MadeOptions, WishedCrawl } from '../../app/jobs/start/crawl-options.ts'
import { onFullUrl } from '../../domain/crawl/wish.ts'
import { type CrawlPreviewAnswer, type CrawlRequest, type CrawlStartAnswer, CrawlWish } from '../../spec/crawl.ts'
import type { routes } from '../../spec/routes.ts'
import { retentionOf } from '../../spec/scrape.ts'
import { callerOf, startMs, type StartTerms } from './caller.ts'
import { type Edge, type Handler, json, type Reply } from './handler.ts'
import { jobHandlers, jobUrl } from './jobs.ts'

/** A model that takes longer counts as failed. */
const wishMs = 45_000

/** Crawl options made from a prompt, within a time limit of their own. */
const wished = ({ url, prompt }: WishedCrawl, retention: 'normal' | 'zero', edge: Edge): Promise<MadeOptions> => edge.ports.crawlOptions({ url, prompt }, edge.call({ timeoutMs: wishMs, retention }))

const told = (keys: readonly string[], request: CrawlRequest): object => Object.fromEntries(Object.entries(request).filter(([key]) => keys.includes(key)))

async function start(request: CrawlRequest, terms: StartTerms, edge: Edge): Promise<Uint8Array> {
  const { url, prompt } = request
  const { given } = terms
  const made = prompt === undefined ? null : await wished({ url, prompt }, terms.keepable ? 'normal' : 'zero', edge)
  const options: CrawlWish = made?.options ?? {}
  const inUrls = request.regexOnFullURL ? Object.fromEntries((['includePaths', 'excludePaths'] as const).flatMap((key) => (options[key] === undefined ? [] : [[key, options[key].map(onFullUrl)]]))) : {} // names of options
  const chosen = Object.entries({ ...options, ...inUrls }).filter(([key]) => !given.has(key))
  const final: CrawlRequest = { ...request, ...Object.fromEntries(chosen) }
  const { id } = await edge.ports.startCrawl(final, callerOf({ ...terms, warnings: [...terms.warnings, ...(made?.warnings ?? [])] }, edge))
  const optionKeys = [...Object.keys(CrawlWish.shape), 'regexOnFullURL', 'maxConcurrency'].filter((key) => given.has(key) || chosen.some(([one]) => one === key))
  const answer: CrawlStartAnswer = {
    success: true, id, url: jobUrl('crawl', id, edge),
    ...(made === null ? {} : { promptGeneratedOptions: made.options, finalCrawlerOptions: { ...told(optionKeys, final) } }),
  }
  return Buffer.from(JSON.stringify(answer))
}

/** POST /v2/crawl */
export const crawl: Handler<typeof routes.crawl> = async ({ body: request, warnings, given }, edge) => {
  const keepable = retentionOf(request.scrapeOptions) === 'normal'
  return json(await edge.once({ until: edge.ports.now() + startMs, keepable }, () => start(request, { warnings, keepable, given }, edge)))
}

/** POST /v2/crawl/params-preview */
export const crawlPreview: Handler<typeof routes.crawlPreview> = async ({ body: { url, prompt }, warnings }, edge) => {
  const made = await wished({ url, prompt }, 'normal', edge)
  const warning = [...warnings, ...made.warnings].join(' ')
  const answer: CrawlPreviewAnswer = { success: true, data: { url, ...made.options }, ...(warning === '' ? {} : { warning }) }
  return json(JSON.stringify(answer))
}

/** GET /v2/crawl/active, GET /v2/crawl/ongoing */
export const active = async (_input: unknown, { ports, team }: Edge): Promise<Reply> => json(JSON.stringify(await activeCrawls(ports, team)))

/** The handlers at the URL of a crawl. */
export const ofCrawl = jobHandlers('crawl')
