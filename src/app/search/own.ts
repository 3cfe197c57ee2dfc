import { shownText } from '../../content/indexing/index.ts'
import { readable } from '../../content/passages/blocks.ts'
import type { Call } from '../../domain/call.ts'
import type { Ability, Found, SearchProvider } from '../../domain/search/search.ts'
import { type IndexClause, type IndexHit, type IndexQuery, type Picture, scopes } from '../../domain/search/search-index.ts'
import { type Operator, operatorsOf, type QueryTerm } from '../../domain/search/search-query.ts'
import { queryPhrase, queryWords, type QueryWord, termsOf } from '../../domain/search/terms.ts'
import { isoTime } from '../../lib/time.ts'
import { unpack } from '../../domain/pages/packed.ts'
import type { SourcePlan } from './plan.ts'
import type { SearchPorts } from './ports.ts'
import { snippet } from './snippet.ts'

/** Operators and options that our index applies itself. */
export const own: Pick<SearchProvider, 'name' | 'knows' | 'can' | 'cannot' | 'maxHosts'> = {
  name: 'our own index',
  knows: new Set<Operator>(['exact', 'not', 'filetype', 'intitle', 'related']),
  can: new Set<Ability>(['hour', 'spans', 'days', 'order', 'passages']),
}

/** Extra results to read, since some pages are there twice and some phrases match only nearly. */
const spare = 2
/** How many words describe a page when others like it are sought. */
const relatedWords = 24

type OwnPorts = Pick<SearchPorts, 'index' | 'blobs' | 'now'>

const clause = ({ anyOf, prefix }: QueryWord, field: IndexClause['field']): IndexClause => ({ anyOf, field, prefix })

/** Without the words that pages of some language are not indexed by, unless there are no others. */
function telling<T extends { readonly common: boolean }>(words: readonly T[], others: readonly T[] = []): readonly T[] {
  return [...words, ...others].some(({ common }) => !common) ? words.filter(({ common }) => !common) : words
}

/** What a query term requires of a page: its words in any place, or in a row. */
function clausesOf({ text, exact, not, where }: QueryTerm, languages: readonly string[], source: SourcePlan['source']): readonly (IndexClause & { readonly common: boolean })[] {
  const field = where === 'title' ? 'title' : where === 'url' ? 'address' : source === 'images' ? 'pictures' : 'text'
  const words = queryWords(text, languages)
  // A term of several words is excluded as a whole: a page may have any one of them.
  if (exact || (not && words.length > 1)) {
    const phrase = queryPhrase(text, languages)
    return phrase.length === 0 ? [] : [{ anyOf: phrase, field, common: false }]
  }
  return words.map((word) => ({ ...clause(word, field), common: word.common }))
}

function baseQuery(plan: SourcePlan, team: string, now: number): Omit<IndexQuery, 'words' | 'match' | 'must' | 'not'> {
  const { query } = plan
  const wanted = query.files.filter(({ not }) => !not)
  const kinds = [...plan.hosts.map(scopes.host), ...plan.files.map(scopes.file)]
  const sites = query.sites.filter(({ not }) => !not)
  return {
    team,
    within: [
      ...(kinds.length > 0 ? [kinds] : []),
      ...(sites.length > 0 ? [sites.map(({ host }) => scopes.host(host))] : []),
      ...(wanted.length > 0 ? [wanted.map(({ ending }) => scopes.file(ending))] : []),
      ...(plan.source === 'news' ? [[scopes.published]] : []),
      ...(plan.source === 'images' ? [[scopes.pictures]] : []),
    ],
    without: [
      ...plan.notHosts.map(scopes.host),
      ...query.sites.filter(({ not, path }) => not && path === '').map(({ host }) => scopes.host(host)),
      ...query.files.filter(({ not }) => not).map(({ ending }) => scopes.file(ending)),
    ],
    from: plan.from ?? 0,
    to: plan.to ?? Number.MAX_SAFE_INTEGER,
    order: plan.byDate ? 'date' : 'relevance',
    now,
    limit: Math.min(300, plan.limit * spare + 20),
  }
}

/** Bounds on the stored pages opened for one search, together and each: opening blocks everybody. */
const mostBytes = 32 * 1024 ** 2
const largestPage = 4 * 1024 ** 2

/** How much may still be opened. */
interface Budget {
  bytes: number
}

