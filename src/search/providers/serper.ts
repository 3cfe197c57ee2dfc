import type { Operator } from '../../domain/search/search-query.ts'
import type { ProviderRequest, SearchProvider } from '../../domain/search/search.ts'
import { commonOperators, found, maxHosts, queryText } from '../asking.ts'
import { asked, type Line, listIn, numberIn, plain, textIn } from '../exchange.ts'

const places = { web: { path: '/search', list: 'organic' }, news: { path: '/news', list: 'news' }, images: { path: '/images', list: 'images' } } as const
const knows: ReadonlySet<Operator> = new Set<Operator>([...commonOperators, 'related', 'imagesize'])

const american = (at: number): string => {
  const date = new Date(at)
  return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
}

/** The time filter in Google's syntax. */
function tbs({ span, from, to, byDate }: ProviderRequest): string | undefined {
  const range = span !== null ? [`qdr:${span}`] : from !== null || to !== null ? ['cdr:1', ...(from === null ? [] : [`cd_min:${american(from)}`]), ...(to === null ? [] : [`cd_max:${american(to)}`])] : []
  const all = [...range, ...(byDate ? ['sbd:1'] : [])]
  return all.length === 0 ? undefined : all.join(',')
}

/** Serper: results of Google. */
export function serper(line: Line, key: string): SearchProvider {
  return {
    name: 'serper',
    sources: new Set(['web', 'news', 'images']),
    knows,
    can: new Set(['hour', 'spans', 'days', 'order', 'country', 'location', 'language', 'safe']),
    maxHosts,
    async search(request, call) {
      const { source, country, language, location, limit, safe } = request
      const body = {
        q: queryText(request, knows),
        num: limit,
        ...(country === null ? {} : { gl: country.toLowerCase() }),
        ...(language === null ? {} : { hl: language }),
        ...(location === null ? {} : { location }),
        ...(safe === null ? {} : { safe: safe ? 'active' : 'off' }),
        tbs: tbs(request),
      }
      const answer = await asked(line, { path: places[source].path, headers: { 'x-api-key': key }, body }, call)
      return listIn(answer, places[source].list).flatMap((one) => {
        const url = textIn(one, 'link')
        const image = textIn(one, 'imageUrl')
        if (url === null || (source === 'images' && image === null)) return []
        return [found({ url, title: plain(textIn(one, 'title')), description: plain(textIn(one, 'snippet')), date: textIn(one, 'date'), image, width: numberIn(one, 'imageWidth'), height: numberIn(one, 'imageHeight') })]
      })
    },
    close: () => line.http.close(),
  }
}
