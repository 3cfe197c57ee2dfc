import { ServiceError } from '../../../domain/errors.ts'
import { crawlRules } from '../../../domain/crawl/rules.ts'
import { admit } from '../../../domain/crawl/admit.ts'
import { mainDomain } from '../../../domain/urls/site-url.ts'
import type { NewJob } from '../../../domain/jobs/job.ts'
import type { NewPage, SkippedUrl } from '../../../domain/jobs/pages.ts'
import { type NewTask, seedTask } from '../../../domain/queue.ts'
import type { CrawlRequest } from '../../../spec/crawl.ts'
import { limits } from '../../../spec/limits.ts'
import type { ScrapeRequest } from '../../../spec/scrape.ts'
import { begin, hasBegun } from './begin.ts'
import type { Starter, StartPorts } from '../ports.ts'
import { affordablePages, assertQueueRoom, assertRobotsGate, assertStartable, isCacheOnly, keptAs, pageCount, placesFor } from './warrant.ts'

/** Lower than every synchronous request. */
const seedPriority = 10

/** The task becomes due when the first page ends, since the start may redirect to another site; should that never be written, after this long. */
const seedLatestMs = 600_000

interface Start {
  readonly page: NewPage | null
  readonly skipped: readonly SkippedUrl[]
  readonly warnings: readonly string[]
}

/** The first page, or why it is skipped. Throws `BAD_REQUEST` for invalid patterns. */
async function startOf(request: CrawlRequest): Promise<Start> {
  const url = new URL(request.url)
  const admission = admit(url.href, null, crawlRules(request, { url, domain: await mainDomain(url.hostname) }))
  if (admission.ok) return { page: { url: request.url, key: admission.key, host: admission.host, depth: 0, external: false }, skipped: [], warnings: [] }
  const by = admission.reason === 'excluded' ? 'excludePaths leaves it out' : 'includePaths does not match it'
  return { page: null, skipped: [{ url: admission.url, reason: admission.reason }], warnings: [`The start URL is not part of the crawl (${by}), so there is nothing to follow.`] }
}

/** The page limit that the credits allow. Throws `INSUFFICIENT_CREDITS` if they do not cover the default limit, or cover no page at all. */
async function coveredLimit({ limit: given }: CrawlRequest, page: ScrapeRequest, ports: StartPorts, starter: Starter): Promise<Pick<NewJob, 'limit' | 'warnings'>> {
  const wanted = given ?? limits.crawlPages
  const { pages: limit, by } = await affordablePages(wanted, page, ports, starter)
  if (limit === wanted) return { limit, warnings: [] }
  const covered = `${by} cover ${pageCount(limit)}`
  if (limit === 0) throw new ServiceError('INSUFFICIENT_CREDITS', `${covered}.`)
  if (given === undefined) throw new ServiceError('INSUFFICIENT_CREDITS', `${covered}; give a limit.`)
  return { limit, warnings: [`${covered}: the limit was lowered to that.`] }
}

/**
 * Starts a crawl whose prompt, if any, is already turned into options. Throws `BAD_REQUEST` for unusable patterns and receivers, `FORBIDDEN`
 * for robots options that the team may not use, `INSUFFICIENT_CREDITS`, `QUEUE_FULL`, and what planning a scrape throws.
 */
export async function startCrawl(request: CrawlRequest, ports: StartPorts, starter: Starter): Promise<{ readonly id: string }> {
  assertRobotsGate(request, ports, starter)
  // Before credits and queue room are checked a second time.
  if (await hasBegun({ ...starter, kind: 'crawl' }, ports)) return { id: starter.id }
  const page: ScrapeRequest = { ...request.scrapeOptions, url: request.url, explain: false }
  const start = await startOf(request)
  await assertStartable({ page, webhook: request.webhook, optionsAt: 'scrapeOptions' }, ports, starter)
  const { limit, warnings } = await coveredLimit(request, page, ports, starter)
  await assertQueueRoom(1, ports, starter)
  const now = ports.now()
  const seeding = start.page !== null && request.sitemap !== 'skip' && !isCacheOnly(page)
  const unread = request.sitemap === 'only' && isCacheOnly(page) ? ['Where only the cache is asked no sitemap is read: the start is all there is.'] : []
  const job: NewJob = {
    id: starter.id,
    team: starter.team,
    key: starter.key,
    kind: 'crawl',
    url: request.url,
    // Without the webhook, which is stored separately and may hold the receiver's secrets.
    request: JSON.stringify({ ...request, webhook: undefined }),
    baseUrl: starter.baseUrl,
    ...keptAs(page, ports),
    limit,
    maxConcurrency: request.delay === undefined ? placesFor(page, request.maxConcurrency, ports) : 1,
    delayMs: Math.round((request.delay ?? 0) * 1_000),
    webhook: request.webhook ?? ports.fallback,
    warnings: [...starter.warnings, ...start.warnings, ...warnings, ...unread],
    seeding,
    recalls: start.page !== null && page.formats.some((format) => format.type === 'changeTracking'),
    createdAt: now,
  }
  const seedOf = (id: string): NewTask | null => (seeding ? { id, team: starter.team, kind: seedTask, priority: seedPriority, runAt: now + seedLatestMs, payload: '', maxAttempts: 3, createdAt: now } : null)
  // A crawl without a page ends as it begins.
  const pages = start.page === null ? [] : [start.page]
  return { id: await begin(job, (id) => ({ pages, skipped: start.skipped, eventId: ports.newId(), seed: seedOf(id) }), ports) }
}
