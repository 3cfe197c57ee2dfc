import { type CrawlRules, crawlRules } from '../../domain/crawl/rules.ts'
import { mainDomain, relation } from '../../domain/site-url.ts'
import type { MapRequest } from '../../spec/map.ts'

/** Which URLs belong on the map: a site, and where its start leads to. */
export interface Scope {
  /** The same site: its URLs may be fetched with what the caller gave for it. */
  isSite(url: URL): boolean
  isWanted(url: URL): boolean
}

async function rulesFor(request: MapRequest, url: URL): Promise<CrawlRules> {
  const options = {
    ...request,
    crawlEntireDomain: !request.filterByPath,
    allowSubdomains: request.includeSubdomains,
    allowExternalLinks: false,
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
  }
  return crawlRules(options, { url, domain: await mainDomain(url.hostname) })
}

/** The scope of a request whose site is known by these URLs. Throws `BAD_REQUEST` for patterns that are none. */
export async function scopeOf(request: MapRequest, starts: readonly URL[]): Promise<Scope> {
  const all = await Promise.all(starts.map((url) => rulesFor(request, url)))
  const belongs = (url: URL, rules: CrawlRules): boolean => {
    const found = relation(url, rules.site)
    return found !== 'external' && (found === 'same' || rules.allowSubdomains) && rules.inScope(url.pathname)
  }
  const [first] = all
  return {
    isSite: (url) => all.some((rules) => relation(url, rules.site) === 'same'),
    isWanted: (url) =>
      !(request.ignoreQueryParameters && url.search !== '') && all.some((rules) => belongs(url, rules)) && first !== undefined && !first.isExcluded(url) && first.isIncluded(url),
  }
}
