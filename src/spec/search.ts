import { z } from 'zod'
import { urlOf } from '../lib/url-of.ts'
import { characters, Location, telemetry, TimeLimit, unlessBlank } from './common.ts'
import { limits } from './limits.ts'
import { checkOptions, checkUnderRetention, retentionOf, ScrapeData, scrapeOptionShape, settled } from './scrape.ts'
import { searchTime } from './search-time.ts'

/** Keys of official clients that mean nothing to a search here (contract §11.4): accepted, named in `warning`. */
export const unsupportedSearchKeys = ['filter', 'asyncScraping'] as const

const searchSources = ['web', 'news', 'images'] as const
export type SearchSource = (typeof searchSources)[number]

const Tbs = z
  .string()
  .max(200)
  .transform(unlessBlank)
  .refine((text) => text === undefined || searchTime(text) !== null, 'Not a time filter: qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY, sbd:1, or several with commas between')
const country = Location.shape.country.unwrap()
const language = z
  .string()
  .regex(/^[a-z]{2,3}(-([a-z]{2,4}|\d{3}))?$/i, 'Not a language code such as en or pt-BR')
  // What follows in three letters is a part of RFC 5646 (§2.2.2) that `Intl` does not take.
  .transform((tag) => (/-[a-z]{3}$/i.test(tag) ? tag.toLowerCase() : (Intl.getCanonicalLocales(tag)[0] ?? tag)))
  .describe('Language of the results, such as `en` or `pt-BR`, in any case.')
const place = z.string().max(200).transform(unlessBlank).describe('Where the results should come from: city, region or country.')

const sourceFields = { tbs: Tbs.optional(), lang: language.optional(), country: country.optional(), location: place.optional(), filter: z.unknown().optional() }
const WebSource = z.strictObject({ type: z.literal('web'), ...sourceFields })
const NewsSource = z.strictObject({ type: z.literal('news'), ...sourceFields })
const ImageSource = z.strictObject({ type: z.literal('images'), ...sourceFields })
/** A source of the hosted service alone: accepted, named in a warning. */
const OtherSource = z.strictObject({ type: z.literal('alexandria') })
const Source = z.union([z.enum([...searchSources, 'alexandria']).transform((type) => ({ type })), WebSource, NewsSource, ImageSource, OtherSource])

/** Whether each kind of source has one set of options, however often it is named. */
const alike = (sources: readonly z.output<typeof Source>[]): boolean => new Set(sources.map(({ type }) => type)).size === new Set(sources.map((source) => JSON.stringify(source))).size

const hostname = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/
/** A name in the form that URLs have: they write non-ASCII names differently. */
const asInUrls = (name: string): string => (/\P{ASCII}/u.test(name) && /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name) ? (urlOf(`http://${name}`)?.hostname ?? name) : name)
const Hostname = z
  .string()
  .max(255)
  .transform((text) => asInUrls(text.trim().toLowerCase()))
  .refine((host) => hostname.test(host), 'A host name only: no protocol, no path')

const categoryName = z.enum(['code_hosting', 'github', 'developer', 'research', 'pdf'])
const Category = z.union([categoryName.transform((type) => ({ type, sites: undefined })), z.strictObject({ type: categoryName, sites: z.array(Hostname).min(1).max(50).optional() }).refine(({ type, sites }) => type !== 'pdf' || sites === undefined, { path: ['sites'], message: 'The category pdf is a kind of file and takes no sites; includeDomains limits where results come from' })])

const { timeout: _timeout, ...scrapeShape } = scrapeOptionShape

/** Scrape options of a search: without formats nothing is scraped. */
const SearchScrapeOptions = z
  .strictObject({ ...scrapeShape, timeout: scrapeOptionShape.timeout, formats: scrapeOptionShape.formats.unwrap().default([]).describe('Formats to scrape each result in; results are not scraped if empty.') })
  .superRefine((options, context) => {
    checkOptions(options, context)
    if (options.formats.some(({ type }) => type === 'changeTracking')) context.addIssue({ code: 'custom', path: ['formats'], message: 'changeTracking is not to be had of search results' })
  })
  .transform(settled)
  .meta({ id: 'SearchScrapeOptions' })

