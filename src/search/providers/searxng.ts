import type { Call } from '../../domain/call.ts'
import { type Found, ProviderFault, type ProviderRequest, type SearchProvider } from '../../domain/search/search.ts'
import { commonOperators, found, maxHosts, paged, queryText } from '../asking.ts'
import { asked, type Json, type Line, listIn, plain, textIn } from '../exchange.ts'

const categories = { web: 'general', news: 'news', images: 'images' } as const
const ranges = { h: 'day', d: 'day', w: 'week', m: 'month', y: 'year' } as const
/** The approximate number of results per page. */
const pageSize = 10

/** It suspends engines that failed for up to this long, without reporting that: its empty answers then mean nothing. */
const bannedMs = 120_000

/** Why none of its engines answered; null when they did. No answer is not the same as no results. */
function faultIn(answer: Json): ProviderFault | null {
  const engines = answer['unresponsive_engines']
  const reasons = Array.isArray(engines) ? engines.map((one) => (Array.isArray(one) ? String(one[1]) : String(one)).toLowerCase()) : []
  if (reasons.length === 0) return null
  if (reasons.some((reason) => reason.includes('captcha'))) return new ProviderFault('captcha', bannedMs)
  if (reasons.some((reason) => /too many|suspended|rate|429/.test(reason))) return new ProviderFault('limited', bannedMs)
  return new ProviderFault(reasons.some((reason) => /time/.test(reason)) ? 'late' : 'broken', bannedMs)
}

function sizeIn(one: Json): { width: number | null; height: number | null } {
  const size = /(\d{1,5})\s*[x×]\s*(\d{1,5})/i.exec(textIn(one, 'resolution') ?? '')
  return { width: size === null ? null : Number(size[1]), height: size === null ? null : Number(size[2]) }
}

/** A SearXNG server, or the older searx: its JSON interface, which its settings must enable (`search.formats`). */
export function searxng(line: Line): SearchProvider {
  const ask = async (request: ProviderRequest, page: number, call: Call): Promise<readonly Found[]> => {
    const { source, language, country, safe, span } = request
    const params = {
      q: queryText(request, commonOperators),
      format: 'json',
      categories: categories[source],
      pageno: page + 1,
      language: language === null ? null : language.includes('-') || country === null ? language : `${language}-${country}`,
      time_range: span === null ? null : ranges[span],
      safesearch: safe === null ? null : safe ? 2 : 0,
    }
    const answer = await asked(line, { path: '/search', params }, call)
    const results = listIn(answer, 'results').flatMap((one) => {
      const url = textIn(one, 'url')
      if (url === null) return []
      const image = textIn(one, 'img_src', 'thumbnail_src', 'thumbnail')
      if (source === 'images' && image === null) return []
      return [found({ url, title: plain(textIn(one, 'title')), description: plain(textIn(one, 'content')), date: textIn(one, 'publishedDate', 'pubdate'), image: image?.startsWith('//') ? `https:${image}` : image, ...sizeIn(one) })]
    })
    const fault = results.length === 0 && page === 0 ? faultIn(answer) : null
    if (fault !== null) throw fault
    return results
  }
  return {
    name: 'searxng',
    sources: new Set(['web', 'news', 'images']),
    knows: commonOperators,
    can: new Set(['spans', 'language', 'country', 'safe']),
    countryNeedsLanguage: true,
    maxHosts,
    search: (request, call) => paged(request.limit, pageSize, (page) => ask(request, page, call)),
    close: () => line.http.close(),
  }
}
