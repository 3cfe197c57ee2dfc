import { z } from 'zod'
import { BatchRequest, BatchStartAnswer } from './batch.ts'
import { BrowserAnswer, BrowserRequest, BrowsersAnswer, BrowsersQuery, BrowserStatusAnswer, SessionPath } from './browser.ts'
import { ChangesQuery, ForgetAnswer, ForgetQuery, VersionPath, VersionsAnswer } from './changes.ts'
import { JobPath, ProfileName } from './common.ts'
import { ActiveAnswer, CrawlPreviewAnswer, CrawlPreviewRequest, CrawlRequest, CrawlStartAnswer } from './crawl.ts'
import type { ErrorCode } from './errors.ts'
import { ExecuteRequest, InteractRequest, RunAnswer, StopAnswer, unsupportedInteractKeys } from './interact.ts'
import { BatchOrCrawlPath, CancelAnswer, ErrorsAnswer, ErrorsQuery, EventsQuery, JobAnswer, StatusQuery } from './jobs.ts'
import { MapAnswer, MapRequest, unsupportedMapKeys } from './map.ts'
import { idleParseKeys, ParseOptions } from './parse.ts'
import { ScrapeAnswer, ScrapeRequest } from './scrape.ts'
import { SearchAnswer, SearchRequest, unsupportedSearchKeys } from './search.ts'
import { ActivityAnswer, ActivityQuery, ConcurrencyAnswer, CreditHistoryAnswer, CreditUsageAnswer, FeedbackAnswer, FeedbackRequest, HistoryQuery, QueueStatusAnswer, SearchFeedbackRequest, TokenHistoryAnswer, TokenUsageAnswer } from './team.ts'

/** One endpoint: what it takes, what it answers, which errors it may answer with. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path with `{name}` for parameters. */
  readonly path: string
  readonly summary: string
  readonly access: 'key' | 'public'
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The request is a form: a `file`, and the JSON of `body` as its field `options`. */
  readonly upload?: true
  /** Keys of the body that clients send and that mean nothing here: accepted, named in a warning. */
  readonly ignored?: readonly string[]
  /** Schema of the JSON answer, or the media type of another kind of answer. */
  readonly ok: z.ZodType | { readonly media: string }
  /** Beyond those that every route of its kind may answer. */
  readonly errors: readonly ErrorCode[]
}

const Health = z
  .strictObject({
    status: z.enum(['ok', 'damaged']).describe('`damaged`: the process is up, but its database found its own data damaged; see the log.'),
    version: z.string(),
    roles: z.array(z.string()),
    uptimeSeconds: z.number().min(0),
    code: z.record(z.string(), z.enum(['commands', 'os', 'interpreter', 'trusted', 'off'])).describe('How the code of sessions is confined, by language; absent until this is known.').optional(),
  })
  .meta({ id: 'Health' })

const Welcome = z
  .strictObject({
    name: z.literal('Trawl'),
    version: z.string(),
    docs: z.string().describe('URL of the documentation of this interface.'),
    openapi: z.string().describe('URL of the OpenAPI description.'),
  })
  .meta({ id: 'Welcome' })

/** What any route of one job may answer with. */
const jobErrors = ['FORBIDDEN', 'NOT_FOUND', 'JOB_EXPIRED'] as const

/** What starting a job may answer with. */
const startErrors = ['INSUFFICIENT_CREDITS', 'FORBIDDEN', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'FEATURE_NOT_CONFIGURED'] as const

