import { type CrawlRules, crawlRules } from '../../domain/crawl/rules.ts'
import { isMeantFor, mainDomain, type Relation, relation, type Site } from '../../domain/urls/site-url.ts'
import type { UrlParts } from '../../lib/plain-url.ts'
import type { MapRequest } from '../../spec/map.ts'

/** Which URLs belong on the map: those of the site, and of where its start leads. */
export interface Scope {
  /** The site itself, under any of these addresses. */
  isSite(url: UrlParts): boolean
  isWanted(url: UrlParts): boolean
}

/** The caller's headers for a URL. */
export const headersFor = (url: string, { url: start, headers = {} }: MapRequest): Readonly<Record<string, string>> => (isMeantFor(new URL(start), new URL(url)) ? headers : {})

async function rulesFor(request: MapRequest, url: URL): Promise<Rules> {
  const options = {
    ...request,
    crawlEntireDomain: !request.filterByPath,
    allowSubdomains: request.includeSubdomains,
    allowExternalLinks: false,
    ignoreQueryParameters: false,
    deduplicateSimilarURLs: true,
  }
  const rules = crawlRules(options, { url, domain: await mainDomain(url.hostname) })
  return { ...rules, standing: standingTo(rules.site) }
}

interface Rules extends CrawlRules {
  /** Classifies a URL's host; computed once per host. */
  readonly standing: (url: UrlParts) => Relation
}

function standingTo(site: Site): Rules['standing'] {
  const known = new Map<string, Relation>()
  return (url) => {
    const { host } = url
    let found = known.get(host)
    if (found === undefined) known.set(host, (found = relation(url, site)))
    return found
  }
}

/** The scope of a request for a site known by these URLs. Throws `BAD_REQUEST` for invalid patterns. */
export async function scopeOf(request: MapRequest, starts: readonly URL[]): Promise<Scope> {
  const all = await Promise.all(starts.map((url) => rulesFor(request, url)))
  const belongs = (url: UrlParts, rules: Rules): boolean => {
    const found = rules.standing(url)
    return found !== 'external' && (found === 'same' || rules.allowSubdomains) && rules.inScope(url.pathname)
  }
  const [first] = all
  return {
    isSite: (url) => all.some((rules) => rules.standing(url) === 'same'),
    isWanted: (url) =>
      !(request.ignoreQueryParameters && url.search !== '') && all.some((rules) => belongs(url, rules)) && first !== undefined && !first.isExcluded(url) && first.isIncluded(url),
  }
}
