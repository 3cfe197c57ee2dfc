import type { Operator } from '../../domain/search/search-query.ts'
import type { SearchProvider } from '../../domain/search/search.ts'
import { found, wordsOf } from '../asking.ts'
import { asked, type Line, listIn, plain, textIn } from '../exchange.ts'

const knows: ReadonlySet<Operator> = new Set<Operator>(['site'])

/** Exa. */
export function exa(line: Line, key: string): SearchProvider {
  return {
    name: 'exa',
    sources: new Set(['web', 'news']),
    knows,
    can: new Set(['hour', 'spans', 'days', 'country', 'passages']),
    async search({ query, source, limit, hosts, notHosts, from, to, country }, call) {
      const include = [...hosts, ...query.sites.filter(({ not }) => !not).map(({ host, path }) => `${host}${path}`)]
      const exclude = [...notHosts, ...query.sites.filter(({ not }) => not).map(({ host, path }) => `${host}${path}`)]
      const body = {
        query: wordsOf(query),
        numResults: limit,
        type: 'auto',
        contents: { highlights: true },
        ...(source === 'news' ? { category: 'news' } : {}),
        ...(country === null ? {} : { userLocation: country }),
        ...(include.length === 0 ? {} : { includeDomains: include }),
        ...(exclude.length === 0 ? {} : { excludeDomains: exclude }),
        ...(from === null ? {} : { startPublishedDate: new Date(from).toISOString() }),
        ...(to === null ? {} : { endPublishedDate: new Date(to).toISOString() }),
      }
      const answer = await asked(line, { path: '/search', headers: { 'x-api-key': key }, body }, call)
      return listIn(answer, 'results').flatMap((one) => {
        const url = textIn(one, 'url')
        const highlights = one['highlights']
        const quoted = Array.isArray(highlights) ? highlights.filter((text) => typeof text === 'string').join(' … ') : ''
        return url === null ? [] : [found({ url, title: plain(textIn(one, 'title')), description: quoted === '' ? plain(textIn(one, 'summary', 'text')).slice(0, 300) : plain(quoted), date: textIn(one, 'publishedDate'), image: textIn(one, 'image') })]
      })
    },
    close: () => line.http.close(),
  }
}
