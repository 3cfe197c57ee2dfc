import type { Call } from '../../domain/call.ts'
import type { Operator } from '../../domain/search/search-query.ts'
import type { Found, ProviderRequest, SearchProvider } from '../../domain/search/search.ts'
import { commonOperators, dayOf, found, maxHosts, paged, queryText } from '../asking.ts'
import { asked, type Json, type Line, listIn, numberIn, objectIn, plain, textIn } from '../exchange.ts'

const knows: ReadonlySet<Operator> = new Set<Operator>([...commonOperators, 'related'])
const pageSize = 10
/** Its results are not numbered any further. */
const most = 100

/** What `lr` takes, by language; Chinese has a value for each script. */
const languages: ReadonlySet<string> = new Set(['ar', 'bg', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fr', 'hr', 'hu', 'id', 'is', 'it', 'iw', 'ja', 'ko', 'lt', 'lv', 'nl', 'no', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv', 'tr'])
const otherNames: Readonly<Record<string, string>> = { he: 'iw', nb: 'no', nn: 'no' }

function restriction(language: string | null): string | null {
  const [name = '', region = ''] = language?.split('-') ?? []
  if (name === 'zh') return `lang_zh-${['Hant', 'TW', 'HK', 'MO'].includes(region) ? 'TW' : 'CN'}`
  const known = otherNames[name] ?? name
  return languages.has(known) ? `lang_${known}` : null
}

function sort({ byDate, span, from, to }: ProviderRequest, now: number): string | null {
  if (span === null && (from !== null || to !== null)) return `date:r:${dayOf(from ?? 0).replaceAll('-', '')}:${dayOf(to ?? now).replaceAll('-', '')}`
  return byDate ? 'date' : null
}

function resultOf(one: Json, source: ProviderRequest['source']): Found | null {
  const link = textIn(one, 'link')
  if (link === null) return null
  const title = plain(textIn(one, 'title'))
  const image = objectIn(one, 'image')
  if (source === 'images') return found({ url: textIn(image, 'contextLink') ?? link, title, image: link, width: numberIn(image, 'width'), height: numberIn(image, 'height') })
  const pagemap = objectIn(one, 'pagemap')
  const date = listIn(pagemap, 'metatags').map((tags) => textIn(tags, 'article:published_time')).find((time) => time !== null)
  return found({ url: link, title, description: plain(textIn(one, 'snippet')), date: date ?? null, image: listIn(pagemap, 'cse_image').map((picture) => textIn(picture, 'src')).find((src) => src !== null) ?? null })
}

/** Google Custom Search. */
export function googleCse(line: Line, key: string, engine: string): SearchProvider {
  const ask = async (request: ProviderRequest, page: number, call: Call): Promise<readonly Found[]> => {
    const { source, country, language, safe, span } = request
    const params = {
      key,
      cx: engine,
      q: queryText(request, knows),
      num: pageSize,
      start: page * pageSize + 1,
      gl: country?.toLowerCase(),
      lr: restriction(language),
      safe: safe === null ? null : safe ? 'active' : 'off',
      dateRestrict: span === null ? null : `${span === 'h' ? 'd' : span}1`,
      sort: sort(request, line.now()),
      searchType: source === 'images' ? 'image' : null,
    }
    const answer = await asked(line, { path: '/customsearch/v1', params }, call)
    return listIn(answer, 'items').flatMap((one) => resultOf(one, source) ?? [])
  }
  return {
    name: 'google',
    sources: new Set(['web', 'images']),
    knows,
    can: new Set(['spans', 'days', 'order', 'country', 'language', 'safe']),
    takes: ({ language }) => ({ country: true, language: language === null || restriction(language) !== null }),
    orderNeedsAnyDay: true,
    maxHosts,
    search: (request, call) => paged(Math.min(most, request.limit), pageSize, (page) => ask(request, page, call)),
    close: () => line.http.close(),
  }
}