const ofJob = { access: 'key', params: BatchOrCrawlPath, errors: jobErrors } as const
const status = { ...ofJob, method: 'GET', query: StatusQuery, ok: JobAnswer } as const
const cancel = { ...ofJob, method: 'DELETE', ok: CancelAnswer, errors: [...jobErrors, 'JOB_ALREADY_FINISHED'] } as const
const errors = { ...ofJob, method: 'GET', query: ErrorsQuery, ok: ErrorsAnswer } as const
const events = { ...ofJob, method: 'GET', query: EventsQuery, ok: { media: 'text/event-stream' } } as const
const exported = { ...ofJob, method: 'GET', ok: { media: 'application/x-ndjson' } } as const
const removedProfile = { method: 'DELETE', access: 'key', params: z.strictObject({ name: ProfileName }), ok: z.strictObject({ success: z.literal(true) }), errors: ['PROFILE_LOCKED'] } as const
const active = { method: 'GET', access: 'key', ok: ActiveAnswer, errors: [] } as const
const welcome = { method: 'GET', access: 'public', ok: Welcome, errors: [] } as const

const ofTeam = { method: 'GET', access: 'key', errors: [] } as const
/** What starting a browser session may answer with. */
const openErrors = ['INSUFFICIENT_CREDITS', 'PROFILE_LOCKED', 'PROFILE_QUOTA_EXCEEDED', 'CONCURRENCY_LIMITED', 'FEATURE_NOT_CONFIGURED', 'BROWSER_FAILURE', 'BROWSER_NOT_CONFIGURED', 'OVERLOADED'] as const
const ofSession = { access: 'key', params: SessionPath } as const
const sessionCreate = { method: 'POST', access: 'key', body: BrowserRequest, ok: BrowserAnswer, errors: [...openErrors, 'IDEMPOTENCY_CONFLICT'] } as const
const sessionList = { method: 'GET', access: 'key', query: BrowsersQuery, ok: BrowsersAnswer, errors: [] } as const
const sessionStatus = { ...ofSession, method: 'GET', ok: BrowserStatusAnswer, errors: ['FORBIDDEN', 'NOT_FOUND'] } as const
const sessionExecute = {
  ...ofSession,
  method: 'POST',
  body: ExecuteRequest,
  ok: RunAnswer,
  errors: ['FORBIDDEN', 'NOT_FOUND', 'SESSION_DESTROYED', 'CONCURRENCY_LIMITED', 'FEATURE_NOT_CONFIGURED', 'BROWSER_FAILURE', 'BROWSER_NOT_CONFIGURED'],
} as const
const sessionDelete = { ...ofSession, method: 'DELETE', ok: StopAnswer, errors: ['FORBIDDEN', 'NOT_FOUND', 'BROWSER_FAILURE', 'BROWSER_NOT_CONFIGURED'] } as const

