import { isMedia } from '../../domain/crawl/rules.ts'
import type { Rankable } from '../../domain/search/rank.ts'
import { urlKey, withoutTrackers } from '../../domain/urls/site-url.ts'
import { isRoute, maxUrlLength } from '../../domain/urls/url.ts'
import { urlReader } from '../../lib/plain-url.ts'
import type { Scope } from './scope.ts'

/** The links of a map, each once. */
export interface LinkList {
  /** Adds an absolute URL if it is wanted; a known one only gains what it lacked. `page`: found on a page, where links lead to pictures too. */
  add(found: Rankable, from: 'sitemap' | 'page'): void
  /** True when the list takes nothing new. */
  full(): boolean
  all(): readonly Rankable[]
}

const oneUrl = { ignoreQueryParameters: false, deduplicateSimilarURLs: true } as const
const maxTitle = 500
const maxDescription = 2_000

/** The spelling of a URL found twice: the first, but with https if that was seen. */
function preferred(known: string, other: string): string {
  return known.startsWith('http://') && other.startsWith('https://') ? other : known
}

const cut = (text: string | undefined, length: number): string | undefined => (text === undefined || text === '' ? undefined : text.slice(0, length))

/** Most links have only an address. */
function linkOf(url: string, title: string | undefined, description: string | undefined): Rankable {
  if (title === undefined) return description === undefined ? { url } : { url, description }
  return description === undefined ? { url, title } : { url, title, description }
}

/** Without what is no part of a page's name. */
function bare(text: string): URL {
  const url = new URL(text)
  // Setting a part parses the whole URL again: with a hundred thousand of them, only do it if it changes something.
  if (text.includes('#') && !isRoute(url.hash)) url.hash = ''
  if (text.includes('?')) {
    const search = withoutTrackers(url.search)
    if (search === '' || search !== url.search) url.search = search
  }
  if (url.username !== '' || url.password !== '') Object.assign(url, { username: '', password: '' })
  return url
}

/** An empty list that takes up to so many links. */
export function linkList(scope: Scope, most: number): LinkList {
  const links = new Map<string, Rankable>()
  const read = urlReader(bare)
  return {
    add({ url: text, title, description }, from) {
      if (text.length > maxUrlLength) return
      const url = read(text)
      if (!scope.isWanted(url) || (from === 'page' && isMedia(url))) return
      const key = urlKey(url, oneUrl)
      const known = links.get(key)
      if (known === undefined && links.size >= most) return
      links.set(key, linkOf(known === undefined ? url.href : preferred(known.url, url.href), known?.title ?? cut(title, maxTitle), known?.description ?? cut(description, maxDescription)))
    },
    full: () => links.size >= most,
    all: () => [...links.values()],
  }
}
