import { ServiceError } from '../../domain/errors.ts'
import { type FeatureGates, isOn } from '../../domain/teams/feature-gates.ts'
import type { Found, ProviderRequest } from '../../domain/search/search.ts'
import { isBelow, type ParsedQuery, parseQuery } from '../../domain/search/search-query.ts'
import { isKept, type SearchRequest, type SearchSource } from '../../spec/search.ts'
import { anyTime, searchTime } from '../../spec/search-time.ts'

/** A category as asked for, and the hosts that belong to it. */
interface Category {
  readonly label: string
  readonly hosts: readonly string[]
  readonly pdf: boolean
}

/** What to find in one source. */
export interface SourcePlan extends ProviderRequest {
  /** Whether descriptions are to be passages that fit the query. */
  readonly passages: boolean
  /** Whether the caller chose the country. */
  readonly countryGiven: boolean
  readonly categories: readonly Category[]
}

/** Everything decided before any provider is asked. */
export interface SearchPlan {
  readonly sources: readonly SourcePlan[]
  readonly retention: 'normal' | 'zero'
  /** Whether query and results may be kept. */
  readonly keep: boolean
  readonly warnings: readonly string[]
}

const codeHosts = ['github.com', 'gitlab.com', 'codeberg.org', 'bitbucket.org', 'sr.ht']
const researchHosts = [
  'arxiv.org', 'scholar.google.com', 'pubmed.ncbi.nlm.nih.gov', 'researchgate.net', 'nature.com', 'science.org', 'ieee.org', 'acm.org', 'springer.com', 'wiley.com',
  'sciencedirect.com', 'plos.org', 'biorxiv.org', 'medrxiv.org',
]
const spans = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000, m: 30 * 86_400_000, y: 365 * 86_400_000 } as const

const isPdf = ({ url, pdf }: Pick<Found, 'url' | 'pdf'>): boolean => pdf === true || /\.pdf$/i.test(new URL(url).pathname)

function categoriesOf({ categories }: SearchRequest): readonly Category[] {
  return categories.map(({ type, sites }) => {
    const hosts = type === 'research' ? researchHosts : type === 'pdf' ? [] : codeHosts
    return { label: type === 'developer' ? 'code_hosting' : type, hosts: sites ?? hosts, pdf: type === 'pdf' }
  })
}

/** The label of results when no category was asked for. */
const known: readonly Category[] = [{ label: 'code_hosting', hosts: codeHosts, pdf: false }, { label: 'research', hosts: researchHosts, pdf: false }, { label: 'pdf', hosts: [], pdf: true }]

/** The label of a result: one of the categories asked for, or else a known one; undefined for none. */
export function categoryOf(found: Pick<Found, 'url' | 'pdf'>, asked: readonly Category[]): string | undefined {
  const { hostname } = new URL(found.url)
  return (asked.length === 0 ? known : asked).find(({ hosts, pdf }) => (pdf && isPdf(found)) || hosts.some((host) => isBelow(hostname, host)))?.label
}

interface OwnWishes {
  readonly tbs?: string | undefined
  readonly country?: string | undefined
  readonly location?: string | undefined
  readonly lang?: string | undefined
}

/** The query for files of the only category asked for: beside named hosts, which a provider takes instead of kinds of pages, it would not be told. */
function ofFiles(query: ParsedQuery, { includeDomains }: SearchRequest, categories: readonly Category[]): ParsedQuery {
  const isOfPdf = includeDomains.length > 0 && categories.length > 0 && categories.every(({ pdf }) => pdf)
  return isOfPdf && query.files.every(({ not }) => not) ? { ...query, files: [...query.files, { ending: 'pdf', not: false }] } : query
}

