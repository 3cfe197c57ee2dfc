import { termsOf } from '../../content/passages/rank.ts'
import { type FactSource, type FactValue, follow, isEntity } from '../../content/facts/entity.ts'
import type { Concept } from './concepts.ts'
import type { Source } from './source.ts'
import { plainText } from './subject.ts'
import { offered, soleNumber } from './values.ts'

type Candidate = { readonly value: FactValue; readonly source: FactSource }

const schemaName = (value: FactValue): string => (typeof value === 'string' ? (value.split(/[/#]/).at(-1) ?? '').trim() : '')
const inStock: ReadonlySet<string> = new Set(['instock', 'limitedavailability', 'onlineonly', 'instoreonly', 'in stock', 'available'])
const outOfStock: ReadonlySet<string> = new Set(['outofstock', 'soldout', 'discontinued', 'out of stock', 'sold out', 'oos'])

/** Availability, price and the like, that the offers of a thing say together; null for what is no such concept. */
export function stateOf(concept: Concept, source: Source): readonly Candidate[] | null {
  switch (concept.name) {
    case 'price':
      return priceOf(source)
    case 'currency':
      return agreed(source, ['priceCurrency'], 'priceCurrency')
    case 'availability':
      return agreed(source, ['availability'], 'availability').map((one) => ({ ...one, value: schemaName(one.value) }))
    case 'inStock':
      return stockOf(source)
    case 'condition':
      return [...agreed(source, ['itemCondition'], 'itemCondition'), ...direct(source, 'itemCondition')].map((one) => ({ ...one, value: schemaName(one.value).replace(/Condition$/i, '') })).slice(0, 1)
    case 'salary':
      return salaryOf(source)
    default:
      return null
  }
}

function direct({ subject }: Source, name: string): Candidate[] {
  return subject.main.flatMap((entity) => (entity.props.get(name) ?? []).map((value) => ({ value, source: entity.source })))
}

const metaOf = ({ facts, whole }: Source, name: string): Candidate[] => (whole ? (facts.meta.props.get(name) ?? []).slice(0, 1).map((value): Candidate => ({ value, source: 'meta' })) : [])

/** What all offers of the first entity with offers agree on; else what the page's `meta` says. */
function agreed(source: Source, names: readonly string[], meta: string): Candidate[] {
  for (const entity of source.subject.main) {
    const values = offered(entity, names)
    const [first] = values
    if (first === undefined) continue
    return new Set(values.map((value) => (isEntity(value) ? '' : schemaName(String(value)).toLowerCase()))).size === 1 ? [{ value: first, source: entity.source }] : []
  }
  return metaOf(source, meta)
}

const amount = (value: FactValue): number | null => (typeof value === 'number' ? value : typeof value === 'string' ? (/^\d{1,12}(\.\d{1,6})?$/.test(value.trim()) ? Number(value) : soleNumber(value)) : null)

// Bounded: a page may be one long number.
const money = /[$€£¥]\s?\d[\d.,]{0,15}|\d[\d.,]{0,15}\s?[€£]/gu
const beside = 40

/** Whether a lower price stands right beside a price, as beside one that was. */
function isFormer(price: number, text: string): boolean {
  const amounts = [...text.slice(0, 300_000).matchAll(money)].slice(0, 2_000).map((match) => ({ at: match.index, value: soleNumber(match[0]) }))
  const own = amounts.filter(({ value }) => value === price)
  return own.some(({ at }) => amounts.some((other) => Math.abs(other.at - at) <= beside && other.value !== null && other.value < price && other.value >= price * 0.4))
}

/** A price that a person sees, and no other: data of last week, or of another country, is on many pages. */
function priceOf(source: Source): Candidate[] {
  const seen = (value: number): boolean => source.seen().number(value) !== undefined && !isFormer(value, source.facts.layout.text)
  for (const entity of source.subject.main) {
    const prices = [...new Set(offered(entity, ['price']).map(amount).filter((price): price is number => price !== null && price > 0))]
    const shown = prices.filter(seen)
    if (shown.length === 1 && shown[0] !== undefined) return [{ value: shown[0], source: entity.source }]
    if (prices.length > 0) return []
    const [low, high] = [offered(entity, ['lowPrice']), offered(entity, ['highPrice'])].map((list) => amount(list[0] ?? ''))
    if (low !== null && low !== undefined && low > 0) return seen(low) && (low === high || high === null || high === undefined || !seen(high)) ? [{ value: low, source: entity.source }] : []
  }
  const meta = [...metaOf(source, 'salePrice'), ...metaOf(source, 'price')]
  return meta.flatMap((one) => {
    const value = amount(one.value)
    return value !== null && value > 0 && seen(value) ? [{ ...one, value }] : []
  })
}

/** A line by which a page says that something cannot be had. */
const gone = /^[ \t]{0,80}(?:no longer available|(?:currently |temporarily )?(?:unavailable|out of stock)|sold out|discontinued)[ \t]{0,80}[.!]?[ \t]{0,80}$/im

/** What a page's data says of its stock, unless a line of the page says otherwise. */
function stockOf(source: Source): Candidate[] {
  const said = stockSaid(source)
  return said.some(({ value }) => value === true) && gone.test(source.facts.layout.text.slice(0, 300_000)) ? [] : said
}

function stockSaid(source: Source): Candidate[] {
  return agreed(source, ['availability'], 'availability').flatMap((one): Candidate[] => {
    const name = schemaName(one.value).toLowerCase()
    return inStock.has(name) ? [{ ...one, value: true }] : outOfStock.has(name) ? [{ ...one, value: false }] : []
  })
}

function salaryOf(source: Source): Candidate[] {
  return source.subject.main.flatMap((entity) => {
    const [low, high] = ['minValue', 'maxValue'].map((name) => follow(entity, ['baseSalary', 'value', name])[0])
    const [value] = follow(entity, ['baseSalary', 'value', 'value'])
    if (value !== undefined && !isEntity(value)) return [{ value, source: entity.source }]
    return low !== undefined && high !== undefined ? [{ value: `${String(low)} - ${String(high)}`, source: entity.source }] : []
  })
}

/** What stands between the parts of a title. */
const between = /\s+[|•·»–—:/-]+\s+|\s*[|»]\s*/

/** The parts of a page's `title`, of which one is often the site. */
const partsOf = (title: string): readonly string[] => title.split(between).map((part) => part.trim()).filter((part) => part !== '')

/** A title whose first part is missing (`| Shop`) names the site and not the page. */
const isSiteAlone = (title: string): boolean => /^\s*[|•·»–—:/-]/.test(title)

/** Whether two titles share so many of their words that they are of one thing. */
function alike(a: string, b: string): boolean {
  const [x, y] = [new Set(termsOf(a)), new Set(termsOf(b))]
  const shared = [...x].filter((term) => y.has(term)).length
  return shared > 1 && shared >= 0.4 * Math.min(x.size, y.size)
}

/** Compared without spaces, which markup eats. */
export const tight = (text: string): string => plainText(text).replace(/ /g, '')

/** A title without the name of the site at its end; null where it may have one that is not known. */
function withoutSite(title: string, sites: ReadonlySet<string>): string | null {
  const named = /^(.{3,}) (?:on|at|from|by) (\S.*)$/u.exec(title)
  if (named?.[1] !== undefined && sites.has(tight(named[2] ?? ''))) return named[1]
  const parts = partsOf(title)
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return title
  return parts.length === 2 && sites.has(tight(last)) ? title.slice(0, title.lastIndexOf(last)).replace(/[\s|•·»–—:/-]+$/u, '') : null
}

/** What a site may be called by its address; nothing for what is no page of a site. */
export const hostNames = (url: string): readonly string[] => (URL.canParse(url) ? new URL(url).hostname.split('.').slice(0, -1) : [])

/** Whether a text is what the site is called by its address, on a page that is not its first. */
const isHost = (text: string, url: string): boolean => URL.canParse(url) && new URL(url).pathname.length > 1 && hostNames(url).includes(tight(text))

/** The longer of two titles of which one begins with the other: data is cut where there is no room. */
const whole = (named: string, titles: readonly string[]): string => (named.length < 90 && !/(?:…|\.{3})$/.test(named) ? named : (titles.find((title) => title.length > named.length && plainText(title).startsWith(plainText(named).slice(0, -3))) ?? named))

/**
 * The title of a page as a person reads it: the heading that the page's own title confirms, the only heading there is, or what the
 * page's data calls it. Empty where there is only a title with what may be a site in it.
 */
export function headingOf(source: Source): Candidate[] {
  const { facts, subject } = source
  const { layout, meta } = facts
  const texts = (values: readonly FactValue[] | undefined): string[] => (values ?? []).filter((value) => typeof value === 'string')
  const sites = new Set([...[facts.title].filter(isSiteAlone).flatMap(partsOf), ...texts(meta.props.get('siteName')), ...subject.organization.flatMap((entity) => texts(follow(entity, ['name'])))].map(tight))
  const ofPage = (title: string): boolean => !isSiteAlone(title) && !isHost(title, facts.url)
  const sitesAndHost = new Set([...sites, ...hostNames(facts.url)])
  const own = ofPage(facts.title) ? facts.title : ''
  const ogTitle = texts(meta.props.get('ogTitle')).filter(ofPage)
  const named = subject.main.flatMap((entity) => [...follow(entity, ['headline']), ...follow(entity, ['name'])].flatMap((value): Candidate[] => (typeof value === 'string' ? [{ value, source: entity.source }] : [])))
  const [first, ...rest] = partsOf(own)
  const titles = [own, ...ogTitle, ...named.map(({ value }) => String(value)), ...(first === undefined ? [] : [first])].filter((title) => title !== '')
  const site = (text: string): boolean => sites.has(tight(text)) || (rest.length > 0 && tight(rest.at(-1) ?? '') === tight(text))
  const ofSite = (text: string): boolean => site(text) || (first !== undefined && tight(first) !== tight(text) && tight(rest.at(-1) ?? '').startsWith(tight(text))) || (first !== undefined && !tight(first).includes(tight(text)) && tight(rest.at(-1) ?? '').includes(tight(text)))
  const headings = [...new Set(layout.headings)].filter((heading) => heading.length < 300 && tight(heading).length > 1 && !ofSite(heading))
  const begins = (text: string): boolean => titles.some((title) => tight(title).startsWith(tight(text)) || tight(text).startsWith(tight(title)))
  const holds = (text: string): boolean => titles.some((title) => (tight(title).includes(tight(text)) && tight(text).length >= 0.4 * tight(title).length) || tight(text).includes(tight(title)))
  const parts = new Set([...partsOf(own), ...ogTitle.flatMap(partsOf), ...named.map(({ value }) => String(value))].map(tight))
  // Of a heading with a line below the name of the thing, the name.
  const leading = (text: string): boolean => parts.has(tight(text)) && headings.some((other) => other !== text && tight(other).startsWith(tight(text)) && !titles.some((title) => tight(title).includes(tight(other))))
  const heading = headings.find(leading) ?? headings.find(begins) ?? headings.find(holds) ?? (headings.length === 1 ? headings.find((text) => titles.length === 0 || titles.some((title) => alike(text, title))) : undefined)
  // Where the title has a colon, what stands before it is a site as often as a subject; a heading below says which.
  const behind = heading === undefined ? undefined : layout.subheadings.find((text) => titles.some((title) => title.startsWith(`${heading}: `) && tight(title.slice(heading.length)) === tight(text)))
  if (behind !== undefined) return [{ value: behind, source: 'page' }]
  // Several things in one line, of which nothing else on the page makes one.
  if (heading !== undefined && / \| /.test(heading) && !titles.some((title) => tight(title).includes(tight(heading)))) return []
  // Where markup eats a space, the title has it.
  if (heading !== undefined) return [{ value: withoutSite(titles.find((title) => tight(title) === tight(heading) && title.length > heading.length) ?? heading, sitesAndHost) ?? heading, source: 'page' }]
  const sub = layout.subheadings.find((text) => tight(text).length > 3 && first !== undefined && tight(text) === tight(first) && !site(text))
  if (sub !== undefined) return [{ value: sub, source: 'page' }]
  // A heading that nothing bears out may be the title all the same; what is in the head of the page is another then.
  if (headings.length > 0) return []
  const shorter = ogTitle.filter((title) => title.length < own.length && own.startsWith(title))
  // Without a heading that bears it out, two titles that say different things prove nothing.
  const agrees = (title: string): boolean => own === '' || tight(own).startsWith(tight(title)) || tight(title).startsWith(tight(own))
  const bare = [...shorter, ...[...ogTitle, own].map((title) => withoutSite(title, sites))].filter((title): title is string => title !== null && title !== '' && agrees(title))
  const all: readonly Candidate[] = [...named.map((one) => ({ ...one, value: whole(withoutSite(String(one.value), sites) ?? String(one.value), bare) })), ...bare.map((value): Candidate => ({ value, source: 'meta' }))]
  return all.filter(({ value }) => agrees(String(value)) || source.seen().text(String(value)) !== undefined)
}
