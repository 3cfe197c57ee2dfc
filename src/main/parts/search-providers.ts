import type { Fetcher } from '../../domain/fetching/fetcher.ts'
import type { SearchProvider } from '../../domain/search/search.ts'
import { nameResolver, operatorHttp, type OwnEndpoints } from '../../net/index.ts'
import { brave, exa, googleCse, type Line, resultPage, resultPages, searxng, serper, tavily } from '../../search/index.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { endpointOf } from '../../lib/endpoint-of.ts'

/** The addresses of the providers with keys. */
const homes = {
  brave: 'https://api.search.brave.com',
  serper: 'https://google.serper.dev',
  tavily: 'https://api.tavily.com',
  exa: 'https://api.exa.ai',
  google: 'https://customsearch.googleapis.com',
} as const

const names = ['searxng', 'brave', 'serper', 'tavily', 'exa', 'google', 'duckduckgo', 'mojeek'] as const
type Name = (typeof names)[number]

const isName = (name: string): name is Name => names.some((known) => known === name)

/** The settings that each provider needs, with their values. */
function needs(config: Config): Readonly<Record<Name, readonly (readonly [string, string | null])[]>> {
  return {
    searxng: [['TRAWL_SEARXNG_URL', config.TRAWL_SEARXNG_URL]],
    brave: [['TRAWL_BRAVE_API_KEY', config.TRAWL_BRAVE_API_KEY]],
    serper: [['TRAWL_SERPER_API_KEY', config.TRAWL_SERPER_API_KEY]],
    tavily: [['TRAWL_TAVILY_API_KEY', config.TRAWL_TAVILY_API_KEY]],
    exa: [['TRAWL_EXA_API_KEY', config.TRAWL_EXA_API_KEY]],
    google: [['TRAWL_GOOGLE_CSE_API_KEY', config.TRAWL_GOOGLE_CSE_API_KEY], ['TRAWL_GOOGLE_CSE_ID', config.TRAWL_GOOGLE_CSE_ID]],
    duckduckgo: [],
    mojeek: [],
  }
}

/** The configured providers, first choice first. Throws `ConfigError` for an unknown one, or one without its key. */
export function searchProviderNames(config: Config): readonly Name[] {
  const all = needs(config)
  const isSet = (name: Name): boolean => all[name].length > 0 && all[name].every(([, value]) => value !== null)
  const half = names.find((name) => !isSet(name) && all[name].some(([, value]) => value !== null))
  if (half !== undefined) throw new ConfigError(`${all[half].find(([, value]) => value !== null)?.[0]} needs ${all[half].find(([, value]) => value === null)?.[0]}.`)
  if (config.TRAWL_SEARCH_PROVIDERS.length === 0) return names.filter(isSet)
  return [...new Set(config.TRAWL_SEARCH_PROVIDERS)].map((name) => {
    if (!isName(name)) throw new ConfigError(`TRAWL_SEARCH_PROVIDERS: there is no provider "${name}"; there are ${names.join(', ')}.`)
    const missing = all[name].find(([, value]) => value === null)
    if (missing !== undefined) throw new ConfigError(`TRAWL_SEARCH_PROVIDERS names ${name}, which needs ${missing[0]}.`)
    return name
  })
}

function searxngUrl({ TRAWL_SEARXNG_URL: text }: Config): URL | null {
  return text === null ? null : new URL(text)
}

/** Hosts and ports that only the search server may use, never pages (contract §15.15). */
export function searchEndpoints(config: Config): readonly { readonly host: string; readonly port: number }[] {
  const url = searxngUrl(config)
  return url === null ? [] : [endpointOf(url)]
}

/** How providers are reached. */
interface Ways {
  readonly own: OwnEndpoints
  /** For result pages, which are fetched like any other page. */
  readonly fetcher: Fetcher
  readonly now: () => number
}

/** Opens the configured search providers; all of their traffic passes the address guard. Throws `ConfigError`. */
export function openSearchProviders(config: Config, { own, fetcher, now }: Ways): { readonly list: readonly SearchProvider[]; close(): void } {
  const selected = searchProviderNames(config)
  const resolver = nameResolver({ servers: config.TRAWL_EGRESS_DNS_SERVERS })
  const line = (base: URL): Line => ({ base, http: operatorHttp(base, { resolver, own }), now })
  const at = (name: keyof typeof homes): Line => line(new URL(homes[name]))
  const made: { readonly [N in Name]: () => SearchProvider } = {
    searxng: () => searxng(line(searxngUrl(config) ?? new URL('http://127.0.0.1'))),
    brave: () => brave(at('brave'), config.TRAWL_BRAVE_API_KEY ?? ''),
    serper: () => serper(at('serper'), config.TRAWL_SERPER_API_KEY ?? ''),
    tavily: () => tavily(at('tavily'), config.TRAWL_TAVILY_API_KEY ?? ''),
    exa: () => exa(at('exa'), config.TRAWL_EXA_API_KEY ?? ''),
    google: () => googleCse(at('google'), config.TRAWL_GOOGLE_CSE_API_KEY ?? '', config.TRAWL_GOOGLE_CSE_ID ?? ''),
    duckduckgo: () => resultPage(resultPages.duckduckgo, { fetcher, now }),
    mojeek: () => resultPage(resultPages.mojeek, { fetcher, now }),
  }
  const list = selected.map((name) => made[name]())
  return {
    list,
    close() {
      for (const provider of list) provider.close?.()
      resolver.close()
    },
  }
}
