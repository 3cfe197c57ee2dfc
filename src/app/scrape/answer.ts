import { header, type Missing } from '../../domain/pages/capture.ts'
import { defaultCountry, placeOf } from '../../domain/fetching/places.ts'
import type { PageVerdict } from '../../domain/pages/reading.ts'
import { isUnrendered } from '../../domain/pages/unrendered.ts'
import { isoTime } from '../../lib/time.ts'
import type { ScrapeMetadata } from '../../spec/scrape.ts'
import { ScrapeMetadata as MetadataSchema } from '../../spec/scrape.ts'
import type { Acquired } from './acquire.ts'
import type { Frame } from './page-bytes.ts'
import type { PageFacts } from '../../domain/pages/derivation.ts'
import type { Plan } from './plan.ts'

/** The parts of an answer beyond the page. */
export interface AnswerFacts {
  readonly scrapeId: string
  readonly credits: number
  /** Milliseconds that it waited for a place; 0 if it did not. */
  readonly queuedMs: number
  readonly warnings: readonly string[]
  /** The name of the file that was read instead of a page. */
  readonly sourceFile?: string | undefined
}

/** Why a fetched page is not the page asked for. */
const verdictText: Readonly<Record<Exclude<PageVerdict, 'ok' | 'empty'>, string>> = {
  challenge: 'The site answered with a challenge (bot check) instead of the page.',
  login: 'The site asks for a login instead of showing the page.',
  'soft-404': 'The site says that the page does not exist, though it answered with status 200.',
  consent: 'The site asks for consent before it shows the page.',
}

/** What was missing when a page was read. */
const missingText: Readonly<Record<Missing, string>> = {
  content: 'The page still said that it was loading when it was read; content may be missing.',
  frame: 'A frame of the page did not load in time; what it shows is missing.',
  script: 'A script of the page does not end: it was stopped, and the page was read as it was.',
  rows: 'A list of the page has only the rows in view; the others are missing. `actions` that scroll and scrape bring them.',
  drawing: 'The page draws what it shows; text in a drawing is not read. A screenshot shows it.',
  picture: 'The page went on to others while it was read; its text may be that of another than the screenshot or the branding.',
}

/** Names that only the service may set; a page's own meta tags with these names are left out. */
const reserved: ReadonlySet<string> = new Set(Object.keys(MetadataSchema.shape).filter((key) => !['title', 'description', 'language', 'keywords', 'ogLocaleAlternate'].includes(key)))

/** What an empty page holds: nothing at all, scripts that did not run, or neither. */
function emptyText({ capture, found, confirmed }: Acquired, page: PageFacts, { sourceFile }: AnswerFacts): string {
  // A page whose formats are memoised comes without its body.
  const bytes = (found ?? confirmed)?.entry.bytes ?? capture.body.length
  if (bytes === 0) return sourceFile === undefined ? `The site answered with an empty body (status ${capture.status}).` : 'The file is empty.'
  if (page.embedded !== undefined) return `The page has no content of its own: it shows the file ${page.embedded}, which can be scraped.`
  return isUnrendered(capture, page) ? 'The page has no content without running its scripts.' : 'The page has no content.'
}

/** Why the page is not the one asked for, or undefined when it is. */
function faultOf(acquired: Acquired, page: PageFacts, facts: AnswerFacts): string | undefined {
  if (page.verdict === 'ok') return undefined
  return page.verdict === 'empty' ? emptyText(acquired, page, facts) : verdictText[page.verdict]
}

/** Says that a page was read before the wait asked for was over. */
function hurryText({ request: { waitFor } }: Plan, { capture: { waitedMs } }: Acquired): string | undefined {
  if (waitedMs === undefined) return undefined
  return `waitFor: the page was read after ${Math.floor(waitedMs)} of ${waitFor} milliseconds, as \`timeout\` left no more.`
}

function metadataOf(plan: Plan, acquired: Acquired, page: PageFacts, facts: AnswerFacts): ScrapeMetadata {
  const { capture, found, consulted } = acquired
  const error = faultOf(acquired, page, facts) ?? (capture.status >= 400 ? `The site answered with status ${capture.status}.` : undefined)
  const contentType = header(capture, 'content-type')
  const zone = capture.engine === 'browser' ? placeOf(plan.order.country ?? defaultCountry)?.timeZone : undefined
  const own = Object.entries(page.metadata).filter(([key]) => !reserved.has(key))
  return {
    ...Object.fromEntries(own),
    scrapeId: facts.scrapeId,
    sourceURL: plan.request.url,
    ...(facts.sourceFile === undefined ? {} : { sourceFile: facts.sourceFile }),
    url: capture.url,
    statusCode: capture.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(error === undefined ? {} : { error }),
    verdict: page.verdict,
    ...page.document,
    ...(plan.request.onlyMainContent && page.confidence !== null ? { contentConfidence: page.confidence } : {}),
    proxyUsed: capture.proxy === 'enhanced' ? 'stealth' : 'basic',
    ...(capture.tlsVerified ? {} : { tlsVerified: false }),
    ...(zone === undefined ? {} : { timezone: zone }),
    ...(consulted ? { cacheState: found === null ? ('miss' as const) : ('hit' as const) } : {}),
    ...(found === null ? {} : { cachedAt: isoTime(capture.at) }),
    creditsUsed: facts.credits,
    ...(page.modelCallSaved ? { modelCallsSaved: 1 } : {}),
    ...(facts.queuedMs > 0 ? { concurrencyLimited: true, concurrencyQueueDurationMs: facts.queuedMs } : {}),
  }
}

/** The parts of an answer beyond the formats: warnings, `explain` on request, metadata. */
export function frameOf(plan: Plan, acquired: Acquired, page: PageFacts, facts: AnswerFacts): Frame {
  const fault = faultOf(acquired, page, facts)
  const cut = acquired.capture.truncated ? 'The page is larger than what is read, or its site broke off; its end is missing.' : undefined
  const warnings = [fault, cut, hurryText(plan, acquired), ...(acquired.capture.missing ?? []).map((what) => missingText[what]), ...facts.warnings, ...page.warnings, page.formatWarning].filter((text) => text !== undefined)
  const { read } = plan.cache
  return {
    ...(warnings.length === 0 ? {} : { warning: [...new Set(warnings)].join(' ') }),
    ...(plan.request.explain
      ? {
          explain: {
            engine: acquired.capture.engine,
            reason: acquired.reason,
            cache: acquired.found !== null ? 'hit' : read === 'no' ? 'skipped' : 'miss',
            tried: [...acquired.tried],
            removals: [...page.removals],
          },
        }
      : {}),
    metadata: metadataOf(plan, acquired, page, facts),
  }
}
