import { selectAll, selectOne } from 'css-select'
import { type AnyNode, isTag } from 'domhandler'
import { textContent } from 'domutils'
import { parseDocument } from 'htmlparser2'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Fetcher } from '../../domain/fetching/fetcher.ts'
import { type Found, ProviderFault, type ProviderRequest, type SearchProvider } from '../../domain/search/search.ts'
import { commonOperators, found, maxHosts, queryText } from '../asking.ts'
import { faultOf } from '../exchange.ts'
import { regionOf } from './duckduckgo-regions.ts'
import { urlOf } from '../../lib/url-of.ts'

/** A search engine whose result page is parsed. */
export interface ResultPage {
  readonly name: string
  readonly base: URL
  /** Address of the result page. */
  address(request: ProviderRequest, query: string): { readonly path: string; readonly params: Readonly<Record<string, string | null>> }
  /** Whether it takes the country and the language of a request; all when absent. */
  readonly takes?: NonNullable<SearchProvider['takes']>
  readonly result: string
  readonly link: string
  readonly snippet: string
  /** Selector of what it shows instead of results to programs. */
  readonly captcha: string
  /** Selector of what it shows when nothing was found. */
  readonly nothing: string
}

const maxBytes = 2 * 1024 * 1024
const spans = { h: 'd', d: 'd', w: 'w', m: 'm', y: 'y' } as const

/** The two engines that need no key. */
export const resultPages: Readonly<Record<'duckduckgo' | 'mojeek', ResultPage>> = {
  duckduckgo: {
    name: 'duckduckgo',
    base: new URL('https://html.duckduckgo.com'),
    address: (request, query) => ({ path: '/html/', params: { q: query, kl: regionOf(request).name, df: request.span === null ? null : spans[request.span] } }),
    takes: regionOf,
    result: '.result:not(.result--ad)',
    link: 'a.result__a',
    snippet: '.result__snippet',
    captcha: '.anomaly-modal__modal, #challenge-form',
    nothing: '.no-results',
  },
  mojeek: {
    name: 'mojeek',
    base: new URL('https://www.mojeek.com'),
    address: ({ country, language, span }, query) => ({ path: '/search', params: { q: query, arc: country?.toLowerCase() ?? null, lb: language?.split('-', 1)[0] ?? null, since: span === null ? null : { h: 'day', d: 'day', w: 'week', m: 'month', y: 'year' }[span] } }),
    result: 'ul.results-standard > li',
    link: 'h2 a, a.title',
    snippet: 'p.s',
    captcha: 'form[action*="captcha"], .captcha',
    nothing: '.results-none, p.no-results',
  },
}

/** The target of a link on a result page; some links go through the engine. */
function leadsTo(href: string, base: URL): string | null {
  const url = urlOf(href, base)
  return url && (url.searchParams.get('uddg') ?? url.href)
}

function read(html: string, page: ResultPage, limit: number): readonly Found[] {
  const document: AnyNode[] = parseDocument(html).children
  if (selectOne(page.captcha, document) !== null) throw new ProviderFault('captcha')
  const results = selectAll(page.result, document).filter(isTag).flatMap((one) => {
    const link = selectOne(page.link, one)
    const href = link === null || !isTag(link) ? undefined : link.attribs['href']
    const url = href === undefined ? null : leadsTo(href, page.base)
    if (link === null || url === null) return []
    const snippet = selectOne(page.snippet, one)
    const text = (of: typeof link): string => textContent(of).replace(/\s+/g, ' ').trim()
    return [found({ url, title: text(link), description: snippet === null ? '' : text(snippet) })]
  })
  // A page that neither has results nor says that there are none is not the known page.
  if (results.length === 0 && selectOne(page.nothing, document) === null) throw new ProviderFault('broken')
  return results.slice(0, limit)
}

/** A search provider without a key, over the fetcher for pages. */
export function resultPage(page: ResultPage, { fetcher, now }: { readonly fetcher: Fetcher; readonly now: () => number }): SearchProvider {
  const search = async (request: ProviderRequest, call: Call): Promise<readonly Found[]> => {
    const { path, params } = page.address(request, queryText(request, commonOperators))
    const url = new URL(path, page.base)
    for (const [name, value] of Object.entries(params)) if (value !== null) url.searchParams.set(name, value)
    const languages = request.language === null ? ['en-US'] : [request.language]
    const answer = await fetcher.fetch({ url: url.href, headers: {}, languages, skipTlsVerification: false, maxBytes }, call).catch((error: unknown) => {
      call.signal.throwIfAborted()
      throw error instanceof ServiceError ? new ProviderFault('broken') : error
    })
    if (answer.status === 202) throw new ProviderFault('captcha')
    const fault = faultOf(answer.status, answer.headers, now())
    // There is no key that it could refuse.
    if (fault !== null) throw fault.reason === 'refused' ? new ProviderFault('captcha') : fault
    return read(Buffer.from(answer.body).toString(), page, request.limit)
  }
  return { name: page.name, sources: new Set(['web']), knows: commonOperators, can: new Set(['spans', 'country', 'language']), ...(page.takes === undefined ? {} : { takes: page.takes }), maxHosts, search }
}
