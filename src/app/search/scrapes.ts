import type { Call } from '../../domain/call.ts'
import { costOfFailure } from '../../domain/teams/credits.ts'
import { ServiceError } from '../../domain/errors.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { timeLimit, untilAborted } from '../../lib/deadline.ts'
import { targetUrlOf } from '../../spec/common.ts'
import { limits } from '../../spec/limits.ts'
import { retentionOf, type ScrapeData, type ScrapeRequest } from '../../spec/scrape.ts'
import type { SearchRequest } from '../../spec/search.ts'
import { idOfKey } from '../idempotency.ts'
import { answerLeft } from '../results.ts'
import { assertPlannable } from '../scrape/plannable.ts'
import type { SearchJob, SearchPorts } from './ports.ts'
import type { SearchPlan } from './plan.ts'

/** The outcome of a result's page: its parts of the answer. */
export interface Scraped {
  readonly document: Omit<Partial<ScrapeData>, 'metadata'> & { readonly metadata: Readonly<Record<string, unknown>> }
  readonly credits: number
  /** What the page would have needed more of, where that kept it from being scraped. */
  readonly lacked: 'time' | 'credits' | null
}

/** The options are checked with it: they do not depend on the page. */
const anyUrl = 'https://example.com/'

/** Time reserved for the answer once the pages are there. */
const answerMs = (timeout: number): number => Math.min(1_000, timeout * 0.4)

/** The scrape request for a result; null for an address that no scrape accepts. */
function requestOf(url: string, options: NonNullable<SearchRequest['scrapeOptions']>, zero: boolean): ScrapeRequest | null {
  if ('fault' in targetUrlOf(url)) return null
  // The options are validated already; only the address is new.
  return { ...options, url, explain: false, zeroDataRetention: options.zeroDataRetention || zero }
}

const tooLarge = 'Left out, as the answer would be too large: scrape this page by itself.'

const failed = (url: string, error: unknown): Scraped['document'] => {
  const known = error instanceof ServiceError ? error : new ServiceError('UNKNOWN_ERROR')
  return { metadata: { sourceURL: url, url, statusCode: known.status, error: known.message } }
}

interface Terms {
  readonly url: string
  readonly job: SearchJob
  readonly plan: SearchPlan
  /** What the answer has room for, all pages together. */
  readonly room: { bytes: number }
  /** How often the page is in the answer. */
  readonly times: number
  /** Aborts when the answer must be put together. */
  readonly signal: AbortSignal
}

/** The id of a result's scrape. A repeat of the search finds that scrape's result and does not pay again; if nothing may be kept, the id is random. */
function idOf(url: string, { job, plan }: Terms, { newId }: SearchPorts, { team }: Call): string {
  return plan.keep ? idOfKey({ team, route: `search ${job.id}`, key: url }) : newId()
}

async function scrapeOne(request: ScrapeRequest, terms: Terms, ports: SearchPorts, call: Call): Promise<ScrapeData> {
  const { job, plan, signal } = terms
  const id = idOf(request.url, terms, ports, call)
  const left = job.again && plan.keep ? await answerLeft(id, ports, call.team) : null
  if (left !== null) return dataOf(left, terms)
  // A page's wait for a place says nothing about the search.
  const queue = { begin: () => () => undefined }
  const own: Call = { ...call, queue, signal, deadline: Math.min(call.deadline - answerMs(job.request.timeout), ports.now() + request.timeout), retention: retentionOf(request) }
  const place = await ports.admission.enter(own)
  const work = (async () => {
    try {
      return await ports.scrape({ id, request, warnings: [], queuedMs: place.waitedMs, baseUrl: job.baseUrl }, own)
    } finally {
      place.release()
    }
  })()
  return dataOf(await untilAborted(work, signal), terms)
}

/** The page of a scrape's answer; no more than its metadata where the search's answer has no room for it. */
function dataOf(answer: Uint8Array, { room, times }: Terms): ScrapeData {
  const { data }: { readonly data: ScrapeData } = JSON.parse(Buffer.from(answer).toString()) // written by the scrape
  const bytes = answer.byteLength * times
  if (bytes > room.bytes) return { metadata: data.metadata, warning: tooLarge }
  room.bytes -= bytes
  return data
}

async function scraped(terms: Terms, options: NonNullable<SearchRequest['scrapeOptions']>, ports: SearchPorts, call: Call): Promise<Scraped> {
  const { url, plan } = terms
  const request = requestOf(url, options, plan.retention === 'zero')
  if (request === null) return { document: failed(url, new ServiceError('BAD_REQUEST', 'No page can be fetched from this address.')), credits: 0, lacked: null }
  const limit = anySignal(terms.signal, timeLimit(request.timeout))
  try {
    const document = await scrapeOne(request, { ...terms, signal: limit }, ports, call)
    return { document, credits: document.metadata.creditsUsed, lacked: null }
  } catch (error) {
    call.signal.throwIfAborted()
    const code = error instanceof ServiceError ? error : limit.aborted ? new ServiceError('SCRAPE_TIMEOUT') : error
    const known = error instanceof ServiceError ? error.code : null
    // A failure may cost something, too.
    return { document: failed(url, code), credits: known === null ? 0 : costOfFailure(known), lacked: terms.signal.aborted ? 'time' : known === 'INSUFFICIENT_CREDITS' ? 'credits' : null }
  }
}

/** Checks, before anything is searched, that results can be scraped as asked at all. Throws what planning a scrape throws. */
export function assertScrapable({ request: { scrapeOptions: options } }: SearchJob, plan: SearchPlan, ports: SearchPorts, { team }: Call): void {
  if (options === undefined || options.formats.length === 0) return
  const page = requestOf(anyUrl, options, plan.retention === 'zero')
  if (page !== null) assertPlannable(page, ports, { team, optionsAt: 'scrapeOptions' })
}

/** Scrapes the pages of results, concurrently as far as there are places, until the search's time is nearly up; each address once. */
export async function scrapeAll(urls: readonly string[], { job, plan }: { readonly job: SearchJob; readonly plan: SearchPlan }, ports: SearchPorts, call: Call): Promise<ReadonlyMap<string, Scraped>> {
  const options = job.request.scrapeOptions
  if (options === undefined || options.formats.length === 0) return new Map()
  const left = Math.max(1, call.deadline - ports.now() - answerMs(job.request.timeout))
  const signal = anySignal(call.signal, timeLimit(left))
  const common = { job, plan, signal, room: { bytes: limits.storedBytes } }
  const times = (url: string): number => urls.filter((one) => one === url).length
  const done = await Promise.all([...new Set(urls)].map(async (url) => [url, await scraped({ ...common, url, times: times(url) }, options, ports, call)] as const))
  return new Map(done)
}
