import type { Call } from '../../domain/call.ts'
import type { Found, ProviderRequest, SearchProvider } from '../../domain/search/search.ts'
import { commonOperators, dayOf, found, maxHosts, paged, queryText } from '../asking.ts'
import { asked, type Json, type Line, listIn, numberIn, objectIn, plain, textIn } from '../exchange.ts'
import { braveCountry, braveLanguage } from './brave-places.ts'

const spans = { h: 'pd', d: 'pd', w: 'pw', m: 'pm', y: 'py' } as const
const pageSizes = { web: 20, news: 50, images: 100 } as const
const firstDay = '1990-01-01'

function freshness({ span, from, to }: ProviderRequest, now: number): string | null {
  if (span !== null) return spans[span]
  return from === null && to === null ? null : `${from === null ? firstDay : dayOf(from)}to${dayOf(to ?? now)}`
}

function resultOf(one: Json, source: ProviderRequest['source']): readonly Found[] {
  const url = textIn(one, 'url')
  if (url === null) return []
  const title = plain(textIn(one, 'title'))
  if (source !== 'images') return [found({ url, title, description: plain(textIn(one, 'description')), date: textIn(one, 'page_age', 'age'), image: textIn(objectIn(one, 'thumbnail'), 'src') })]
  const properties = objectIn(one, 'properties')
  const image = textIn(properties, 'url')
  return image === null ? [] : [found({ url, title, image, width: numberIn(properties, 'width'), height: numberIn(properties, 'height') })]
}

/** Brave Search. */
export function brave(line: Line, key: string): SearchProvider {
  const ask = async (request: ProviderRequest, page: number, call: Call): Promise<readonly Found[]> => {
    const { source, country, language, safe } = request
    const params = {
      q: queryText(request, commonOperators),
      count: Math.min(pageSizes[source], request.limit),
      offset: source === 'images' || page === 0 ? null : page,
      // Without a country it takes that of its default.
      country: country === null ? null : (braveCountry(country) ?? 'ALL'),
      search_lang: language === null ? null : braveLanguage(language, country),
      safesearch: safe === null ? null : safe ? 'strict' : 'off',
      freshness: source === 'images' ? null : freshness(request, line.now()),
    }
    const answer = await asked(line, { path: `/res/v1/${source}/search`, params, headers: { 'x-subscription-token': key } }, call)
    return listIn(source === 'web' ? objectIn(answer, 'web') : answer, 'results').flatMap((one) => resultOf(one, source))
  }
  return {
    name: 'brave',
    sources: new Set(['web', 'news', 'images']),
    knows: commonOperators,
    can: new Set(['spans', 'days', 'country', 'language', 'safe']),
    cannot: { images: new Set(['spans', 'days']) },
    takes: ({ country, language }) => ({ country: country === null || braveCountry(country) !== null, language: language === null || braveLanguage(language, country) !== null }),
    maxHosts,
    search: (request, call) => paged(request.limit, pageSizes[request.source], (page) => ask(request, page, call)),
    close: () => line.http.close(),
  }
}