const rules: readonly { readonly broken: (request: { readonly includeDomains: readonly string[]; readonly excludeDomains: readonly string[] }) => boolean; readonly path: string; readonly message: string }[] = [
  { broken: (r) => r.includeDomains.length > 0 && r.excludeDomains.length > 0, path: 'excludeDomains', message: 'excludeDomains cannot be combined with includeDomains' },
]

/** Body of POST /v2/search. */
export const SearchRequest = z
  .strictObject({
    query: characters(limits.searchLength).refine((text) => text.trim() !== '', 'The query is empty').describe('Words, with operators: "exact", -not, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:.'),
    sources: z.array(Source).min(1).max(10).refine(alike, 'A source is given twice, with different options').default([{ type: 'web' }]).describe('Kinds of results: `web`, `news`, `images`; as objects they may have their own `tbs`, `lang`, `country` and `location`.'),
    categories: z.array(Category).max(10).default([]).describe('Return only results of these categories, each labelled: `code_hosting` (also called `github`), `research`, `pdf`.'),
    limit: z.int().min(1).max(limits.searchResults).default(limits.searchResultsDefault).describe('Maximum number of results per source.'),
    includeDomains: z.array(Hostname).max(100).default([]).describe('Return only results from these domains and their subdomains.'),
    excludeDomains: z.array(Hostname).max(100).default([]).describe('Return no results from these domains and their subdomains.'),
    country: country.optional().meta({ default: 'US' }).describe('ISO 3166-1 alpha-2 code, in any case; default `US`, unless `location` is given.'),
    location: place.optional(),
    lang: language.optional(),
    safe: z.boolean().optional().describe('Filter out explicit results, if the search provider can.'),
    highlights: z.boolean().optional().describe('Make descriptions passages that fit the query. Those of the built-in index always are; `warning` says when a provider gave its own.'),
    tbs: Tbs.optional().describe('Time range: `qdr:h|d|w|m|y`, `cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`, or `sbd:1` to sort by date; combine with commas.'),
    ignoreInvalidURLs: z.boolean().default(false).describe('Leave out results whose URL POST /v2/scrape would refuse as invalid.'),
    timeout: TimeLimit.default(limits.timeoutDefault).describe('Time limit of the request, in milliseconds, scrapes included. When it is over, what is there is returned with a warning.'),
    enterprise: z.array(z.enum(['zdr', 'anon', 'default'])).max(3).default([]).describe('`zdr`: neither query nor results are stored; `anon`: the provider is sent nothing that identifies the caller, and the query is not stored.'),
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
  enterprise.every((one) => one === 'default') && !(scrapeOptions !== undefined && scrapeOptions.formats.length > 0 && retentionOf(scrapeOptions) === 'zero')

const { metadata: _metadata, ...scraped } = ScrapeData.shape
const position = z.int().min(1).max(limits.searchResults)
const documentFields = { ...scraped, metadata: z.looseObject({}).optional() }

const WebResult = z.strictObject({ url: z.string(), title: z.string(), description: z.string(), position, category: z.string().optional(), ...documentFields }).meta({ id: 'WebResult' })
const NewsResult = z
  .strictObject({
    title: z.string(),
    url: z.string(),
    snippet: z.string(),
    date: z.string().optional().describe('As the source gives it; ISO 8601 from the built-in index.'),
    imageUrl: z.string().optional(),
    position,
    category: z.string().optional(),
    ...documentFields,
  })
  .meta({ id: 'NewsResult' })
const size = z.int().min(1).max(limits.count)
const ImageResult = z.strictObject({ title: z.string(), imageUrl: z.string(), imageWidth: size.optional(), imageHeight: size.optional(), url: z.string(), position }).meta({ id: 'ImageResult' })

/** Answer of POST /v2/search. */
export const SearchAnswer = z
  .strictObject({
    success: z.literal(true),
    id: z.uuid(),
    data: z.strictObject({ web: z.array(WebResult).optional(), news: z.array(NewsResult).optional(), images: z.array(ImageResult).optional() }).describe('One array for each source requested.'),
    creditsUsed: z.int().min(0).max(limits.count),
    warning: z.string().nullable(),
  })
  .meta({ id: 'SearchAnswer' })
export type SearchAnswer = z.output<typeof SearchAnswer>
