import type { Ability, Found, SearchProvider } from '../../domain/search/search.ts'
import { isBelow, type Operator, operatorsOf, type QueryTerm } from '../../domain/search/search-query.ts'
import { urlKey } from '../../domain/urls/site-url.ts'
import { targetUrlOf } from '../../spec/common.ts'
import { categoryOf, type SourcePlan } from './plan.ts'
import { webUrlOf } from '../../lib/url-of.ts'
import { endingIn } from '../../domain/pages/file-kind.ts'

/** Normalises text for comparison: case, accents, runs of spaces. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ')

const has = (text: string, { text: wanted, not }: QueryTerm): boolean => plain(text).includes(plain(wanted)) !== not

/** Operators that can be checked on a result, whoever found it. */
const certain: ReadonlySet<Operator> = new Set(['site', 'imagesize', 'larger'])

type Check = (found: Found, plan: SourcePlan) => boolean

const checks: Partial<Record<Operator, Check>> = {
  site: ({ url }, { query: { sites } }) => {
    const { hostname, pathname } = new URL(url)
    const isAt = ({ host, path }: (typeof sites)[number]): boolean => isBelow(hostname, host) && pathname.startsWith(path)
    const wanted = sites.filter(({ not }) => !not)
    return (wanted.length === 0 || wanted.some(isAt)) && !sites.some((site) => site.not && isAt(site))
  },
  filetype: ({ url }, { query: { files } }) => {
    const own = endingIn(new URL(url).pathname)
    const wanted = files.filter(({ not }) => !not)
    return (wanted.length === 0 || wanted.some((file) => file.ending === own)) && !files.some((file) => file.not && file.ending === own)
  },
  inurl: ({ url }, { query: { terms } }) => terms.filter(({ where }) => where === 'url').every((term) => has(url, term)),
  intitle: ({ title }, { query: { terms } }) => terms.filter(({ where }) => where === 'title').every((term) => has(title, term)),
  not: ({ title, description, url }, { query: { terms } }) => terms.filter(({ not, where }) => not && where === 'anywhere').every((term) => has(`${title} ${description} ${url}`, term)),
  imagesize: ({ width, height }, { query: { imageSize }, source }) => source !== 'images' || imageSize === null || (width === imageSize.width && height === imageSize.height),
  larger: ({ width, height }, { query: { larger }, source }) => source !== 'images' || larger === null || ((width ?? 0) > larger.width && (height ?? 0) > larger.height),
}

/** Warns of what neither the provider nor Trawl can apply. */
export function unmet(plan: SourcePlan, { knows, can: all, cannot, takes, countryNeedsLanguage, orderNeedsAnyDay, maxHosts = Infinity, name }: Pick<SearchProvider, 'knows' | 'can' | 'cannot' | 'takes' | 'countryNeedsLanguage' | 'orderNeedsAnyDay' | 'maxHosts' | 'name'>): readonly string[] {
  const can = (ability: Ability): boolean => all.has(ability) && cannot?.[plan.source]?.has(ability) !== true
  const operators = [...operatorsOf(plan.query)].filter((operator) => !knows.has(operator) && checks[operator] === undefined)
  const taken = takes?.(plan) ?? { country: true, language: true }
  const days = plan.span === null && (plan.from !== null || plan.to !== null)
  const wishes: readonly (readonly [string, boolean])[] = [
    ['tbs (qdr)', plan.span !== null && !can('spans')],
    ['tbs (qdr:h)', plan.span === 'h' && can('spans') && !can('hour')],
    ['tbs (cdr)', days && !can('days')],
    ['tbs (sbd:1)', plan.byDate && !can('order')],
    ['tbs (sbd:1 with cdr)', plan.byDate && days && can('order') && orderNeedsAnyDay === true],
    ['location', plan.location !== null && !can('location')],
    ['country', plan.countryGiven && plan.country !== null && !(can('country') && taken.country)],
    ['country (without lang)', plan.countryGiven && plan.country !== null && plan.language === null && can('country') && countryNeedsLanguage === true],
    ['lang', plan.language !== null && !(can('language') && taken.language)],
    ['safe', plan.safe !== null && !can('safe')],
    ['highlights', plan.passages && !can('passages')],
    [`hosts beyond the first ${maxHosts}`, plan.hosts.length > maxHosts],
  ]
  const missing = [...operators.map((operator) => (operator === 'exact' ? 'quotes' : `${operator}:`)), ...wishes.filter(([, is]) => is).map(([wish]) => wish)]
  return missing.length === 0 ? [] : [`${name} cannot see to: ${missing.join(', ')}.`]
}

/** The results that match the query, each address once, in order. */
export function sifted(all: readonly Found[], plan: SourcePlan, { knows, ignoreInvalid }: { readonly knows: ReadonlySet<Operator>; readonly ignoreInvalid: boolean }): readonly Found[] {
  const rules = [...operatorsOf(plan.query)].filter((operator) => certain.has(operator) || !knows.has(operator)).flatMap((operator) => checks[operator] ?? [])
  const seen = new Set<string>()
  return all.filter((found) => {
    const url = webUrlOf(found.url)
    if (url === null) return false
    const { hostname } = url
    if (ignoreInvalid && 'fault' in targetUrlOf(found.url)) return false
    if (plan.notHosts.some((host) => isBelow(hostname, host))) return false
    // Categories are kinds of pages, hosts are named ones: if both are given, both must match.
    if (plan.categories.length > 0 && categoryOf(found, plan.categories) === undefined) return false
    // With kinds of files, the hosts are only those of other categories.
    if (plan.files.length === 0 && plan.hosts.length > 0 && !plan.hosts.some((host) => isBelow(hostname, host))) return false
    if (!rules.every((rule) => rule(found, plan))) return false
    const key = plan.source === 'images' ? (found.image ?? '') : urlKey(found.url, { ignoreQueryParameters: false, deduplicateSimilarURLs: true })
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
