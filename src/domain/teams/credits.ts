import type { ErrorCode } from '../../spec/errors.ts'
import type { FormatType } from '../../spec/formats.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import type { PageVerdict } from '../pages/reading.ts'

/** The price list (contract §10), in credits. */
export const prices = {
  page: 1,
  enhancedProxy: 4,
  zeroRetention: 1,
  lockdownHit: 5,
  lockdownMiss: 1,
  dnsFailure: 1,
  map: 1,
  tenResults: 2,
  tenResultsZeroRetention: 10,
  sessionMinute: 2,
  promptedSessionMinute: 7,
} as const

/** The most credits that a team or key can be given. */
export const maxCredits = 1_000_000_000_000

/** What a format adds to the price of a page. */
const formatSurcharge: Partial<Record<FormatType, number>> = {
  json: 4,
  question: 4,
  query: 4,
  highlights: 4,
  audio: 4,
  video: 4,
}

/** What is known of a scrape once it has ended. */
export interface ScrapeOutcome {
  readonly verdict: PageVerdict
  readonly enhanced: boolean
  /** Pages of a PDF that were read; 1 for everything else. */
  readonly pages?: number
  /** Formats that gave nothing: the page has no such file, the model did not answer, there is none and nothing stands in for it, or the page was not compared. */
  readonly without?: readonly FormatType[]
}

type Priced = Pick<ScrapeRequest, 'formats' | 'lockdown' | 'zeroDataRetention' | 'proxy'>

function surcharges(request: Priced, without: readonly FormatType[]): number {
  const given = request.formats.filter(({ type }) => !without.includes(type))
  // The JSON of a change is the format of that name, and is not paid twice.
  const types = new Set(given.map((format) => (format.type === 'changeTracking' && format.modes.includes('json') ? 'json' : format.type)))
  return [...types].reduce((sum, type) => sum + (formatSurcharge[type] ?? 0), 0)
}

/** The price of a delivered page. A challenge or an empty shell is free (contract §15.10). */
export function costOf(request: Priced, outcome: ScrapeOutcome): number {
  if (outcome.verdict === 'challenge' || outcome.verdict === 'empty') return 0
  if (request.lockdown) return prices.lockdownHit
  const proxy = outcome.enhanced ? prices.enhancedProxy : 0
  return prices.page * Math.max(1, outcome.pages ?? 1) + surcharges(request, outcome.without ?? []) + proxy + (request.zeroDataRetention ? prices.zeroRetention : 0)
}

/**
 * The price of a request, reserved before the work starts: with the enhanced tier only if that was requested, and with one
 * page of a PDF. What it turns out to cost beyond that is reserved when it is known.
 */
export function ceilingOf(request: Priced): number {
  return costOf(request, { verdict: 'ok', enhanced: request.proxy === 'enhanced' })
}

/** The price of a request that failed with this code. */
export function costOfFailure(code: ErrorCode): number {
  if (code === 'SCRAPE_LOCKDOWN_CACHE_MISS') return prices.lockdownMiss
  return code === 'SCRAPE_DNS_RESOLUTION_ERROR' ? prices.dnsFailure : 0
}

/** The price of a search: by the ten results begun. */
export function creditsOfSearch(results: number, retention: 'normal' | 'zero'): number {
  return Math.ceil(results / 10) * (retention === 'zero' ? prices.tenResultsZeroRetention : prices.tenResults)
}

/** The price of a live browser session: by the second, at least one minute, rounded up to whole credits. */
export function creditsOfSession(ms: number, prompted: boolean): number {
  const seconds = Math.max(60, Math.ceil(ms / 1000))
  return Math.ceil((seconds * (prompted ? prices.promptedSessionMinute : prices.sessionMinute)) / 60)
}