/** The indexed part of a stored page; null if it is gone, `too-large` if it is not opened. */
async function shownOf({ memo }: IndexHit, { blobs }: OwnPorts, budget: Budget): Promise<{ readonly text: string; readonly pictures: readonly Picture[] } | null | 'too-large'> {
  if (memo !== null && budget.bytes <= 0) return 'too-large'
  const bytes = memo === null ? null : await blobs.get(memo)
  if (bytes === null) return null
  if (bytes.length > Math.min(largestPage, budget.bytes)) return 'too-large'
  budget.bytes -= bytes.length
  const { facts, fields } = unpack(bytes)
  return { text: shownText(fields().markdown ?? facts.shown?.text ?? ''), pictures: facts.shown?.pictures ?? [] }
}

const squeezed = (text: string): string => readable(text).normalize('NFKC').toLowerCase()

/** Whether a text has every quoted phrase as written, and none that is excluded. */
function isExact(text: string, { query }: SourcePlan): boolean {
  const whole = squeezed(text)
  return query.terms.filter(({ exact, where }) => exact && where === 'anywhere').every((term) => whole.includes(squeezed(term.text)) !== term.not)
}

/** The pictures of a page that match, each by its own words, whatever the others show. */
function picturesOf(hit: IndexHit, pictures: readonly Picture[], plan: SourcePlan, languages: readonly string[]): readonly (Found & { readonly fits: number })[] {
  const terms = plan.query.terms.filter(({ where }) => where === 'anywhere')
  const wanted = new Set(terms.filter(({ not }) => !not).flatMap(({ text }) => queryWords(text, languages).flatMap(({ anyOf }) => anyOf.flat())))
  const unwanted = terms.filter(({ not, exact }) => not && !exact).map(({ text }) => queryWords(text, languages))
  return pictures.flatMap(({ url, alt, width, height }) => {
    const shown = new Set((languages.length === 0 ? [''] : languages).flatMap((language) => termsOf(alt, language)))
    const fits = [...wanted].filter((term) => shown.has(term)).length
    const isUnwanted = unwanted.some((words) => words.length > 0 && words.every(({ anyOf }) => anyOf.some((form) => form.every((term) => shown.has(term)))))
    if (isUnwanted || !isExact(alt, plan) || (wanted.size > 0 && fits === 0)) return []
    return { url: hit.url, title: alt, description: hit.title, date: null, image: url, width, height, fits }
  })
}

const bare = (text: string): string => text.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')

/** An indexed page, and the words that describe it. */
interface Model {
  readonly url: string
  readonly words: readonly IndexClause[]
}

/** The page that others should be like, described by its own words. Null if it is not in the index. */
async function modelOf(url: string, { plan, languages, ports }: { readonly plan: SourcePlan; readonly languages: readonly string[]; readonly ports: OwnPorts }, call: Call): Promise<Model | null> {
  const { hostname, pathname } = new URL(url)
  const address = telling(queryWords(`${hostname.replace(/^www\./, '')} ${pathname}`, languages)).map((word) => clause(word, 'address'))
  const base = baseQuery(plan, call.team, ports.now())
  const near = await ports.index.search({ ...base, words: address, match: 'all', must: [], not: [], within: [[scopes.host(hostname)]], without: [], from: 0, to: Number.MAX_SAFE_INTEGER, order: 'relevance', limit: 50 })
  const model = near.find((hit) => bare(hit.url) === bare(url)) ?? near.toSorted((a, b) => a.url.length - b.url.length)[0]
  if (model === undefined) return null
  const shown = await shownOf(model, ports, { bytes: largestPage })
  const counts = new Map<string, number>()
  const add = (text: string, weight: number): void => termsOf(text, model.language, 5_000).forEach((term) => void (term.length > 2 && counts.set(term, (counts.get(term) ?? 0) + weight)))
  add(model.title, 5)
  add(model.description, 2)
  add(readable((shown === 'too-large' ? '' : (shown?.text ?? '')).slice(0, 20_000)), 1)
  const terms = [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, relatedWords)
  return { url: model.url, words: terms.map(([term]) => ({ anyOf: [[term]], field: 'text' as const })) }
}

/** How to search our own index. */
interface Ways {
  /** Pages with some of the words will do if none has all. */
  readonly loose: boolean
  /** Which of the found pages are shown, after merging with others: only these get a passage. */
  readonly chosen: (found: readonly Found[]) => readonly Found[]
}

/** The terms of a text without spaces one by one: hardly any page has all of a question in a row. */
function apart(word: IndexClause): readonly IndexClause[] {
  const [row, ...others] = word.anyOf
  return row === undefined || row.length < 2 || others.length > 0 ? [word] : row.map((term) => ({ ...word, anyOf: [[term]] }))
}

