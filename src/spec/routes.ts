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
    status: z.literal('ok'),
    version: z.string(),
    roles: z.array(z.string()),
    uptimeSeconds: z.number().min(0),
    code: z.record(z.string(), z.enum(['commands', 'os', 'interpreter', 'trusted', 'off'])).describe('How the code of sessions is confined, by language; left out until that is known.').optional(),
  })
  .meta({ id: 'Health' })

const Welcome = z
  .strictObject({
    name: z.literal('Trawl'),
    version: z.string(),
    docs: z.string().describe('Address of this interface as a page.'),
    openapi: z.string().describe('Address of this interface as OpenAPI.'),
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
    summary: 'Fetch one page and return it in the formats asked for.',
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
    summary: 'The answer of an earlier scrape, as it was.',
    access: 'key',
    params: JobPath,
    ok: ScrapeAnswer,
    errors: ['FORBIDDEN', 'NOT_FOUND', 'JOB_EXPIRED'],
  },
  parse: {
    method: 'POST',
    path: '/v2/parse',
    summary: 'Read a file that is sent along, and return it in the formats asked for.',
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
    summary: 'Run code, or have an agent act, in a live browser that shows the page of an earlier scrape; opened by the first call.',
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
  browserList: { ...sessionList, path: '/v2/browser', summary: 'The live browsers of the team, and those that ended lately.' },
  browserStatus: { ...sessionStatus, path: '/v2/browser/{id}', summary: 'How a live browser stands.' },
  browserExecute: { ...sessionExecute, path: '/v2/browser/{id}/execute', summary: 'Run code in a live browser.' },
  browserDelete: { ...sessionDelete, path: '/v2/browser/{id}', summary: 'Stop a live browser.' },
  interactCreate: { ...sessionCreate, path: '/v2/interact', summary: 'Other name of POST /v2/browser.' },
  interactList: { ...sessionList, path: '/v2/interact', summary: 'Other name of GET /v2/browser.' },
  interactStatus: { ...sessionStatus, path: '/v2/interact/{id}', summary: 'Other name of GET /v2/browser/{id}.' },
  interactExecute: { ...sessionExecute, path: '/v2/interact/{id}/execute', summary: 'Other name of POST /v2/browser/{id}/execute.' },
  interactDelete: { ...sessionDelete, path: '/v2/interact/{id}', summary: 'Other name of DELETE /v2/browser/{id}.' },
  batch: {
    method: 'POST',
    path: '/v2/batch/scrape',
    summary: 'Start a job that scrapes many pages, or add pages to one that runs.',
    access: 'key',
    body: BatchRequest,
    ok: BatchStartAnswer,
    errors: [...startErrors, 'NOT_FOUND', 'JOB_EXPIRED', 'JOB_ALREADY_FINISHED'],
  },
  batchStatus: { ...status, path: '/v2/batch/scrape/{id}', summary: 'How a batch stands, and its results page by page; with a WebSocket upgrade, as they come.' },
  batchCancel: { ...cancel, path: '/v2/batch/scrape/{id}', summary: 'Cancel a batch; its results so far stay.' },
  batchErrors: { ...errors, path: '/v2/batch/scrape/{id}/errors', summary: 'Which pages of a batch failed, and why.' },
  batchEvents: { ...events, path: '/v2/batch/scrape/{id}/events', summary: 'The events of a batch as server-sent events, past and to come.' },
  batchExport: { ...exported, path: '/v2/batch/scrape/{id}/export', summary: 'All results of a batch, one scrape result a line.' },
  crawl: {
    method: 'POST',
    path: '/v2/crawl',
    summary: 'Start a job that scrapes the pages of a site.',
    access: 'key',
    body: CrawlRequest,
    ok: CrawlStartAnswer,
    errors: startErrors,
  },
  crawlActive: { ...active, path: '/v2/crawl/active', summary: 'The crawls of the team that run.' },
  crawlOngoing: { ...active, path: '/v2/crawl/ongoing', summary: 'Other name of /v2/crawl/active.' },
  crawlPreview: {
    method: 'POST',
    path: '/v2/crawl/params-preview',
    summary: 'What options a crawl would have that is described in words.',
    access: 'key',
    body: CrawlPreviewRequest,
    ok: CrawlPreviewAnswer,
    errors: ['FEATURE_NOT_CONFIGURED'],
  },
  crawlStatus: { ...status, path: '/v2/crawl/{id}', summary: 'How a crawl stands, and its results page by page; with a WebSocket upgrade, as they come.' },
  crawlCancel: { ...cancel, path: '/v2/crawl/{id}', summary: 'Cancel a crawl; its results so far stay.' },
  crawlErrors: { ...errors, path: '/v2/crawl/{id}/errors', summary: 'Which pages of a crawl failed, and why; which URLs were not fetched, and why.' },
  crawlEvents: { ...events, path: '/v2/crawl/{id}/events', summary: 'The events of a crawl as server-sent events, past and to come.' },
  crawlExport: { ...exported, path: '/v2/crawl/{id}/export', summary: 'All results of a crawl, one scrape result a line.' },
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
    summary: 'Search the web, news or images, and scrape what was found.',
    access: 'key',
    body: SearchRequest,
    ignored: unsupportedSearchKeys,
    ok: SearchAnswer,
    errors: ['INSUFFICIENT_CREDITS', 'FORBIDDEN', 'SEARCH_TIMEOUT', 'IDEMPOTENCY_CONFLICT', 'SEARCH_FAILED'],
  },
  profileRemove: { ...removedProfile, path: '/v2/browser/profiles/{name}', summary: 'Forget a profile: the cookies and storage kept under that name. Answers so also where there is none.' },
  profileRemoveToo: { ...removedProfile, path: '/v2/interact/profiles/{name}', summary: 'Other name of /v2/browser/profiles/{name}.' },
  artifact: {
    method: 'GET',
    path: '/v2/artifacts/{token}',
    summary: 'A file that an answer points to, such as a screenshot or a PDF; its address is the permission.',
    access: 'public',
    params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{20,64}\.[a-z0-9]{1,8}$/).describe('As the answer names it.') }),
    ok: { media: '*/*' },
    errors: ['NOT_FOUND', 'JOB_EXPIRED'],
  },
  changes: {
    method: 'GET',
    path: '/v2/changes',
    summary: 'The versions of a page that is tracked (format changeTracking); with `at`, the page as it was then.',
    access: 'key',
    query: ChangesQuery,
    ok: z.union([VersionsAnswer, ScrapeAnswer]),
    errors: ['NOT_FOUND'],
  },
  changesVersion: {
    method: 'GET',
    path: '/v2/changes/{id}',
    summary: 'One version of a tracked page: the answer of its scrape.',
    access: 'key',
    params: VersionPath,
    ok: ScrapeAnswer,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  changesRemove: {
    method: 'DELETE',
    path: '/v2/changes',
    summary: 'Forget all versions of a tracked page, under that tag or under none; its next scrape is `new`.',
    access: 'key',
    query: ForgetQuery,
    ok: ForgetAnswer,
    errors: [],
  },
  changesVersionRemove: {
    method: 'DELETE',
    path: '/v2/changes/{id}',
    summary: 'Forget one version of a tracked page.',
    access: 'key',
    params: VersionPath,
    ok: z.strictObject({ success: z.literal(true) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  creditUsage: { ...ofTeam, path: '/v2/team/credit-usage', summary: 'Credits that may still be used, and of how many.', ok: CreditUsageAnswer },
  creditHistory: { ...ofTeam, path: '/v2/team/credit-usage/historical', summary: 'Credits used by the team, month by month.', query: HistoryQuery, ok: CreditHistoryAnswer },
  tokenUsage: { ...ofTeam, path: '/v2/team/token-usage', summary: 'Tokens of language models that may still be used.', ok: TokenUsageAnswer },
  tokenHistory: { ...ofTeam, path: '/v2/team/token-usage/historical', summary: 'Tokens of language models used by the team, month by month.', query: HistoryQuery, ok: TokenHistoryAnswer },
  queueStatus: { ...ofTeam, path: '/v2/team/queue-status', summary: 'Pages of the team that are under way and that wait.', ok: QueueStatusAnswer },
  concurrencyCheck: { ...ofTeam, path: '/v2/concurrency-check', summary: 'How many of its places the team uses.', ok: ConcurrencyAnswer },
  teamActivity: { ...ofTeam, path: '/v2/team/activity', summary: 'What the team asked for within a day.', query: ActivityQuery, ok: ActivityAnswer },
  feedback: { method: 'POST', path: '/v2/feedback', summary: 'Say how good an answer was; `trawl feedback` lists what was said.', access: 'key', body: FeedbackRequest, ok: FeedbackAnswer, errors: ['FORBIDDEN'] },
  searchFeedback: { method: 'POST', path: '/v2/search/{id}/feedback', summary: 'Say how good the answer of a search was.', access: 'key', params: BatchOrCrawlPath, body: SearchFeedbackRequest, ok: FeedbackAnswer, errors: ['FORBIDDEN', 'NOT_FOUND'] },
  welcome: { ...welcome, path: '/', summary: 'What this is, and where its interface is described.' },
  welcomeV2: { ...welcome, path: '/v2', summary: 'The same.' },
  health: { method: 'GET', path: '/health', summary: 'Whether the process is up; answers at once.', access: 'public', ok: Health, errors: [] },
  metrics: {
    method: 'GET',
    path: '/metrics',
    summary: 'Counters for Prometheus; public on a loopback bind, else with the metrics token as Bearer.',
    access: 'public',
    ok: { media: 'text/plain' },
    errors: ['UNAUTHORIZED'],
  },
  openapi: { method: 'GET', path: '/openapi.json', summary: 'This interface as OpenAPI 3.1.', access: 'public', ok: { media: 'application/json' }, errors: [] },
  docs: { method: 'GET', path: '/docs', summary: 'This interface as a page.', access: 'public', ok: { media: 'text/html' }, errors: [] },
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
