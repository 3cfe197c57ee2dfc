import { z } from 'zod'
import { visible } from '../lib/visible.ts'
import { characters, TargetUrl, telemetry, unlessBlank } from './common.ts'
import { limits } from './limits.ts'
import { checkOptions, checkUnderRetention, scrapeOptionShape, settled } from './scrape.ts'
import { webhookOf } from './webhook.ts'

/** Regular expressions of a caller, without empty ones, which forms send for rows that nobody filled in; that they are such is for `compilePatterns` to find. */
export const patterns = z.array(z.string().max(limits.patternLength, { error: ({ input }) => `A pattern may have at most ${limits.patternLength} characters: "${visible(String(input))}"` })).max(limits.patterns).transform((all) => all.filter((one) => one !== ''))

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
    url: TargetUrl.describe('Where the crawl starts; `http://` is assumed where the scheme is missing.'),
    prompt: characters(limits.promptLength, 0).transform(unlessBlank).optional().describe('What to crawl, in words; blank, it is not given. Options are made from it; those given in the request take precedence.'),
    includePaths: patterns.optional().describe('Regular expressions (RE2) searched for in the path: only matching pages are scraped, which goes for the start page too. An empty one is not given.'),
    excludePaths: patterns.optional().describe('Regular expressions (RE2) searched for in the path: matching pages are left out. An empty one is not given.'),
    regexOnFullURL: z.boolean().default(false).describe('Match `includePaths` and `excludePaths` against the whole URL instead of the path.'),
    maxDiscoveryDepth: z.int().min(0).max(limits.count).optional().describe('How many links a page may be away from the start; the start and pages of the sitemap have depth 0. Links of pages at this depth are not followed.'),
    sitemap: z.enum(['skip', 'include', 'only']).default('include').describe('`skip`: do not read sitemaps; `include`: use sitemaps and links; `only`: the start and the pages of the sitemaps, no links.'),
    ignoreQueryParameters: z.boolean().default(false).describe('Treat URLs that differ only in their query as one page. Parameters that only track a visit (`utm_…`, `gclid`, session ids) never make another page.'),
    deduplicateSimilarURLs: z.boolean().default(true).describe('Treat URLs that differ only in `www.`, scheme, trailing slash or index file as one page.'),
    // No default of the schema: a limit that was given is lowered to what the credits cover, one that was not is refused.
    limit: count.optional().meta({ default: limits.crawlPages, description: 'How many pages at most. Pages of their own go before variants of them: orders, filters and further pages of lists, by what their addresses say.' }),
    crawlEntireDomain: z.boolean().default(false).describe('Follow links to all of the site, not only to pages below the path of the start.'),
    allowExternalLinks: z.boolean().default(false).describe('Scrape linked pages of other sites too; their links are not followed.'),
    allowSubdomains: z.boolean().default(false).describe('Follow links to subdomains of the site.'),
    // And says so: some clients take it in milliseconds, and send it as it is.
    delay: z.number().gt(0).max(limits.crawlDelaySeconds, `Too big: expected seconds, at most ${limits.crawlDelaySeconds}`).optional().describe('Seconds to wait between two pages; pages are then scraped one at a time.'),
    maxConcurrency: count.optional().describe('How many pages are scraped at the same time; default and maximum: the limit of the team.'),
    ignoreRobotsTxt: z.boolean().default(false).describe('Scrape pages that robots.txt forbids; only for teams that are allowed to.'),
    robotsUserAgent: z.string().min(1).max(limits.userAgentLength).optional().describe('User agent whose rules of robots.txt are followed; only for teams that are allowed to choose.'),
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
  // Rounded up: one of the official clients reads whole seconds only, and a site is never asked faster than the words say.
  delay: z.number().gt(0).max(limits.crawlDelaySeconds).transform(Math.ceil).optional(),
})
export type CrawlWish = z.output<typeof CrawlWish>

const options = z.record(z.string(), z.unknown())

/** Body of POST /v2/crawl/params-preview. */
export const CrawlPreviewRequest = z
  .strictObject({ url: TargetUrl, prompt: characters(limits.promptLength).refine((text) => text.trim() !== '', 'The prompt is empty'), ...telemetry })
  .meta({ id: 'CrawlPreviewRequest' })

/** Answer of POST /v2/crawl/params-preview. */
export const CrawlPreviewAnswer = z
  .strictObject({ success: z.literal(true), data: options.describe('The URL and the crawl options made from the prompt; a `delay` in whole seconds, rounded up.'), warning: z.string().optional() })
  .meta({ id: 'CrawlPreviewAnswer' })
export type CrawlPreviewAnswer = z.output<typeof CrawlPreviewAnswer>

/** Answer of POST /v2/crawl. */
export const CrawlStartAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    url: z.url().describe('URL of the status of the job.'),
    promptGeneratedOptions: options.optional().describe('With a `prompt`: the options that were made from it.'),
    finalCrawlerOptions: options.optional().describe('With a `prompt`: the options that the crawl runs with: those of the request, then those made from the prompt, without defaults.'),
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
          created_at: z.iso.datetime().describe('Same as `createdAt`.'),
          options: z.record(z.string(), z.unknown()).describe('The options of the crawl including `scrapeOptions`, with defaults filled in.'),
        }),
      )
      .describe('Newest first.'),
  })
  .meta({ id: 'ActiveAnswer' })
export type ActiveAnswer = z.output<typeof ActiveAnswer>
