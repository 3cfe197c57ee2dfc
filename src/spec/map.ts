import { z } from 'zod'
import { Location, TargetUrl, telemetry } from './common.ts'
import { patterns } from './crawl.ts'
import { limits } from './limits.ts'
import { scrapeOptionShape } from './scrape.ts'

/** Keys of official clients that mean nothing to a map (contract §9): accepted, named in `warning`. */
export const unsupportedMapKeys = [
  'useIndex', 'allowExternalLinks', 'allowSubdomains', 'crawlEntireDomain', 'deduplicateSimilarURLs', 'delay', 'maxDiscoveryDepth', 'ignoreRobotsTxt',
] as const

/** Body of POST /v2/map. */
export const MapRequest = z
  .strictObject({
    url: TargetUrl.describe('The site; a missing scheme becomes http.'),
    search: z.string().max(limits.searchLength).optional().describe('Order the links by how well they fit these words.'),
    sitemap: z.enum(['skip', 'include', 'only']).default('include').describe('`only`: what the sitemaps name, nothing else.'),
    includeSubdomains: z.boolean().default(true),
    ignoreQueryParameters: z.boolean().default(true).describe('Leave out URLs that have a query.'),
    ignoreCache: z.boolean().default(false).describe('Read the sitemaps anew; else they are kept for up to seven days.'),
    limit: z.int().min(1).max(limits.mapLinks).default(limits.mapLinksDefault).describe('How many links at most.'),
    timeout: z.int().min(1).max(limits.mapTimeoutMax).optional().describe('Milliseconds for the whole request; none: five minutes.'),
    location: Location.optional(),
    headers: scrapeOptionShape.headers.describe('Sent with each request to the site; sitemaps are then neither taken from the cache nor kept.'),
    filterByPath: z.boolean().default(true).describe('Where the URL has a path, only what is below it.'),
    includePaths: patterns.optional().describe('Regular expressions (RE2), searched in the path: only matching URLs.'),
    excludePaths: patterns.optional().describe('Regular expressions (RE2), searched in the path: no matching URL.'),
    regexOnFullURL: z.boolean().default(false).describe('Search `includePaths` and `excludePaths` in the whole URL.'),
    ...telemetry,
  })
  .meta({ id: 'MapRequest' })
export type MapRequest = z.output<typeof MapRequest>

/** Answer of POST /v2/map. */
export const MapAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    links: z
      .array(z.strictObject({ url: z.string(), title: z.string().optional(), description: z.string().optional() }))
      .describe('By relevance with `search`; else those of the sitemaps first, then those found on pages. What robots.txt bars is listed, but not fetched.'),
    warning: z.string().optional(),
  })
  .meta({ id: 'MapAnswer' })
export type MapAnswer = z.output<typeof MapAnswer>
