import { z } from 'zod'
import { JobId, queryFlag, queryInt } from './common.ts'
import { limits } from './limits.ts'
import { ScrapeData } from './scrape.ts'

/** Id of a batch or a crawl in a path. */
export const BatchOrCrawlPath = z.strictObject({ id: JobId.describe('Id of the job.') })

/** Query of a job's status. */
export const StatusQuery = z.strictObject({
  skip: queryInt(0, limits.count).optional().describe('Skip this many results; default 0.'),
  limit: queryInt(1, limits.statusPage).optional().describe(`How many results at most; default ${limits.statusPage}.`),
})
export type StatusQuery = z.output<typeof StatusQuery>

/** Query of a job's errors. */
export const ErrorsQuery = z.strictObject({ skipped: queryFlag.optional().describe('Also list the URLs that were found but not scraped, each with the reason.') })

/** Query of a job's events. */
export const EventsQuery = z.strictObject({ lastEventId: queryInt(0, limits.count).optional().describe('Start after this event; a `Last-Event-ID` header takes precedence.') })

const count = z.int().min(0).max(limits.count)

/** Answer of GET /v2/crawl/{id} and GET /v2/batch/scrape/{id}. */
export const JobAnswer = z
  .strictObject({
    success: z.literal(true).describe('This request succeeded; the state of the job is in `status`.'),
    id: z.uuid(),
    status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
    total: count.describe('Pages accepted so far.'),
    completed: count.describe('Pages delivered so far.'),
    creditsUsed: z.number().min(0),
    modelCallsSaved: count.optional().describe('Number of pages that needed no call of a language model because their template was known; absent if there are none.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the results are deleted; while the job runs, counted from now.'),
    completedAt: z.iso.datetime().optional().describe('When the job ended.'),
    duration: z.number().min(0).optional().describe('Seconds from start to end; absent where the clock of the service was set back by more than that meanwhile.'),
    warning: z.string().optional(),
    error: z.string().optional().describe('Why the job failed.'),
    data: z.array(ScrapeData).describe('Results in the order in which they were finished; new ones are appended.'),
    next: z.string().nullable().describe('URL of the next page of results; null when there are no more to come.'),
  })
  .meta({ id: 'JobAnswer' })
export type JobAnswer = z.output<typeof JobAnswer>

/** Answer of DELETE for a job. */
export const CancelAnswer = z.strictObject({ success: z.literal(true), status: z.literal('cancelled') }).meta({ id: 'CancelAnswer' })

/** Why a URL that was seen is not fetched (contract §15.20). */
export const skipReasons = ['depth', 'path', 'excluded', 'not-included', 'external', 'subdomain', 'robots', 'duplicate', 'limit', 'scheme', 'invalid', 'cancelled'] as const

/** Answer of GET …/errors. */
export const ErrorsAnswer = z
  .strictObject({
    success: z.literal(true),
    errors: z.array(
      z.strictObject({
        id: z.string().describe('Id of the scrape.'),
        timestamp: z.iso.datetime(),
        url: z.string(),
        code: z.string().describe('Error code; see the tables of errors and of job errors.'),
        error: z.string(),
      }),
    ),
    robotsBlocked: z.array(z.string()).describe('URLs that robots.txt forbids.'),
    skipped: z
      .array(z.strictObject({ url: z.string(), reason: z.enum(skipReasons) }))
      .optional()
      .describe(
        'URLs that were seen and not fetched, each once, the first 100,000 of a job; with `skipped=true`. `duplicate`: another spelling of what the job has, a URL that led there, or one that a batch was given twice; the same link on many pages is none. `not-included`: not among what `includePaths` names; or too long for so many patterns to be tried on it; or, where nothing else led there, found on a page whose links are not followed (`sitemap: only`, a page that is not there, or one that only change tracking knew). `excluded`: by `excludePaths`; or a file that is no page (pictures, films, archives, programs); or a link that acts rather than shows (log out, add to a cart, edit, reply, like, mark as read), unless a sitemap names it. `external`: of another site, or found on a page of one. `cancelled`: waiting or under way when the job was cancelled.',
      ),
  })
  .meta({ id: 'ErrorsAnswer' })
export type ErrorsAnswer = z.output<typeof ErrorsAnswer>
