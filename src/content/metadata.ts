import type { PageMetadata } from '../domain/reading.ts'
import { absolute } from './address.ts'
import { attribute, type Document, type Element, firstNamed, oneLine, textOf, walkElements } from './tree.ts'

/** Wire names by the names that pages use, lower case. The first source of a wire name that the page has wins. */
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

/** Names whose repeats are joined by ", ". */
const joined: ReadonlySet<string> = new Set(['keywords', 'articleTag', 'dcTermsKeywords'])
/** Wire names whose values are addresses. */
const addresses: ReadonlySet<string> = new Set(['ogUrl', 'ogImage', 'ogAudio', 'ogVideo'])
/** Names that belong to the service or would reach into object machinery. */
const reserved: ReadonlySet<string> = new Set([
  '__proto__', 'constructor', 'prototype', 'title', 'language', 'favicon', 'url', 'sourceURL', 'statusCode', 'contentType', 'error',
  'scrapeId', 'proxyUsed', 'cacheState', 'cachedAt', 'creditsUsed', 'concurrencyLimited', 'concurrencyQueueDurationMs', 'verdict',
  'contentConfidence', 'tlsVerified', 'timezone', 'numPages', 'totalPages', 'sourceFile',
])

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
    if (before === undefined) {
      if (this.values.size < maxNames) this.values.set(name, value)
    } else if (joined.has(name) && before.length + value.length < maxValue && !before.split(', ').includes(value)) {
      this.values.set(name, `${before}, ${value}`)
    }
  }
}

/**
 * What the page says about itself, by the wire names of contract §3.8; further `meta` names keep their own. Values are one line,
 * addresses absolute. Repeated keywords and tags are joined by ", ", of other repeated names the first value counts.
 */
export function metadata(document: Document, base: string): PageMetadata {
  const collector = new Collector()
  const found = scan(document)
  for (const meta of found.metas) addMeta(collector, meta, base)
  const title = found.title ?? collector.values.get('ogTitle')
  if (title) collector.add('title', title)
  const language = found.language ?? collector.values.get('ogLocale')?.replace('_', '-')
  if (language) collector.add('language', language)
  const description = collector.values.get('ogDescription') ?? collector.values.get('dcDescription')
  if (!collector.values.has('description') && description) collector.add('description', description)
  if (found.favicon) collector.add('favicon', found.favicon(base) ?? '')
  const entries: [string, string | readonly string[]][] = [...collector.values].filter(([, value]) => value !== '')
  if (collector.locales.length > 0) entries.push(['ogLocaleAlternate', collector.locales])
  return Object.fromEntries(entries)
}

interface Found {
  readonly metas: readonly Element[]
  readonly title: string | undefined
  readonly language: string | undefined
  readonly favicon: ((base: string) => string | undefined) | undefined
}

function scan(document: Document): Found {
  const metas: Element[] = []
  const icons: Element[] = []
  let title: string | undefined
  walkElements(document, (node) => {
    if (node.name === 'svg' || node.name === 'template') return false
    if (node.name === 'meta' && metas.length < 1000) metas.push(node)
    else if (node.name === 'link' && isIcon(node)) icons.push(node)
    else if (node.name === 'title') title ??= clipped(textOf(node, maxValue)) || undefined
  })
  const root = firstNamed(document, 'html')
  const language = root && (attribute(root, 'lang') ?? attribute(root, 'xml:lang'))?.trim()
  const icon = bestIcon(icons)
  return { metas, title, language: language || httpLanguage(metas), favicon: icon && ((base) => absolute(attribute(icon, 'href') ?? '', base)) }
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

/** The first plain icon, else the first touch icon. */
function bestIcon(icons: readonly Element[]): Element | undefined {
  return icons.find((link) => relOf(link).includes('icon')) ?? icons[0]
}

function clipped(value: string): string {
  return oneLine(value.slice(0, maxValue))
}

function addMeta(collector: Collector, meta: Element, base: string): void {
  const content = attribute(meta, 'content')
  if (content === undefined || content.trim() === '') return
  const value = clipped(content)
  for (const attributeName of ['property', 'name', 'itemprop']) {
    const raw = attribute(meta, attributeName)?.trim().slice(0, 200)
    if (!raw) continue
    const wire = known.get(raw.toLowerCase().replace(/^dc(terms)?:/, 'dc$1.'))
    if (wire !== undefined) collector.add(wire, addresses.has(wire) ? (absolute(value, base) ?? value) : value)
    else if (attributeName !== 'itemprop' && !reserved.has(raw)) collector.add(raw, value)
    else if (raw === 'datePublished') collector.add('publishedTime', value)
    else if (raw === 'dateModified') collector.add('modifiedTime', value)
  }
}
