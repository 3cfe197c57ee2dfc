import { z } from 'zod'
import { visible } from '../lib/visible.ts'
import { TargetUrl, telemetry } from './common.ts'
import { limits } from './limits.ts'
import { checkOptions, checkUnderRetention, scrapeOptionShape, settled } from './scrape.ts'
import { webhookOf } from './webhook.ts'

/** Regular expressions of a caller; that they are such is for `compilePatterns` to find. */
export const patterns = z.array(z.string().max(limits.patternLength, { error: ({ input }) => `A pattern may have at most ${limits.patternLength} characters: "${visible(String(input))}"` })).max(limits.patterns)

const ScrapeOptions = z.strictObject(scrapeOptionShape).superRefine(checkOptions).transform(settled).meta({ id: 'ScrapeOptions' })

const count = z.int().min(1).max(limits.count)

interface WithRetention {
  readonly zeroDataRetention: boolean
  readonly scrapeOptions: z.output<typeof ScrapeOptions>
}

/** Zero retention of the crawl is that of each of its pages, and the other way round. */
function sameRetention<T extends WithRetention>(crawl: T): T {
  const zeroDataRetention = crawl.zeroDataRetention || crawl.scrapeOptions.zeroDataRetention
  return { ...crawl, zeroDataRetention, scrapeOptions: { ...crawl.scrapeOptions, zeroDataRetention } }
}

/** Body of POST /v2/crawl. */
export const CrawlRequest = z
  .strictObject({
    url: TargetUrl.describe('Where the crawl starts; a missing scheme becomes http.'),
    prompt: z.string().min(1).max(limits.promptLength).optional().describe('What to crawl, in words; options that are given go before those made from it.'),
    includePaths: patterns.optional().describe('Regular expressions (RE2), searched in the path: only matching pages, the start included.'),
    excludePaths: patterns.optional().describe('Regular expressions (RE2), searched in the path: no matching page.'),
    regexOnFullURL: z.boolean().default(false).describe('Search `includePaths` and `excludePaths` in the whole URL.'),
    maxDiscoveryDepth: z.int().min(0).max(limits.count).optional().describe('How many links from the start a page may be; start and sitemap pages have depth 0.'),
    sitemap: z.enum(['skip', 'include', 'only']).default('include').describe('`only`: the start and what the sitemaps name, no links.'),
    ignoreQueryParameters: z.boolean().default(false).describe('Fetch a path once, whatever its query. Parameters that only mark a visit (`utm_…`, `gclid`, sessions) never make another page.'),
    deduplicateSimilarURLs: z.boolean().default(true).describe('Fetch once what differs in www, scheme, trailing slash or index file.'),
    // No default of the schema: a limit that was given is lowered to what the credits cover, one that was not is refused.
    limit: count.optional().meta({ default: limits.crawlPages, description: 'How many pages at most. Pages of their own go before variants of them: orders, filters and further pages of lists, by what their addresses say.' }),
    crawlEntireDomain: z.boolean().default(false).describe('Follow links to siblings and parents of the start as well.'),
    allowExternalLinks: z.boolean().default(false).describe('Fetch pages of other sites that are linked to; their links are not followed.'),
    allowSubdomains: z.boolean().default(false).describe('Follow links to subdomains.'),
    delay: z.number().gt(0).max(limits.crawlDelaySeconds).optional().describe('Seconds between two pages; one page at a time then.'),
    maxConcurrency: count.optional().describe('Pages at once; default and most: what the team may.'),
    ignoreRobotsTxt: z.boolean().default(false).describe('Where the team may.'),
    robotsUserAgent: z.string().min(1).max(limits.userAgentLength).optional().describe('Whose rules of robots.txt hold; where the team may.'),
    webhook: webhookOf('crawl').optional(),
    scrapeOptions: ScrapeOptions.prefault({}).describe('How each page is scraped.'),
    zeroDataRetention: z.boolean().default(false),
    ...telemetry,
  })
  .superRefine((crawl, context) => void (crawl.zeroDataRetention && checkUnderRetention(crawl.scrapeOptions, ['scrapeOptions'], context)))
  .transform(sameRetention)
  .meta({ id: 'CrawlRequest' })
export type CrawlRequest = z.output<typeof CrawlRequest>

/** The options of a crawl that can be made from words. What a team needs leave for (robots.txt) is not among them. */
export const CrawlWish = z.object({
  includePaths: patterns.optional(),
  excludePaths: patterns.optional(),
  maxDiscoveryDepth: z.int().min(0).max(limits.count).optional(),
  sitemap: z.enum(['skip', 'include', 'only']).optional(),
  ignoreQueryParameters: z.boolean().optional(),
  deduplicateSimilarURLs: z.boolean().optional(),
  limit: count.optional(),
  crawlEntireDomain: z.boolean().optional(),
  allowExternalLinks: z.boolean().optional(),
  allowSubdomains: z.boolean().optional(),
  delay: z.number().gt(0).max(limits.crawlDelaySeconds).optional(),
})
export type CrawlWish = z.output<typeof CrawlWish>

const options = z.record(z.string(), z.unknown())

/** Body of POST /v2/crawl/params-preview. */
export const CrawlPreviewRequest = z
  .strictObject({ url: TargetUrl, prompt: z.string().min(1).max(limits.promptLength), ...telemetry })
  .meta({ id: 'CrawlPreviewRequest' })

/** Answer of POST /v2/crawl/params-preview. */
export const CrawlPreviewAnswer = z
  .strictObject({ success: z.literal(true), data: options.describe('The URL and the options made from the prompt.'), warning: z.string().optional() })
  .meta({ id: 'CrawlPreviewAnswer' })
export type CrawlPreviewAnswer = z.output<typeof CrawlPreviewAnswer>

/** Answer of POST /v2/crawl. */
export const CrawlStartAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    url: z.url().describe('Where the status is.'),
    promptGeneratedOptions: options.optional().describe('With a `prompt`: the options made from it.'),
    finalCrawlerOptions: options.optional().describe('With a `prompt`: the options of the crawl, what was given before what was made from the prompt, before defaults.'),
  })
  .meta({ id: 'CrawlStartAnswer' })
export type CrawlStartAnswer = z.output<typeof CrawlStartAnswer>

/** Answer of GET /v2/crawl/active. */
export const ActiveAnswer = z
  .strictObject({
    success: z.literal(true),
    crawls: z
      .array(
        z.strictObject({
          id: z.uuid(),
          teamId: z.string(),
          url: z.string(),
          createdAt: z.iso.datetime(),
          created_at: z.iso.datetime().describe('Other name of `createdAt`.'),
          options: z.record(z.string(), z.unknown()).describe('The options of the crawl, `scrapeOptions` among them, defaults filled in.'),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'ActiveAnswer' })
export type ActiveAnswer = z.output<typeof ActiveAnswer>
