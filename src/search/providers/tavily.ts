import type { Operator } from '../../domain/search/search-query.ts'
import type { ProviderRequest, SearchProvider } from '../../domain/search/search.ts'
import { dayOf, found, wordsOf } from '../asking.ts'
import { asked, type Json, type Line, listIn, plain, textIn } from '../exchange.ts'

const knows: ReadonlySet<Operator> = new Set<Operator>(['site'])
const spans = { h: 'day', d: 'day', w: 'week', m: 'month', y: 'year' } as const
const most = 20

function bodyOf(request: ProviderRequest): Json {
  const { query, source, limit, hosts, notHosts, span, from, to } = request
  const include = [...hosts, ...query.sites.filter(({ not }) => !not).map(({ host }) => host)]
  const exclude = [...notHosts, ...query.sites.filter(({ not, path }) => not && path === '').map(({ host }) => host)]
  return {
    query: wordsOf(query),
    max_results: Math.min(most, limit),
    topic: source === 'news' ? 'news' : 'general',
    ...(include.length === 0 ? {} : { include_domains: include }),
    ...(exclude.length === 0 ? {} : { exclude_domains: exclude }),
    ...(span === null ? {} : { time_range: spans[span] }),
    ...(span === null && from !== null ? { start_date: dayOf(from) } : {}),
    ...(span === null && to !== null ? { end_date: dayOf(to) } : {}),
    ...(source === 'images' ? { include_images: true, include_image_descriptions: true } : {}),
  }
}

/** Tavily. */
export function tavily(line: Line, key: string): SearchProvider {
  return {
    name: 'tavily',
    sources: new Set(['web', 'news', 'images']),
    knows,
    can: new Set(['spans', 'days']),
    async search(request, call) {
      const answer = await asked(line, { path: '/search', headers: { authorization: `Bearer ${key}` }, body: bodyOf(request) }, call)
      if (request.source === 'images') {
        // It does not say which page a picture is on.
        return listIn(answer, 'images').flatMap((one) => {
          const image = textIn(one, 'url')
          return image === null ? [] : [found({ url: image, title: plain(textIn(one, 'description')), image })]
        })
      }
      return listIn(answer, 'results').flatMap((one) => {
        const url = textIn(one, 'url')
        return url === null ? [] : [found({ url, title: plain(textIn(one, 'title')), description: plain(textIn(one, 'content')), date: textIn(one, 'published_date') })]
      })
    },
    close: () => line.http.close(),
  }
}
