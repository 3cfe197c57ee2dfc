import { z } from 'zod'

/** What a team can ask for and find again. */
export const activityKinds = ['scrape', 'crawl', 'batch_scrape', 'search', 'parse'] as const
export type ActivityKind = (typeof activityKinds)[number]

const IsoTime = z.iso.datetime()

/** Where nothing is granted there is no limit; JSON has no infinity (contract §11.1). */
export const unlimitedCredits = 1_000_000_000

/** GET /v2/team/credit-usage */
export const CreditUsageAnswer = z
  .strictObject({
    success: z.literal(true),
    data: z.strictObject({
      remainingCredits: z.number().describe(`Credits left; ${unlimitedCredits} where nothing limits them.`),
      planCredits: z.number().describe('Credits granted to the team in all.'),
      billingPeriodStart: z.null().describe('Credits are granted once, not by the month.'),
      billingPeriodEnd: z.null(),
    }),
  })
  .meta({ id: 'CreditUsageAnswer' })
export type CreditUsageAnswer = z.output<typeof CreditUsageAnswer>

/** GET /v2/team/credit-usage/historical */
export const CreditHistoryQuery = z.strictObject({ byApiKey: z.enum(['true', 'false']).optional().describe('`true` is refused: credits are counted by team.') })
export const CreditHistoryAnswer = z
  .strictObject({
    success: z.literal(true),
    periods: z.array(z.strictObject({ startDate: IsoTime, endDate: IsoTime, creditsUsed: z.number(), totalCredits: z.number() })).describe('Calendar months (UTC), newest first.'),
  })
  .meta({ id: 'CreditHistoryAnswer' })
export type CreditHistoryAnswer = z.output<typeof CreditHistoryAnswer>

/** GET /v2/team/queue-status */
export const QueueStatusAnswer = z
  .strictObject({
    success: z.literal(true),
    jobsInQueue: z.int().min(0).describe('Pages under way and waiting.'),
    activeJobsInQueue: z.int().min(0),
    waitingJobsInQueue: z.int().min(0),
    maxConcurrency: z.int().min(1),
    mostRecentSuccess: IsoTime.nullable(),
  })
  .meta({ id: 'QueueStatusAnswer' })
export type QueueStatusAnswer = z.output<typeof QueueStatusAnswer>

/** GET /v2/concurrency-check */
export const ConcurrencyAnswer = z.strictObject({ success: z.literal(true), concurrency: z.int().min(0), maxConcurrency: z.int().min(1) }).meta({ id: 'ConcurrencyAnswer' })
export type ConcurrencyAnswer = z.output<typeof ConcurrencyAnswer>

/** GET /v2/team/activity */
export const ActivityQuery = z.strictObject({
  endpoint: z.enum(activityKinds).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().regex(/^\d{1,15}\.[\w-]{1,64}$/).optional().describe('`cursor` of the answer before.'),
})
export type ActivityQuery = z.output<typeof ActivityQuery>
export const ActivityAnswer = z
  .strictObject({
    success: z.literal(true),
    data: z.array(z.strictObject({ id: z.string(), endpoint: z.enum(activityKinds), api_version: z.literal('v2'), created_at: IsoTime, target: z.string().nullable() })).describe('Of the last 24 hours, newest first.'),
    cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'ActivityAnswer' })
export type ActivityAnswer = z.output<typeof ActivityAnswer>

const texts = z.array(z.string().max(2_000)).max(100).optional()

const feedbackFields = {
  rating: z.enum(['good', 'partial', 'bad']),
  issues: texts,
  tags: texts,
  note: z.string().max(10_000).optional(),
  valuableSources: z.array(z.unknown()).max(100).optional(),
  missingContent: z.array(z.unknown()).max(100).optional(),
  querySuggestions: z.string().max(10_000).optional(),
  url: z.string().max(8_192).optional(),
  pageNumbers: z.array(z.int()).max(1_000).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  origin: z.string().max(200).optional(),
  integration: z.string().max(200).nullish(),
}

/** POST /v2/feedback */
export const FeedbackRequest = z.strictObject({ endpoint: z.enum(['search', 'scrape', 'parse', 'map']), jobId: z.uuid(), ...feedbackFields }).meta({ id: 'FeedbackRequest' })
export type FeedbackRequest = z.output<typeof FeedbackRequest>

/** POST /v2/search/{id}/feedback */
export const SearchFeedbackRequest = z.strictObject(feedbackFields).meta({ id: 'SearchFeedbackRequest' })

export const FeedbackAnswer = z.strictObject({ success: z.literal(true), feedbackId: z.uuid(), creditsRefunded: z.literal(0) }).meta({ id: 'FeedbackAnswer' })
export type FeedbackAnswer = z.output<typeof FeedbackAnswer>
