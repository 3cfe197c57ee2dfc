import type { Route } from './routes.ts'

/** One header of our answers, beside those of every HTTP message. */
interface HeaderRow {
  readonly type: 'string' | 'integer'
  readonly meaning: string
  /** Whether every answer has it that may have it. */
  readonly always: boolean
  /** Whether an answer of this route with this status may have it. */
  readonly on: (route: Route, status: number) => boolean
}

/** Answered before the rate is counted: no key, another method, headers that are too large. */
const uncounted: ReadonlySet<number> = new Set([401, 405, 431])

const rate = (meaning: string): HeaderRow => ({ type: 'integer', meaning: `Where a rate limit is set: ${meaning}`, always: false, on: ({ access }, status) => access === 'key' && !uncounted.has(status) })

/** The headers that our answers carry (contract §1.1). OpenAPI is made from this table, and the conformance test holds answers against it. */
export const answerHeaders = {
  'X-Request-Id': { type: 'string', meaning: 'Id of the request in the log of the service; the `X-Request-Id` of the request, if it had one of 8 to 128 letters, digits, `.`, `_` or `-`.', always: true, on: () => true },
  'RateLimit-Limit': rate('how many such requests are allowed.'),
  'RateLimit-Remaining': rate('how many of them are left.'),
  'RateLimit-Reset': rate('in how many seconds all of them are allowed again.'),
  'Retry-After': { type: 'integer', meaning: 'In how many seconds to repeat the request; always with 429 and 503.', always: false, on: (_, status) => [409, 429, 503].includes(status) },
  'Idempotent-Replayed': { type: 'string', meaning: '`true` where the answer is that of an earlier request with the same idempotency key.', always: false, on: ({ errors }, status) => status === 200 && errors.includes('IDEMPOTENCY_CONFLICT') },
  'WWW-Authenticate': { type: 'string', meaning: 'How to send a key: `Bearer`.', always: true, on: (_, status) => status === 401 },
  Allow: { type: 'string', meaning: 'The methods that the path has.', always: true, on: (_, status) => status === 405 },
} as const satisfies Record<string, HeaderRow>

/** The name of a header of the table above. */
export type AnswerHeader = keyof typeof answerHeaders

/** The headers that an answer of the route with this status may carry. */
export function answerHeadersOf(route: Route, status: number): readonly AnswerHeader[] {
  const names = Object.keys(answerHeaders) as AnswerHeader[] // keys of the table
  return names.filter((name) => (answerHeaders[name] as HeaderRow).on(route, status)) // the entry in its common form
}
