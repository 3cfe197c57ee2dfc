import { ServiceError } from '../../../domain/errors.ts'
import type { NewPage, SkippedUrl } from '../../../domain/jobs/pages.ts'
import { cacheUrl } from '../../../domain/urls/url.ts'
import type { BatchRequest } from '../../../spec/batch.ts'
import { targetUrlOf, telemetry } from '../../../spec/common.ts'
import type { ScrapeRequest } from '../../../spec/scrape.ts'
import { begin, hasBegun } from './begin.ts'
import { findJob } from '../answers/find.ts'
import type { Starter, StartPorts } from '../ports.ts'
import { affordablePages, assertQueueRoom, assertStartable, keptAs, pageCount, placesFor, refusedOptions } from './warrant.ts'

/** A batch that was started or extended. */
export interface StartedBatch {
  readonly id: string
  /** Invalid URLs as given; absent if they are refused instead. */
  readonly invalidURLs?: readonly string[]
  /** Warnings about this request, which the status of an extended batch does not contain. */
  readonly warnings?: readonly string[]
}

interface Sorted {
  readonly pages: readonly NewPage[]
  /** Duplicates under another spelling, and what is no URL. */
  readonly skipped: readonly SkippedUrl[]
  readonly invalid: readonly { readonly url: string; readonly index: number; readonly fault: string }[]
}

/** URLs examined in one go; a batch may have so many that others would wait too long. */
const atOnce = 500

async function sorted(urls: readonly string[], { breathe }: Pick<StartPorts, 'breathe'>): Promise<Sorted> {
  const pages = new Map<string, NewPage>()
  const skipped: SkippedUrl[] = []
  const invalid: { url: string; index: number; fault: string }[] = []
  for (const [index, text] of urls.entries()) {
    if (index > 0 && index % atOnce === 0) await breathe()
    const target = targetUrlOf(text)
    if ('fault' in target) {
      invalid.push({ url: text, index, fault: target.fault })
      skipped.push({ url: text, reason: 'invalid' })
      continue
    }
    const key = cacheUrl(target.parsed)
    if (pages.has(key)) skipped.push({ url: target.url, reason: 'duplicate' })
    else pages.set(key, { url: target.url, key, host: target.parsed.host, depth: 0, external: false })
  }
  return { pages: [...pages.values()], skipped, invalid }
}

/** The scrape of one page of the batch. */
function pageOf(request: BatchRequest, url: string): ScrapeRequest {
  const { urls: _urls, ignoreInvalidURLs: _ignore, maxConcurrency: _max, appendToId: _append, webhook: _webhook, ...options } = request
  return { ...options, url, explain: false }
}

/** The options of a page that were given and are not the batch's. */
function othersThan(own: ScrapeRequest, page: ScrapeRequest, given: ReadonlySet<string>): readonly string[] {
  const keys = Object.keys(page) as (keyof ScrapeRequest)[] // of a parsed request
  return keys.filter((key) => given.has(key) && !(key in telemetry) && JSON.stringify(page[key]) !== JSON.stringify(own[key]))
}

const hasEnded = (): ServiceError => new ServiceError('JOB_ALREADY_FINISHED', 'The batch has ended; start another.')

/** The scrape of one page of the batch that a request adds to. Pages are added under the batch's own options: others would be silently ignored, so they are refused. */
async function ownPage(request: BatchRequest, url: string, ports: StartPorts, { team, given }: Starter): Promise<ScrapeRequest> {
  const job = await findJob({ id: request.appendToId ?? '', kind: 'batch' }, ports, team)
  if (job.state !== 'scraping') throw hasEnded()
  const ofBatch = (['webhook', 'maxConcurrency'] as const).filter((key) => request[key] !== undefined) // names of options
  if (ofBatch.length > 0) throw refusedOptions('appendToId takes webhook and maxConcurrency of the batch; leave them out.', ofBatch)
  const own = JSON.parse(job.request) as ScrapeRequest // written by startBatch below
  const others = othersThan(own, pageOf(request, ''), given)
  if (others.length > 0) throw refusedOptions(`appendToId takes the options of the batch, which has others for ${others.join(', ')}; leave them out.`, others)
  return { ...own, url }
}

/**
 * Starts a batch, or extends a running one. Throws `BAD_REQUEST` when no URL is valid, or one is invalid and none may be; `FORBIDDEN`,
 * `NOT_FOUND`, `JOB_EXPIRED` and `JOB_ALREADY_FINISHED` for `appendToId`; `INSUFFICIENT_CREDITS`, `QUEUE_FULL`, and what planning a scrape
 * throws.
 */
export async function startBatch(request: BatchRequest, ports: StartPorts, starter: Starter): Promise<StartedBatch> {
  const { pages, skipped, invalid } = await sorted(request.urls, ports)
  if (invalid.length > 0 && (!request.ignoreInvalidURLs || pages.length === 0)) {
    const details = invalid.map(({ url, index, fault }) => ({ code: 'invalid_url', path: ['urls', index], message: `${fault}: ${url.slice(0, 200)}` }))
    throw new ServiceError('BAD_REQUEST', `Bad Request: ${invalid.length} of ${request.urls.length} URLs are not valid: ${details[0]?.message ?? ''}`, { details })
  }
  const answer = request.ignoreInvalidURLs ? { invalidURLs: invalid.map(({ url }) => url) } : {}
  // Before credits and queue room are checked a second time.
  if (request.appendToId === undefined && (await hasBegun({ ...starter, kind: 'batch' }, ports))) return { id: starter.id, ...answer }
  const first = pages[0]?.url ?? ''
  // Added pages cost what the batch's own options cost.
  const page = request.appendToId === undefined ? pageOf(request, first) : await ownPage(request, first, ports, starter)
  await assertStartable({ page, webhook: request.webhook }, ports, starter)
  const affordable = await affordablePages(pages.length, page, ports, starter)
  if (affordable.pages < pages.length) throw new ServiceError('INSUFFICIENT_CREDITS', `${affordable.by} cover ${pageCount(affordable.pages)} of ${pages.length}.`)
  await assertQueueRoom(pages.length, ports, starter)
  if (request.appendToId !== undefined) {
    if (!(await ports.jobs.append(request.appendToId, pages, skipped, ports.now()))) throw hasEnded()
    return { id: request.appendToId, ...answer, warnings: starter.warnings }
  }
  const id = await begin(
    {
      id: starter.id,
      team: starter.team,
      key: starter.key,
      kind: 'batch',
      url: null,
      request: JSON.stringify(pageOf(request, '')),
      baseUrl: starter.baseUrl,
      ...keptAs(page, ports),
      limit: pages.length,
      maxConcurrency: placesFor(page, request.maxConcurrency, ports),
      delayMs: 0,
      webhook: request.webhook ?? ports.fallback,
      warnings: starter.warnings,
      seeding: false,
      createdAt: ports.now(),
    },
    () => ({ pages, skipped, eventId: ports.newId(), seed: null }),
    ports,
  )
  return { id, ...answer }
}