/** Every endpoint. Validation, OpenAPI, API pages and the conformance test are made from this table. */
export const routes = {
  scrape: {
    method: 'POST',
    path: '/v2/scrape',
    summary: 'Fetch one page and return it in the requested formats.',
    access: 'key',
    body: ScrapeRequest,
    ok: ScrapeAnswer,
    errors: [
      'SCRAPE_ACTIONS_NOT_SUPPORTED', 'SCRAPE_ACTION_ERROR', 'PROFILE_LOCKED', 'PROFILE_QUOTA_EXCEEDED',
      'SCRAPE_JSON_CONTENT_TOO_LARGE', 'INSUFFICIENT_CREDITS', 'FORBIDDEN', 'SCRAPE_NO_CACHED_DATA', 'SCRAPE_LOCKDOWN_CACHE_MISS', 'SCRAPE_TIMEOUT',
      'CONCURRENCY_QUEUE_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'SCRAPE_ALL_ENGINES_FAILED', 'SCRAPE_SITE_ERROR',
      'SCRAPE_SSL_ERROR', 'SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_PROXY_SELECTION_ERROR', 'SCRAPE_UNSUPPORTED_FILE_ERROR', 'SCRAPE_PDF_OCR_REQUIRED', 'FEATURE_NOT_CONFIGURED', 'BROWSER_NOT_CONFIGURED', 'OVERLOADED',
    ],
  },
  scrapeStatus: {
    method: 'GET',
    path: '/v2/scrape/{jobId}',
    summary: 'Return the answer of an earlier scrape again.',
    access: 'key',
    params: JobPath,
    ok: ScrapeAnswer,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'JOB_EXPIRED'],
  },
  parse: {
    method: 'POST',
    path: '/v2/parse',
    summary: 'Read an uploaded file and return it in the requested formats.',
    access: 'key',
    body: ParseOptions,
    upload: true,
    ignored: idleParseKeys,
    ok: ScrapeAnswer,
    errors: [
      'PARSE_UNSUPPORTED_OPTIONS', 'SCRAPE_JSON_CONTENT_TOO_LARGE', 'INSUFFICIENT_CREDITS', 'FORBIDDEN', 'SCRAPE_TIMEOUT', 'CONCURRENCY_QUEUE_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL',
      'SCRAPE_SITE_ERROR', 'SCRAPE_UNSUPPORTED_FILE_ERROR', 'SCRAPE_PDF_OCR_REQUIRED', 'FEATURE_NOT_CONFIGURED', 'OVERLOADED',
    ],
  },
  interact: {
    method: 'POST',
    path: '/v2/scrape/{jobId}/interact',
    summary: 'Run code or an agent in a live browser on the page of an earlier scrape; the first call opens the browser.',
    access: 'key',
    params: JobPath,
    body: InteractRequest,
    ignored: unsupportedInteractKeys,
    ok: RunAnswer,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'JOB_EXPIRED', 'REPLAY_UNAVAILABLE', 'SESSION_DESTROYED', ...openErrors, 'AGENT_FAILURE'],
  },
  interactStop: {
    method: 'DELETE',
    path: '/v2/scrape/{jobId}/interact',
    summary: 'Stop the live browser of a scrape.',
    access: 'key',
    params: JobPath,
    ok: StopAnswer,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'BROWSER_FAILURE', 'BROWSER_NOT_CONFIGURED'],
  },
  browserCreate: { ...sessionCreate, path: '/v2/browser', summary: 'Open a live browser.' },
  browserList: { ...sessionList, path: '/v2/browser', summary: 'List the live browsers of the team, including those that ended recently.' },
  browserStatus: { ...sessionStatus, path: '/v2/browser/{id}', summary: 'Get the status of a live browser.' },
  browserExecute: { ...sessionExecute, path: '/v2/browser/{id}/execute', summary: 'Run code in a live browser.' },
  browserDelete: { ...sessionDelete, path: '/v2/browser/{id}', summary: 'Stop a live browser.' },
  interactCreate: { ...sessionCreate, path: '/v2/interact', summary: 'Same as POST /v2/browser.' },
  interactList: { ...sessionList, path: '/v2/interact', summary: 'Same as GET /v2/browser.' },
  interactStatus: { ...sessionStatus, path: '/v2/interact/{id}', summary: 'Same as GET /v2/browser/{id}.' },
  interactExecute: { ...sessionExecute, path: '/v2/interact/{id}/execute', summary: 'Same as POST /v2/browser/{id}/execute.' },
  interactDelete: { ...sessionDelete, path: '/v2/interact/{id}', summary: 'Same as DELETE /v2/browser/{id}.' },
  batch: {
    method: 'POST',
    path: '/v2/batch/scrape',
    summary: 'Start a job that scrapes many URLs, or add URLs to a running one.',
    access: 'key',
    body: BatchRequest,
    ok: BatchStartAnswer,
    errors: [...startErrors, 'NOT_FOUND', 'JOB_EXPIRED', 'JOB_ALREADY_FINISHED'],
  },
  batchStatus: { ...status, path: '/v2/batch/scrape/{id}', summary: 'Get the status and results of a batch; with a WebSocket upgrade, results as they come.' },
  batchCancel: { ...cancel, path: '/v2/batch/scrape/{id}', summary: 'Cancel a batch; results so far are kept.' },
  batchErrors: { ...errors, path: '/v2/batch/scrape/{id}/errors', summary: 'List the pages of a batch that failed, and why.' },
  batchEvents: { ...events, path: '/v2/batch/scrape/{id}/events', summary: 'Stream the events of a batch, past and future, as server-sent events.' },
  batchExport: { ...exported, path: '/v2/batch/scrape/{id}/export', summary: 'Stream all results of a batch as NDJSON, one scrape result per line.' },
  crawl: {
    method: 'POST',
    path: '/v2/crawl',
    summary: 'Start a job that scrapes the pages of a site.',
    access: 'key',
    body: CrawlRequest,
    ok: CrawlStartAnswer,
    errors: startErrors,
  },
  crawlActive: { ...active, path: '/v2/crawl/active', summary: 'List the running crawls of the team.' },
  crawlOngoing: { ...active, path: '/v2/crawl/ongoing', summary: 'Same as /v2/crawl/active.' },
  crawlPreview: {
    method: 'POST',
    path: '/v2/crawl/params-preview',
    summary: 'Show the crawl options that would be made from a prompt.',
    access: 'key',
    body: CrawlPreviewRequest,
    ok: CrawlPreviewAnswer,
    errors: ['FEATURE_NOT_CONFIGURED'],
  },
  crawlStatus: { ...status, path: '/v2/crawl/{id}', summary: 'Get the status and results of a crawl; with a WebSocket upgrade, results as they come.' },
  crawlCancel: { ...cancel, path: '/v2/crawl/{id}', summary: 'Cancel a crawl; results so far are kept.' },
  crawlErrors: { ...errors, path: '/v2/crawl/{id}/errors', summary: 'List the pages of a crawl that failed, and the URLs that were not scraped, and why.' },
  crawlEvents: { ...events, path: '/v2/crawl/{id}/events', summary: 'Stream the events of a crawl, past and future, as server-sent events.' },
  crawlExport: { ...exported, path: '/v2/crawl/{id}/export', summary: 'Stream all results of a crawl as NDJSON, one scrape result per line.' },
  map: {
    method: 'POST',
    path: '/v2/map',
    summary: 'List the URLs of a site.',
    access: 'key',
    body: MapRequest,
    ignored: unsupportedMapKeys,
    ok: MapAnswer,
    errors: ['INSUFFICIENT_CREDITS', 'FORBIDDEN', 'MAP_TIMEOUT', 'CONCURRENCY_QUEUE_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'QUEUE_FULL', 'MAP_FAILED', 'OVERLOADED'],
  },
  search: {
    method: 'POST',
    path: '/v2/search',
    summary: 'Search the web, news or images, and optionally scrape the results.',
    access: 'key',
    body: SearchRequest,
    ignored: unsupportedSearchKeys,
    ok: SearchAnswer,
    errors: ['INSUFFICIENT_CREDITS', 'FORBIDDEN', 'FEATURE_NOT_CONFIGURED', 'SEARCH_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'SEARCH_FAILED'],
  },
  profileRemove: { ...removedProfile, path: '/v2/browser/profiles/{name}', summary: 'Delete a profile: the cookies and storage kept under this name. Succeeds if there is none.' },
  profileRemoveToo: { ...removedProfile, path: '/v2/interact/profiles/{name}', summary: 'Same as /v2/browser/profiles/{name}.' },
  artifact: {
    method: 'GET',
    path: '/v2/artifacts/{token}',
    summary: 'Get a file that an answer links to, such as a screenshot or a PDF; whoever has the URL may read it.',
    access: 'public',
    params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{20,64}\.[a-z0-9]{1,8}$/).describe('Name of the file, from the URL in the answer.') }),
    ok: { media: '*/*' },
    errors: ['NOT_FOUND', 'JOB_EXPIRED'],
  },
  changes: {
    method: 'GET',
    path: '/v2/changes',
    summary: 'List the versions of a tracked page (format changeTracking); with `at`, return the page as it was then.',
    access: 'key',
    query: ChangesQuery,
    ok: z.union([VersionsAnswer, ScrapeAnswer]),
    errors: ['NOT_FOUND'],
  },
  changesVersion: {
    method: 'GET',
    path: '/v2/changes/{id}',
    summary: 'Get one version of a tracked page: the answer of its scrape.',
    access: 'key',
    params: VersionPath,
    ok: ScrapeAnswer,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  changesRemove: {
    method: 'DELETE',
    path: '/v2/changes',
    summary: 'Delete all versions of a tracked page, those with the `tag` or those without; its next scrape is `new`.',
    access: 'key',
    query: ForgetQuery,
    ok: ForgetAnswer,
    errors: [],
  },
  changesVersionRemove: {
    method: 'DELETE',
    path: '/v2/changes/{id}',
    summary: 'Delete one version of a tracked page.',
    access: 'key',
    params: VersionPath,
    ok: z.strictObject({ success: z.literal(true) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  creditUsage: { ...ofTeam, path: '/v2/team/credit-usage', summary: 'Get the remaining credits of the team.', ok: CreditUsageAnswer },
  creditHistory: { ...ofTeam, path: '/v2/team/credit-usage/historical', summary: 'Get the credits that the team used, month by month.', query: HistoryQuery, ok: CreditHistoryAnswer },
  tokenUsage: { ...ofTeam, path: '/v2/team/token-usage', summary: 'Get the remaining tokens of language models.', ok: TokenUsageAnswer },
  tokenHistory: { ...ofTeam, path: '/v2/team/token-usage/historical', summary: 'Get the tokens of language models that the team used, month by month.', query: HistoryQuery, ok: TokenHistoryAnswer },
  queueStatus: { ...ofTeam, path: '/v2/team/queue-status', summary: 'Get the number of pages of the team being scraped and waiting.', ok: QueueStatusAnswer },
  concurrencyCheck: { ...ofTeam, path: '/v2/concurrency-check', summary: 'Get how much of its concurrency limit the team uses.', ok: ConcurrencyAnswer },
  teamActivity: { ...ofTeam, path: '/v2/team/activity', summary: 'List the requests of the team of the last day.', query: ActivityQuery, ok: ActivityAnswer },
  feedback: { method: 'POST', path: '/v2/feedback', summary: 'Rate an answer; `trawl feedback` lists the ratings.', access: 'key', body: FeedbackRequest, ok: FeedbackAnswer, errors: ['FORBIDDEN'] },
  searchFeedback: { method: 'POST', path: '/v2/search/{id}/feedback', summary: 'Rate the answer of a search.', access: 'key', params: BatchOrCrawlPath, body: SearchFeedbackRequest, ok: FeedbackAnswer, errors: ['FORBIDDEN', 'NOT_FOUND'] },
  welcome: { ...welcome, path: '/', summary: 'Get the name and version of the service and the URLs of its documentation.' },
  welcomeV2: { ...welcome, path: '/v2', summary: 'Same as /.' },
  health: { method: 'GET', path: '/health', summary: 'Check that the process is up.', access: 'public', ok: Health, errors: [] },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Get metrics in Prometheus format; public if the service listens on loopback only, otherwise with the metrics token as Bearer.',
    access: 'public',
    ok: { media: 'text/plain' },
    errors: ['UNAUTHORIZED'],
  },
  openapi: { method: 'GET', path: '/openapi.json', summary: 'Get this interface as an OpenAPI 3.1 document.', access: 'public', ok: { media: 'application/json' }, errors: [] },
  docs: { method: 'GET', path: '/docs', summary: 'Show the documentation of this interface.', access: 'public', ok: { media: 'text/html' }, errors: [] },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof routes

/** Codes that any route may answer with, by what it takes. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      'BAD_REQUEST',
      ...(route.access === 'key' ? (['UNAUTHORIZED', 'RATE_LIMITED'] as const) : []),
      ...(route.method === 'POST' ? (['BAD_REQUEST_INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
      'HEADERS_TOO_LARGE',
      'METHOD_NOT_ALLOWED',
      ...route.errors,
      ...(route.access === 'key' ? (['UNKNOWN_ERROR', 'OVERLOADED'] as const) : []),
      'SHUTTING_DOWN',
    ]),
  ]
}
