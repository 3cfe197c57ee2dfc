import { z } from 'zod'
import { JobId, telemetry } from './common.ts'
import { limits } from './limits.ts'
import { checkOptions, scrapeOptionShape, settled } from './scrape.ts'
import { webhookOf } from './webhook.ts'

/** Body of POST /v2/batch/scrape. Which of its URLs are valid is for the use case to find: `ignoreInvalidURLs` decides what follows. */
export const BatchRequest = z
  .strictObject({
    urls: z.array(z.string()).min(1).max(limits.batchUrls).describe('URLs of the pages; `http://` is assumed where the scheme is missing.'),
    ignoreInvalidURLs: z.boolean().default(true).describe('Skip invalid URLs and list them in `invalidURLs`; `false` refuses the request instead.'),
    maxConcurrency: z.int().min(1).max(limits.count).optional().describe('How many pages are scraped at the same time; default and maximum: the limit of the team.'),
    appendToId: JobId.optional().describe('Add the URLs to this running batch instead of starting a new one. Its options apply: others are refused.'),
    webhook: webhookOf('batch_scrape').optional(),
    ...scrapeOptionShape,
    ...telemetry,
  })
  .superRefine(checkOptions)
  .transform(settled)
  .meta({ id: 'BatchRequest' })
export type BatchRequest = z.output<typeof BatchRequest>

/** Answer of POST /v2/batch/scrape. */
export const BatchStartAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    url: z.url().describe('URL of the status of the job.'),
    invalidURLs: z.array(z.string()).optional().describe('The URLs that were skipped, as they were sent; absent with `ignoreInvalidURLs: false`.'),
    warning: z.string().optional().describe('With `appendToId`: which options of this request have no effect. For a new job, warnings are in its status.'),
  })
  .meta({ id: 'BatchStartAnswer' })
export type BatchStartAnswer = z.output<typeof BatchStartAnswer>
