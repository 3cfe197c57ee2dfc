import { z } from 'zod'
import { Location, telemetry } from './common.ts'
import { limits } from './limits.ts'
import { checkOptions, checkUnderRetention, ScrapeData, scrapeOptionShape, settled } from './scrape.ts'
import { searchTime } from './search-time.ts'

/** Keys of official clients that mean nothing to a search here (contract §11.4): accepted, named in `warning`. */
export const unsupportedSearchKeys = ['filter', 'asyncScraping'] as const

const searchSources = ['web', 'news', 'images'] as const
export type SearchSource = (typeof searchSources)[number]

const Tbs = z.string().max(200).refine((text) => searchTime(text) !== null, 'Not a time filter: qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY, sbd:1, or several with commas between')
const country = Location.shape.country.unwrap()
const language = z.string().regex(/^[a-z]{2,3}(-[a-zA-Z]{2,4})?$/, 'Not a language code').describe('Language of the results, such as `en`.')
const place = z.string().max(200).describe('Where results are wanted from: city, region, country.')

const sourceFields = { tbs: Tbs.optional(), lang: language.optional(), country: country.optional(), location: place.optional(), filter: z.unknown().optional() }
const WebSource = z.strictObject({ type: z.literal('web'), ...sourceFields })
const NewsSource = z.strictObject({ type: z.literal('news'), ...sourceFields })
const ImageSource = z.strictObject({ type: z.literal('images'), ...sourceFields })
/** A source of the hosted service alone: accepted, named in a warning. */
const OtherSource = z.strictObject({ type: z.literal('alexandria') })
const Source = z.union([z.enum([...searchSources, 'alexandria']).transform((type) => ({ type })), WebSource, NewsSource, ImageSource, OtherSource])

const hostname = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
const Hostname = z
  .string()
  .max(255)
  .transform((text) => text.trim().toLowerCase())
  .refine((host) => hostname.test(host), 'A host name only: no protocol, no path')

const categoryName = z.enum(['code_hosting', 'github', 'developer', 'research', 'pdf'])
const Category = z.union([categoryName.transform((type) => ({ type, sites: undefined })), z.strictObject({ type: categoryName, sites: z.array(Hostname).min(1).max(50).optional() })])

const { timeout: _timeout, ...scrapeShape } = scrapeOptionShape

/** Scrape options of a search: without formats nothing is scraped. */
const SearchScrapeOptions = z
  .strictObject({ ...scrapeShape, timeout: scrapeOptionShape.timeout, formats: scrapeOptionShape.formats.unwrap().default([]).describe('What to return of each result; none: results are not scraped.') })
  .superRefine((options, context) => {
    checkOptions(options, context)
    if (options.formats.some(({ type }) => type === 'changeTracking')) context.addIssue({ code: 'custom', path: ['formats'], message: 'changeTracking is not to be had of search results' })
  })
  .transform(settled)

const rules: readonly { readonly broken: (request: { readonly includeDomains: readonly string[]; readonly excludeDomains: readonly string[] }) => boolean; readonly path: string; readonly message: string }[] = [
  { broken: (r) => r.includeDomains.length > 0 && r.excludeDomains.length > 0, path: 'excludeDomains', message: 'excludeDomains cannot be combined with includeDomains' },
]

/** Body of POST /v2/search. */
export const SearchRequest = z
  .strictObject({
    query: z.string().max(limits.searchLength).refine((text) => text.trim() !== '', 'The query is empty').describe('Words, with operators: "exact", -not, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:.'),
    sources: z.array(Source).min(1).max(10).default([{ type: 'web' }]).describe('What kinds of results: `web`, `news`, `images`; as objects with a `tbs`, `lang`, `country`, `location` of their own.'),
    categories: z.array(Category).max(10).default([]).describe('Only results of these kinds, each labelled: `code_hosting` (other name `github`), `research`, `pdf`.'),
    limit: z.int().min(1).max(limits.searchResults).default(limits.searchResultsDefault).describe('Results of each source at most.'),
    includeDomains: z.array(Hostname).max(100).default([]).describe('Only results of these hosts and what is below them.'),
    excludeDomains: z.array(Hostname).max(100).default([]).describe('No results of these.'),
    country: country.optional().meta({ default: 'US' }).describe('ISO 3166-1 alpha-2 code, any case; US where no `location` is given.'),
    location: place.optional(),
    lang: language.optional(),
    safe: z.boolean().optional().describe('Leave out what is not for everybody, where the provider can.'),
    highlights: z.boolean().optional().describe('Accepted; descriptions from our own index are the passages that match in any case.'),
    tbs: Tbs.optional().describe('When: `qdr:h|d|w|m|y`, `cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`, `sbd:1` (by date); several with commas between.'),
    ignoreInvalidURLs: z.boolean().default(false).describe('Leave out results whose address POST /v2/scrape would refuse as invalid.'),
    timeout: z.int().min(limits.timeoutMin).max(limits.timeoutMax).default(limits.timeoutDefault).describe('Milliseconds for the whole request, scrapes included; what is there then is answered, with a warning.'),
    enterprise: z.array(z.enum(['zdr', 'anon', 'default'])).max(3).default([]).describe('`zdr`: nothing of query and results is kept; `anon`: nothing that identifies the caller leaves, no query is kept.'),
    scrapeOptions: SearchScrapeOptions.optional(),
    ...telemetry,
  })
  .superRefine((request, context) => {
    for (const rule of rules.filter(({ broken }) => broken(request))) context.addIssue({ code: 'custom', path: [rule.path], message: rule.message })
    if (request.enterprise.includes('zdr') && request.scrapeOptions !== undefined) checkUnderRetention(request.scrapeOptions, ['scrapeOptions'], context)
  })
  .meta({ id: 'SearchRequest' })
export type SearchRequest = z.output<typeof SearchRequest>

/** Whether anything of a search may be kept: what its results are scraped under is what their pages in its answer are under. */
export const isKept = ({ enterprise, scrapeOptions }: SearchRequest): boolean =>
  enterprise.every((one) => one === 'default') && !(scrapeOptions !== undefined && scrapeOptions.formats.length > 0 && (scrapeOptions.zeroDataRetention || scrapeOptions.lockdown))

const { metadata: _metadata, ...scraped } = ScrapeData.shape
const position = z.int().min(1).max(limits.searchResults)
const documentFields = { ...scraped, metadata: z.looseObject({}).optional() }

const WebResult = z.strictObject({ url: z.string(), title: z.string(), description: z.string(), position, category: z.string().optional(), ...documentFields })
const NewsResult = z.strictObject({
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  date: z.string().optional().describe('As the source gives it; ISO 8601 from our own index.'),
  imageUrl: z.string().optional(),
  position,
  category: z.string().optional(),
  ...documentFields,
})
const size = z.int().min(1).max(limits.count)
const ImageResult = z.strictObject({ title: z.string(), imageUrl: z.string(), imageWidth: size.optional(), imageHeight: size.optional(), url: z.string(), position })

/** Answer of POST /v2/search. */
export const SearchAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    data: z.strictObject({ web: z.array(WebResult).optional(), news: z.array(NewsResult).optional(), images: z.array(ImageResult).optional() }).describe('An array for each source asked for.'),
    creditsUsed: z.int().min(0).max(limits.count),
    warning: z.string().nullable(),
  })
  .meta({ id: 'SearchAnswer' })
export type SearchAnswer = z.output<typeof SearchAnswer>