function sourcePlan({ source, own }: { readonly source: SearchSource; readonly own: OwnWishes }, request: SearchRequest, query: ParsedQuery, now: number): SourcePlan {
  const tbs = own.tbs ?? request.tbs
  const time = (tbs === undefined ? anyTime : searchTime(tbs)) ?? anyTime
  const location = own.location ?? request.location ?? null
  const categories = categoriesOf(request)
  return {
    source,
    query: ofFiles(query, request, categories),
    limit: request.limit,
    hosts: request.includeDomains.length > 0 ? request.includeDomains : categories.flatMap(({ hosts }) => hosts),
    notHosts: request.excludeDomains,
    files: request.includeDomains.length === 0 && categories.some(({ pdf }) => pdf) ? ['pdf'] : [],
    country: own.country ?? request.country ?? (location === null ? 'US' : null),
    passages: request.highlights === true && source !== 'images',
    countryGiven: (own.country ?? request.country) !== undefined,
    location,
    language: own.lang ?? request.lang ?? null,
    safe: request.safe ?? null,
    from: time.from ?? (time.span === null ? null : now - spans[time.span]),
    to: time.to,
    span: time.span,
    byDate: time.byDate,
    categories,
  }
}

/**
 * What a query says of sizes that no source of the search has. Throws `BAD_REQUEST` if it says nothing else, or nothing at
 * all: providers refuse a search for nothing, which would be told as a fault of theirs.
 */
function queryWarnings(query: ParsedQuery, sources: readonly SearchSource[]): readonly string[] {
  const sized = query.imageSize !== null || query.larger !== null
  const warning = sized && !sources.includes('images') ? 'imagesize: and larger: are about images, which were not asked for.' : null
  if (query.terms.length + query.sites.length + query.files.length === 0 && query.related === null && (query.imageSize === null || sources.some((source) => source !== 'images'))) {
    const message = `query: The query is empty${warning === null ? '' : `: ${warning}`}`
    throw new ServiceError('BAD_REQUEST', `Bad Request: ${message}`, { details: [{ code: 'custom', path: ['query'], message }] })
  }
  return warning === null ? [] : [warning]
}

/** Decides what a search needs and whether it is allowed. Throws `FORBIDDEN` if the team may not search that way, and `BAD_REQUEST` for a query in which there is nothing to search for. */
export function planSearch(request: SearchRequest, gates: FeatureGates, team: string, now: number): SearchPlan {
  const special = request.enterprise.filter((one) => one !== 'default')
  if (special.length > 0 && !isOn(gates.enterpriseSearch, team)) throw new ServiceError('FORBIDDEN', 'Enterprise search is not enabled for this team (TRAWL_ENTERPRISE_SEARCH_TEAMS).')
  const zero = request.enterprise.includes('zdr')
  const scrapes = (request.scrapeOptions?.formats.length ?? 0) > 0
  if (scrapes && (zero || request.scrapeOptions?.zeroDataRetention === true) && !isOn(gates.zeroRetention, team)) {
    throw new ServiceError('FORBIDDEN', 'Scraping the results of a search with zero data retention needs that for scrapes, too (TRAWL_ZDR_TEAMS).')
  }
  const query = parseQuery(request.query)
  const wishes = new Map<SearchSource, SourcePlan>()
  for (const { type, ...own } of request.sources) if (type !== 'alexandria') wishes.set(type, sourcePlan({ source: type, own }, request, query, now))
  // What is ignored counts as absent, so the default applies.
  if (wishes.size === 0) wishes.set('web', sourcePlan({ source: 'web', own: {} }, request, query, now))
  const unknown = [
    ...(request.sources.some(({ type }) => type === 'alexandria') ? ['Ignored, not supported here: the source alexandria.'] : []),
    ...(request.sources.some((source) => 'filter' in source && source.filter !== undefined) ? ['Ignored, not supported here: filter of a source.'] : []),
  ]
  const unscraped = request.scrapeOptions !== undefined && !scrapes ? ['Results are not scraped, as scrapeOptions names no formats.'] : []
  const developer = request.categories.some(({ type }) => type === 'developer') ? ['The category developer is taken for code_hosting.'] : []
  const sources = [...wishes.values()]
  return {
    sources,
    retention: zero ? 'zero' : 'normal',
    keep: isKept(request),
    warnings: [...unknown, ...unscraped, ...developer, ...queryWarnings(query, sources.map(({ source }) => source))],
  }
}
