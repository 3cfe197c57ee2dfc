import { z } from 'zod'
import { JobId, queryInt } from './common.ts'
import { limits } from './limits.ts'

/** What a team can ask for and find again. */
const activityKinds = ['scrape', 'crawl', 'batch_scrape', 'map', 'search', 'parse', 'browser', 'interact'] as const
export type ActivityKind = (typeof activityKinds)[number]

const IsoTime = z.iso.datetime()

/** Where nothing limits there is no end; JSON has no infinity (contract §11.1). */
export const unlimited = 1_000_000_000

const period = {
  billingPeriodStart: IsoTime.nullable().describe('Start of the month that the budget is for; null if credits are granted once.'),
  billingPeriodEnd: IsoTime.nullable(),
}

/** GET /v2/team/credit-usage */
export const CreditUsageAnswer = z
  .strictObject({
    success: z.literal(true),
    data: z.strictObject({
      remainingCredits: z.number().describe(`Credits that may still be used with this key; ${unlimited} where nothing limits them.`),
      planCredits: z.number().describe('The limit that `remainingCredits` belongs to: what was granted to the team in all, or this month\'s budget of the team or the key.'),
      ...period,
    }),
  })
  .meta({ id: 'CreditUsageAnswer' })
export type CreditUsageAnswer = z.output<typeof CreditUsageAnswer>

/** GET /v2/team/token-usage */
export const TokenUsageAnswer = z
  .strictObject({ success: z.literal(true), data: z.strictObject({ remainingTokens: z.number().describe('Tokens of language models are counted, but not limited.'), planTokens: z.number(), ...period }) })
  .meta({ id: 'TokenUsageAnswer' })
export type TokenUsageAnswer = z.output<typeof TokenUsageAnswer>

/** GET /v2/team/credit-usage/historical and /v2/team/token-usage/historical */
export const HistoryQuery = z.strictObject({ byApiKey: z.enum(['true', 'false']).optional().describe('`true` returns one entry for each key and month.') })
export type HistoryQuery = z.output<typeof HistoryQuery>
const months = 'Calendar months (UTC) in which something was used, newest first.'
const usedMonth = {
  startDate: IsoTime,
  endDate: IsoTime,
  apiKey: z.string().describe('Name of the key; absent for what was used without a key.').optional(),
  apiKeyId: z.string().describe('Id of the key, as `trawl keys list` shows it.').optional(),
}
export const CreditHistoryAnswer = z
  .strictObject({ success: z.literal(true), periods: z.array(z.strictObject({ ...usedMonth, creditsUsed: z.number(), totalCredits: z.number() })).describe(months) })
  .meta({ id: 'CreditHistoryAnswer' })
export type CreditHistoryAnswer = z.output<typeof CreditHistoryAnswer>
export const TokenHistoryAnswer = z
  .strictObject({ success: z.literal(true), periods: z.array(z.strictObject({ ...usedMonth, tokensUsed: z.number(), totalTokens: z.number() })).describe(months) })
  .meta({ id: 'TokenHistoryAnswer' })
export type TokenHistoryAnswer = z.output<typeof TokenHistoryAnswer>

/** GET /v2/team/queue-status */
export const QueueStatusAnswer = z
  .strictObject({
    success: z.literal(true),
    jobsInQueue: z.int().min(0).describe('Number of pages being scraped or waiting.'),
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
  limit: queryInt(1, 100).default(50).describe('How many requests at most; default 50.'),
  cursor: z.string().regex(/^\d{1,15}\.[\w-]{1,64}$/, 'Not the `cursor` of an answer').optional().describe('`cursor` of the previous answer.'),
})
export type ActivityQuery = z.output<typeof ActivityQuery>
export const ActivityAnswer = z
  .strictObject({
    success: z.literal(true),
    data: z.array(z.strictObject({ id: z.string(), endpoint: z.enum(activityKinds), api_version: z.literal('v2'), created_at: IsoTime, target: z.string().nullable() })).describe('Newest first; up to 24 hours back, or as long as results are kept if that is shorter.'),
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

/** What is stored of a feedback has a size that all of its fields share: some of them may hold anything. */
const short = [(feedback: object): boolean => JSON.stringify(feedback).length <= limits.feedback, `At most ${limits.feedback} characters of JSON`] as const // a pair of arguments

/** POST /v2/feedback */
export const FeedbackRequest = z.strictObject({ endpoint: z.enum(['search', 'scrape', 'parse', 'map']), jobId: JobId, ...feedbackFields }).refine(...short).meta({ id: 'FeedbackRequest' })
export type FeedbackRequest = z.output<typeof FeedbackRequest>

/** POST /v2/search/{id}/feedback */
export const SearchFeedbackRequest = z.strictObject(feedbackFields).refine(...short).meta({ id: 'SearchFeedbackRequest' })

export const FeedbackAnswer = z.strictObject({ success: z.literal(true), feedbackId: z.uuid(), creditsRefunded: z.literal(0) }).meta({ id: 'FeedbackAnswer' })
export type FeedbackAnswer = z.output<typeof FeedbackAnswer>
