import { z } from 'zod'
import { JobPath } from './common.ts'
import type { ErrorCode } from './errors.ts'
import { ScrapeAnswer, ScrapeRequest } from './scrape.ts'

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
  /** Schema of the JSON answer, or the media type of another kind of answer. */
  readonly ok: z.ZodType | { readonly media: string }
  /** Beyond those that every route of its kind may answer. */
  readonly errors: readonly ErrorCode[]
}

const Health = z
  .strictObject({
    status: z.enum(['ok', 'stopping']),
    version: z.string(),
    roles: z.array(z.string()),
    uptimeSeconds: z.number().min(0),
  })
  .meta({ id: 'Health' })

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
      'INSUFFICIENT_CREDITS', 'FORBIDDEN', 'SCRAPE_NO_CACHED_DATA', 'SCRAPE_LOCKDOWN_CACHE_MISS', 'SCRAPE_TIMEOUT',
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
  artifact: {
    method: 'GET',
    path: '/v2/artifacts/{token}',
    summary: 'A file that an answer points to, such as a screenshot; its address is the permission.',
    access: 'public',
    params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{20,64}\.[a-z0-9]{1,8}$/).describe('As the answer names it.') }),
    ok: { media: 'image/*' },
    errors: ['NOT_FOUND', 'JOB_EXPIRED'],
  },
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
      ...(route.access === 'key' ? (['UNKNOWN_ERROR'] as const) : []),
      'SHUTTING_DOWN',
    ]),
  ]
}
