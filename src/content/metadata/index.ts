import type { PageMetadata } from '../../domain/pages/reading.ts'
import { absolute, canonicalOf } from '../html/address.ts'
import { withoutControls } from '../../lib/visible.ts'
import { type Entity, valuesOf } from '../facts/entity.ts'
import { jsonLdIn } from '../facts/json-ld.ts'
import { attribute, type Document, type Element, oneLine, textOf } from '../html/tree.ts'
import { dateBy, modifiedRules, publishedRules } from './dates.ts'
import { namesOf, subjects, telling, textIn } from './entity.ts'
import { headline } from './headline.ts'
import { authorOf } from './people.ts'
import { type Scan, scan } from './scan.ts'

/**
 * Wire names by the lower-case names that pages use. Of several names for the same wire name, the first one on the page
 * wins.
 */
const known: ReadonlyMap<string, string> = new Map([
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['robots', 'robots'],
  ['og:title', 'ogTitle'],
  ['og:description', 'ogDescription'],
  ['og:url', 'ogUrl'],
  ['og:image', 'ogImage'],
  ['og:image:url', 'ogImage'],
  ['og:image:secure_url', 'ogImage'],
  ['og:audio', 'ogAudio'],
  ['og:determiner', 'ogDeterminer'],
  ['og:locale', 'ogLocale'],
  ['og:locale:alternate', 'ogLocaleAlternate'],
  ['og:site_name', 'ogSiteName'],
  ['og:video', 'ogVideo'],
  ['article:published_time', 'publishedTime'],
  ['article:modified_time', 'modifiedTime'],
  ['article:tag', 'articleTag'],
  ['article:section', 'articleSection'],
  ['dcterms.created', 'dcTermsCreated'],
  ['dc.date.created', 'dcDateCreated'],
  ['dc.date', 'dcDate'],
  ['dcterms.type', 'dcTermsType'],
  ['dc.type', 'dcType'],
  ['dcterms.audience', 'dcTermsAudience'],
  ['dcterms.subject', 'dcTermsSubject'],
  ['dc.subject', 'dcSubject'],
  ['dc.description', 'dcDescription'],
  ['dcterms.keywords', 'dcTermsKeywords'],
])

/** Names whose repeated values are joined by ", ". */
const joined: ReadonlySet<string> = new Set(['keywords', 'dcTermsKeywords'])
/** Wire names whose values are addresses. */
const addresses: ReadonlySet<string> = new Set(['ogUrl', 'ogImage', 'ogAudio', 'ogVideo'])
/** Names that the service sets itself, or of another type than a `meta` has. */
const own: readonly string[] = [
  'title', 'language', 'favicon', 'url', 'sourceURL', 'statusCode', 'contentType', 'error', 'code', 'scrapeId', 'proxyUsed', 'cacheState',
  'cachedAt', 'creditsUsed', 'concurrencyLimited', 'concurrencyQueueDurationMs', 'verdict', 'contentConfidence', 'tlsVerified',
  'timezone', 'numPages', 'totalPages', 'sourceFile', 'modelCallsSaved', 'ogLocaleAlternate',
]
/**
 * Names that no `meta` may give: those of the service, also as the Python client spells them (it would take the page's
 * `num_pages` for ours, and refuse the whole answer where the type is wrong), and those that affect JavaScript objects.
 */
const reserved: ReadonlySet<string> = new Set([
  '__proto__', 'constructor', 'prototype', ...own, ...own.map((name) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)),
])

/** Most names together, beyond which only those that the contract knows are taken. */
const maxNames = 200
const maxValue = 10_000

/** Collects values by wire name. */
class Collector {
  readonly values = new Map<string, string>()
  readonly locales: string[] = []

  add(name: string, value: string): void {
    if (name === 'ogLocaleAlternate') {
      if (!this.locales.includes(value) && this.locales.length < maxNames) this.locales.push(value)
      return
    }
    const before = this.values.get(name)
    if (before === undefined) this.values.set(name, value)
    else if (joined.has(name) && before.length + value.length < maxValue && !before.split(', ').includes(value)) {
      this.values.set(name, `${before}, ${value}`)
    }
  }
}

/** Where a page came from. */
export interface Origin {
  readonly url: string
  /** The base of relative references. */
  readonly base: string
}

/**
 * What the page says about itself, by the wire names of contract §3.8; other `meta` names stay as they are. Values are
 * single lines, addresses absolute. Repeated keywords are joined by ", "; for other names the first value counts. Author,
 * dates, headline and the site's name are found by rules, the most certain first; what no rule finds is omitted.
 */
