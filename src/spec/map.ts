import { z } from 'zod'
import { Location, TargetUrl, telemetry, unlessBlank } from './common.ts'
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
    url: TargetUrl.describe('URL of the site; `http://` is assumed where the scheme is missing.'),
    search: z.string().max(limits.searchLength).transform(unlessBlank).optional().describe('Order the links by relevance to these words; blank, they are not given.'),
    sitemap: z.enum(['skip', 'include', 'only']).default('include').describe('`skip`: do not read sitemaps; `include`: use sitemaps and links; `only`: nothing but the URLs of the sitemaps.'),
    includeSubdomains: z.boolean().default(true),
    ignoreQueryParameters: z.boolean().default(true).describe('Leave out URLs with a query string. Parameters that only track a visit (`utm_…`, `gclid`, session ids) are taken off every URL, and are none.'),
    ignoreCache: z.boolean().default(false).describe('Fetch the sitemaps again; otherwise they are cached for up to seven days.'),
    limit: z.int().min(1).max(limits.mapLinks).default(limits.mapLinksDefault).describe('Maximum number of links.'),
    timeout: z.int().min(1).max(limits.mapTimeoutMax).optional().describe('Time limit of the request, in milliseconds; default: five minutes.'),
    location: Location.optional(),
    headers: scrapeOptionShape.headers.describe('Headers sent with each request to the site; sitemaps are then neither read from the cache nor stored in it.'),
    filterByPath: z.boolean().default(true).describe('If the URL has a path, return only URLs below it.'),
    includePaths: patterns.optional().describe('Regular expressions (RE2) searched for in the path: only matching URLs are returned. An empty one is not given.'),
    excludePaths: patterns.optional().describe('Regular expressions (RE2) searched for in the path: matching URLs are left out. An empty one is not given.'),
    regexOnFullURL: z.boolean().default(false).describe('Match `includePaths` and `excludePaths` against the whole URL instead of the path.'),
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
      .describe('With `search` ordered by relevance; otherwise URLs of the sitemaps first, then those found on pages. URLs that robots.txt forbids are listed, but not fetched.'),
    warning: z.string().optional(),
  })
  .meta({ id: 'MapAnswer' })
export type MapAnswer = z.output<typeof MapAnswer>
