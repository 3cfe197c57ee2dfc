import { z } from 'zod'
import { JobId, telemetry } from './common.ts'
import { limits } from './limits.ts'
import { checkOptions, scrapeOptionShape, settled } from './scrape.ts'
import { webhookOf } from './webhook.ts'

/** Body of POST /v2/batch/scrape. Which of its URLs are valid is for the use case to find: `ignoreInvalidURLs` decides what follows. */
export const BatchRequest = z
  .strictObject({
    urls: z.array(z.string()).min(1).max(limits.batchUrls).describe('The pages; a missing scheme becomes http.'),
    ignoreInvalidURLs: z.boolean().default(true).describe('Leave invalid URLs out and list them in `invalidURLs`; false: refuse the request.'),
    maxConcurrency: z.int().min(1).max(limits.count).optional().describe('Pages at once; default and most: what the team may.'),
    appendToId: JobId.optional().describe('Add the URLs to this running batch instead of starting another.'),
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
    url: z.url().describe('Where the status is.'),
    invalidURLs: z.array(z.string()).optional().describe('As they were given; absent with `ignoreInvalidURLs: false`.'),
    warning: z.string().optional().describe('What of a request with `appendToId` is ignored; of others the status says it.'),
  })
  .meta({ id: 'BatchStartAnswer' })
export type BatchStartAnswer = z.output<typeof BatchStartAnswer>
