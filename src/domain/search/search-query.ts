import { urlOf } from '../../lib/url-of.ts'

/** What a query can express beyond words. */
export type Operator = 'exact' | 'not' | 'site' | 'filetype' | 'inurl' | 'intitle' | 'related' | 'imagesize' | 'larger'

/** A word, or a quoted text. */
export interface QueryTerm {
  readonly text: string
  readonly exact: boolean
  readonly not: boolean
  readonly where: 'anywhere' | 'title' | 'url'
}

/** A site, optionally with a path. */
export interface QuerySite {
  readonly host: string
  readonly path: string
  readonly not: boolean
}

interface Size {
  readonly width: number
  readonly height: number
}

/** A parsed query. */
export interface ParsedQuery {
  readonly terms: readonly QueryTerm[]
  readonly sites: readonly QuerySite[]
  readonly files: readonly { readonly ending: string; readonly not: boolean }[]
  /** URL of the page that results should resemble. */
  readonly related: string | null
  readonly imageSize: Size | null
  readonly larger: Size | null
}

/** `-`, an operator, a quoted text or a run without spaces. */
const piece = /(-?)(?:(site|filetype|ext|inurl|allinurl|intitle|allintitle|related|imagesize|larger):\s*)?(?:"([^"]*)"?|(\S+))/giy

interface Growing {
  terms: QueryTerm[]
  sites: QuerySite[]
  files: { ending: string; not: boolean }[]
  related: string | null
  imageSize: Size | null
  larger: Size | null
}

function sizeOf(text: string): Size | null {
  const found = /^(\d{1,5})[x×*](\d{1,5})$/i.exec(text)
  return found === null ? null : { width: Number(found[1]), height: Number(found[2]) }
}

function siteOf(text: string): { host: string; path: string } | null {
  const bare = text.replace(/^https?:\/\//i, '').replace(/^\*?\./, '')
  const host = (bare.split(/[/?#]/, 1)[0] ?? '').toLowerCase().replace(/:\d+$/, '')
  // In the form that URLs have: they write non-ASCII names differently.
  const plain = /^[\p{L}\p{N}_.-]+$/u.test(host) ? (urlOf(`http://${host}`)?.hostname ?? '') : ''
  return plain !== '' ? { host: plain, path: bare.slice(bare.split(/[/?#]/, 1)[0]?.length ?? 0).replace(/\/$/, '') } : null
}

/** Reads the value of an operator; false when it makes no sense there, and is an ordinary word. */
function take(into: Growing, { operator, value, exact, not }: { readonly operator: string; readonly value: string; readonly exact: boolean; readonly not: boolean }): boolean {
  if (value === '') return true
  if (operator === 'site') {
    const site = siteOf(value)
    if (site !== null) into.sites.push({ ...site, not })
    return site !== null
  }
  if (operator === 'filetype' || operator === 'ext') {
    const ending = value.replace(/^\./, '').toLowerCase()
    if (!/^[a-z0-9]{1,8}$/.test(ending)) return false
    return into.files.push({ ending, not }) > 0
  }
  if (operator === 'related') {
    const url = urlOf(/^https?:\/\//i.test(value) ? value : `https://${value}`)
    if (not || url === null) return false
    into.related = url.href
    return true
  }
  if (operator === 'imagesize' || operator === 'larger') {
    const size = sizeOf(value)
    if (size === null || not) return false
    if (operator === 'larger') into.larger = size
    else into.imageSize = size
    return true
  }
  return into.terms.push({ text: value, exact, not, where: operator.endsWith('url') ? 'url' : 'title' }) > 0
}

/**
 * Parses a query with its operators; anything else is a word. `allinurl:` and `allintitle:` apply to all words up to the
 * next operator.
 */
export function parseQuery(query: string): ParsedQuery {
  const into: Growing = { terms: [], sites: [], files: [], related: null, imageSize: null, larger: null }
  let where: QueryTerm['where'] = 'anywhere'
  const text = query.replace(/\s+/g, ' ').replace(/[“”„«»]/g, '"').trim()
  for (let at = 0; at < text.length; ) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (found === null) {
      at++
      continue
    }
    at = piece.lastIndex
    const [whole, minus, name, quoted, bare = ''] = found
    const operator = name?.toLowerCase()
    const exact = quoted !== undefined
    const value = (quoted ?? bare).trim()
    const not = minus === '-'
    if (operator !== undefined) {
      where = operator === 'allinurl' ? 'url' : operator === 'allintitle' ? 'title' : 'anywhere'
      if (take(into, { operator, value, exact, not })) continue
    }
    const word = operator === undefined ? value : whole.replace(/^-/, '').trim()
    if (word !== '' && word !== '-') into.terms.push({ text: word, exact, not, where: operator === undefined ? where : 'anywhere' })
  }
  return into
}

/** The operators that a query uses. */
export function operatorsOf({ terms, sites, files, related, imageSize, larger }: ParsedQuery): ReadonlySet<Operator> {
  const used: readonly (readonly [Operator, boolean])[] = [
    ['exact', terms.some(({ exact }) => exact)],
    ['not', terms.some(({ not }) => not)],
    ['site', sites.length > 0],
    ['filetype', files.length > 0],
    ['inurl', terms.some((term) => term.where === 'url')],
    ['intitle', terms.some((term) => term.where === 'title')],
    ['related', related !== null],
    ['imagesize', imageSize !== null],
    ['larger', larger !== null],
  ]
  return new Set(used.filter(([, is]) => is).map(([operator]) => operator))
}

/**
 * The query in the syntax of a provider that supports these operators; others are omitted, but their words are kept if they
 * help to find pages.
 */
export function written(query: ParsedQuery, knows: ReadonlySet<Operator>): string {
  const term = ({ text, exact, not, where }: QueryTerm): string => {
    if (not && !knows.has('not')) return ''
    const quoted = exact && knows.has('exact') ? `"${text}"` : text
    const known = where === 'url' ? knows.has('inurl') : where === 'title' && knows.has('intitle')
    const field = where === 'anywhere' || !known ? '' : where === 'url' ? 'inurl:' : 'intitle:'
    // Words of a URL need not occur on the page.
    return where === 'url' && !known ? '' : `${not ? '-' : ''}${field}${quoted}`
  }
  const sites = query.sites.filter(({ not }) => !not)
  return [
    ...query.terms.map(term),
    ...(knows.has('site') ? [anyOf(sites.map(({ host, path }) => `site:${host}${path}`)), ...query.sites.filter(({ not }) => not).map(({ host, path }) => `-site:${host}${path}`)] : []),
    ...(knows.has('filetype') ? [anyOf(query.files.filter(({ not }) => !not).map(({ ending }) => `filetype:${ending}`)), ...query.files.filter(({ not }) => not).map(({ ending }) => `-filetype:${ending}`)] : []),
    ...(query.related !== null && knows.has('related') ? [`related:${query.related}`] : []),
    ...(query.imageSize !== null && knows.has('imagesize') ? [`imagesize:${query.imageSize.width}x${query.imageSize.height}`] : []),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** Alternatives in the syntax of search engines. */
export function anyOf(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `(${parts.join(' OR ')})`
}

/** Whether a host is that domain or below it. */
export function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