async function hitsOf(plan: SourcePlan, languages: readonly string[], { loose }: Pick<Ways, 'loose'>, ports: OwnPorts, call: Call): Promise<readonly IndexHit[]> {
  const of = (terms: readonly QueryTerm[]): ReturnType<typeof clausesOf> => terms.flatMap((term) => clausesOf(term, languages, plan.source))
  const positive = plan.query.terms.filter(({ not }) => !not)
  const words = of(positive.filter(({ exact, where }) => !exact && where === 'anywhere'))
  const required = of(positive.filter(({ exact, where }) => exact || where !== 'anywhere'))
  const needed = telling(words)
  const must = telling(required, words)
  // What a picture must not show rules out that picture, not its whole page.
  const not = of(plan.query.terms.filter(({ not: isNot, where }) => isNot && !(plan.source === 'images' && where === 'anywhere')))
  const base = { ...baseQuery(plan, call.team, ports.now()), must, not }
  if (plan.query.related !== null) {
    const model = await modelOf(plan.query.related, { plan, languages, ports }, call)
    if (model === null) return []
    const alike = await ports.index.search({ ...base, words: model.words, match: 'any', must: [...must, ...needed] })
    return alike.filter(({ url }) => bare(url) !== bare(model.url))
  }
  // Words that no page is indexed by, as in a query of stop words only, find nothing.
  const { sites, files, imageSize, larger } = plan.query
  const isBounded = sites.length + files.length > 0 || (plan.source === 'images' && (imageSize !== null || larger !== null))
  if (needed.length + must.length === 0 && !isBounded) return []
  const ranking = needed.length > 0 ? needed : must
  const all = await ports.index.search({ ...base, words: ranking, match: 'all' })
  const parts = needed.flatMap(apart)
  if (!loose || parts.length < 2 || all.length >= plan.limit) return all
  const more = await ports.index.search({ ...base, words: parts, match: 'any' })
  const known = new Set(all.map(({ url }) => url))
  return [...all, ...more.filter(({ url }) => !known.has(url))]
}

/** Searches the pages in the team's cache; returns the chosen ones, and how many were too large to be opened and are left out. */
export async function searchOwn(plan: SourcePlan, ways: Ways, ports: OwnPorts, call: Call): Promise<{ readonly found: readonly Found[]; readonly leftOut: number }> {
  const languages = await ports.index.languages(call.team)
  const hits = await hitsOf(plan, languages, ways, ports, call)
  const wanted = plan.query.terms.filter(({ not }) => !not).map(({ text }) => text).join(' ')
  const exact = operatorsOf(plan.query).has('exact')
  const words = new Set(queryWords(wanted, languages).flatMap(({ anyOf }) => anyOf.flat()))
  const found: Found[] = []
  const shownBy = new Map<Found, () => ReturnType<typeof shownOf>>()
  const pictures: (Found & { readonly fits: number })[] = []
  const budget: Budget = { bytes: mostBytes }
  let leftOut = 0
  for (const hit of hits) {
    if (found.length >= plan.limit * spare || pictures.length >= 500) break
    call.signal.throwIfAborted()
    const read = exact || plan.source === 'images'
    const shown = read ? await shownOf(hit, ports, budget) : null
    if (shown === 'too-large') {
      leftOut++
      continue
    }
    if (plan.source === 'images') pictures.push(...picturesOf(hit, shown?.pictures ?? [], plan, languages))
    else if (!exact || isExact(`${hit.title} ${hit.description} ${hit.url} ${shown?.text ?? ''}`, plan)) {
      const date = hit.publishedAt === null ? null : isoTime(hit.publishedAt)
      const page = { url: hit.url, title: hit.title, description: hit.description, date, image: hit.image, width: null, height: null, ...(hit.pdf === true ? { pdf: hit.pdf } : {}) }
      shownBy.set(page, async () => (read ? shown : shownOf(hit, ports, budget)))
      found.push(page)
    }
  }
  const chosen = ways.chosen(plan.source === 'images' ? pictures.toSorted((a, b) => b.fits - a.fits) : found)
  const described: Found[] = []
  for (const one of chosen) {
    call.signal.throwIfAborted()
    const shown = await shownBy.get(one)?.()
    const text = shown === 'too-large' ? '' : shown?.text
    described.push(text === undefined ? one : { ...one, description: snippet(text, { query: wanted, words, languages }, one.description) })
  }
  return { found: described, leftOut }
}