export function metadata(document: Document, { url, base }: Origin): PageMetadata {
  const collector = new Collector()
  const found = scan(document, url)
  for (const meta of found.metas) addMeta(collector, meta, base)
  const title = found.title && clipped(textOf(found.title, maxValue))
  addFirst(collector, 'title', [title, collector.values.get('ogTitle'), collector.values.get('twitter:title')])
  addFirst(collector, 'language', [languageOf(found), collector.values.get('ogLocale')].map((tag) => tag?.replaceAll('_', '-')))
  addFirst(collector, 'description', ['ogDescription', 'dcDescription', 'twitter:description'].map((name) => collector.values.get(name)))
  addFirst(collector, 'favicon', [faviconOf(found.links, base)])
  set(collector, 'canonicalUrl', canonicalOf(document, base))
  addFound(collector, found, { entities: jsonLdIn(found.jsonLd, telling), url })
  const entries: [string, string | readonly string[]][] = [...collector.values].map(([name, value]): [string, string] => [name, withoutControls(value)]).filter(([, value]) => value !== '')
  if (collector.locales.length > 0) entries.push(['ogLocaleAlternate', collector.locales.map(withoutControls)])
  return Object.fromEntries(entries)
}

function addFirst(collector: Collector, name: string, values: readonly (string | undefined)[]): void {
  const value = values.find((one) => one !== undefined && one !== '')
  if (value !== undefined) collector.add(name, value)
}

/** Adds the values that several places on a page may give. */
function addFound(collector: Collector, found: Scan, { entities, url }: { readonly entities: readonly Entity[]; readonly url: string }): void {
  const about = subjects(entities)
  const metas = byName(found.metas)
  const site = siteOf(collector, entities) ?? about.articles.flatMap((entity) => namesOf(valuesOf(entity, 'publisher')))[0] ?? metas.get('application-name')?.[0]
  const title = collector.values.get('title')
  const own = headline(found, about.articles, { title, ogTitle: collector.values.get('ogTitle'), site })
  set(collector, 'author', authorOf({ scan: found, articles: about.articles, metas }, site))
  set(collector, 'publishedTime', dateBy(publishedRules, { scan: found, ...about, metas, url }))
  set(collector, 'modifiedTime', dateBy(modifiedRules, { scan: found, ...about, metas, url }))
  set(collector, 'headline', own === title ? undefined : own)
  set(collector, 'siteName', site)
}

function siteOf(collector: Collector, entities: readonly Entity[]): string | undefined {
  return collector.values.get('ogSiteName') ?? textIn(entities.filter((entity) => entity.types.includes('WebSite')), 'name')
}

function set(collector: Collector, name: string, value: string | undefined): void {
  if (value !== undefined) collector.values.set(name, value)
  else collector.values.delete(name)
}

/** The values of `meta` elements, by name in lower case. */
function byName(metas: readonly Element[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const meta of metas) {
    const value = clipped(attribute(meta, 'content') ?? '')
    if (value === '') continue
    for (const key of ['property', 'name', 'itemprop']) {
      const name = attribute(meta, key)?.trim().toLowerCase()
      if (!name) continue
      const values = found.get(name)
      if (values === undefined) found.set(name, [value])
      else values.push(value)
    }
  }
  return found
}

function languageOf({ html, metas }: Scan): string | undefined {
  return (html && (attribute(html, 'lang') ?? attribute(html, 'xml:lang'))?.trim()) || httpLanguage(metas)
}

function httpLanguage(metas: readonly Element[]): string | undefined {
  const meta = metas.find((m) => attribute(m, 'http-equiv')?.toLowerCase() === 'content-language')
  return meta && attribute(meta, 'content')?.split(',', 1)[0]?.trim()
}

function relOf(link: Element): readonly string[] {
  return (attribute(link, 'rel') ?? '').toLowerCase().split(/\s+/)
}

function isIcon(link: Element): boolean {
  return relOf(link).some((rel) => rel === 'icon' || rel === 'apple-touch-icon' || rel === 'apple-touch-icon-precomposed')
}

/** The address of the first icon that has one, otherwise of the first such touch icon. */
function faviconOf(links: readonly Element[], base: string): string | undefined {
  const icons = links.filter(isIcon).filter((link) => absolute(attribute(link, 'href') ?? '', base) !== undefined)
  const icon = icons.find((link) => relOf(link).includes('icon')) ?? icons[0]
  return icon && absolute(attribute(icon, 'href') ?? '', base)
}

function clipped(value: string): string {
  return oneLine(value.slice(0, maxValue))
}

function addMeta(collector: Collector, meta: Element, base: string): void {
  const content = attribute(meta, 'content')
  if (content === undefined || content.trim() === '') return
  const value = clipped(content)
  for (const attributeName of ['property', 'name', 'itemprop']) {
    const raw = withoutControls(attribute(meta, attributeName)?.slice(0, 200) ?? '').trim()
    if (raw === '') continue
    const wire = known.get(raw.toLowerCase().replace(/^dc(terms)?:/, 'dc$1.'))
    if (wire !== undefined) collector.add(wire, addresses.has(wire) ? (absolute(value, base) ?? value) : value)
    else if (attributeName !== 'itemprop' && !reserved.has(raw) && collector.values.size < maxNames) collector.add(raw, value)
    else if (raw === 'datePublished') collector.add('publishedTime', value)
    else if (raw === 'dateModified') collector.add('modifiedTime', value)
  }
}
