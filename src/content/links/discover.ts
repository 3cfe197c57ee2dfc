import type { Discovery, FoundLink } from '../../domain/crawl/discovery.ts'
import { absolute, canonicalOf, hrefOf } from '../html/address.ts'
import { embeddedPdf } from '../html/embedded.ts'
import { refreshReference } from './refresh.ts'
import { attribute, type Document, type Element, isElement, isText, oneLine, walk } from '../html/tree.ts'

const maxTitle = 200
/** Nodes of a link that are read for its text: a link may hold half the page. */
const maxNodes = 64
const feedType = /^application\/(?:(?:rss|atom|rdf)\+xml|feed\+json)\b/i

/**
 * The addresses that a page leads to: its links with their texts, the target of a `meta` refresh, embedded PDFs, further
 * pages of the list that it is part of, feeds, and its canonical address. Absolute, resolved against `base`; each list
 * holds each address once. `url` is the page's own address. `nofollow` is ignored.
 */
export function discover(document: Document, base: string, url: string): Discovery {
  const links = new Map<string, string>()
  const next = new Set<string>()
  const feeds = new Set<string>()
  const list = listOf(new URL(url).href)
  walk(document, (node) => {
    if (!isElement(node)) return
    if (node.name === 'template') return false
    const target = targetOf(node, base)
    if (target === undefined) return
    const rel = relationsOf(node)
    if (node.name === 'link') {
      if (rel.includes('alternate') && feedType.test(attribute(node, 'type')?.trim() ?? '')) feeds.add(target)
    } else {
      const title = node.name === 'a' || node.name === 'area' ? titleOf(node) : ''
      if (links.get(target) === undefined || links.get(target) === '') links.set(target, title)
      if (isNumbered(target, title, list)) next.add(target)
    }
    if (rel.includes('next') && (node.name === 'link' || node.name === 'a')) next.add(target)
  })
  next.delete(url)
  return { links: [...links].map(found), next: [...next], feeds: [...feeds], canonical: canonicalOf(document, base) ?? null }
}

const none: readonly string[] = []

/** The words of an element's `rel`, in lower case. */
function relationsOf(element: Element): readonly string[] {
  const rel = attribute(element, 'rel')
  return rel === undefined ? none : rel.toLowerCase().split(/\s+/)
}

function found([url, title]: readonly [string, string]): FoundLink {
  return title === '' ? { url } : { url, title }
}

const sources: Readonly<Record<string, string>> = { a: 'href', area: 'href', link: 'href', frame: 'src' }

function targetOf(element: Element, base: string): string | undefined {
  const name = Object.hasOwn(sources, element.name) ? sources[element.name] : undefined
  const reference = name === undefined ? (refreshReference(element) ?? embeddedPdf(element)) : name === 'href' ? hrefOf(element) : attribute(element, name)
  return reference === undefined ? undefined : absolute(reference, base)
}

/** The text of a link, otherwise the label of its picture or of the link itself. */
function titleOf(link: Element): string {
  let text = ''
  let alternative = ''
  let seen = 0
  let node = link.children[0] ?? null
  while (node !== null && seen++ < maxNodes && text.length < maxTitle) {
    if (isText(node)) text += node.data
    else if (isElement(node) && node.name === 'img') alternative ||= attribute(node, 'alt') ?? ''
    const inside = isElement(node) && node.name !== 'script' && node.name !== 'style' ? node.children[0] : undefined
    node = inside ?? following(node, link)
  }
  return titleFrom(text) || titleFrom(attribute(link, 'title') ?? attribute(link, 'aria-label') ?? attribute(link, 'alt') ?? '') || titleFrom(alternative)
}

const titleFrom = (text: string): string => oneLine(text.slice(0, maxTitle))

function following(node: Element['children'][number], root: Element): Element['children'][number] | null {
  for (let at: typeof node = node; ; at = at.parent) {
    if (at.next !== null) return at.next
    if (at.parent === null || at.parent === root || !isElement(at.parent)) return null
  }
}

const pageParameter = /^(?:page|paged|pg|p|seite|pagina|offset|start|from)$/i
const pagePath = /\/(?:page|pages|p|seite|pagina)[/-]?(\d{1,6})\/?$/i
const barePath = /\/(\d{1,4})\/?$/

/** The list that a page belongs to, and how the address tells which part it is. */
interface Part {
  readonly list: string
  readonly by: 'name' | 'number' | null
  readonly number: string
}

/** Host, path and query of an address as `URL` writes it. */
const pieces = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)([^?#]*)\??([^#]*)/
/** What an address must have to tell a number: most links have none, and need not be taken apart. */
const numberAtEnd = /\d\/?(?:[?#]|$)|=\d/

/** Splits the page number off an address as `URL` writes it: `/blog/page/3`, `/blog/3` and `/blog?page=3` are parts of `/blog`. */
function listOf(address: string): Part {
  const [, host = '', path = '', query = ''] = pieces.exec(address) ?? []
  let by: Part['by'] = null
  let number = ''
  const kept = query === '' ? [] : query.split('&').filter((part) => {
    const [name = '', value = ''] = part.split('=', 2)
    if (!pageParameter.test(name) || !/^\d{1,9}$/.test(value)) return part !== ''
    by = 'name'
    number = value
    return false
  })
  const named = pagePath.exec(path)
  const bare = named === null ? barePath.exec(path) : null
  if (named !== null || bare !== null) {
    by ??= named === null ? 'number' : 'name'
    number ||= (named ?? bare)?.[1] ?? ''
  }
  const whole = path.slice(0, (named ?? bare)?.index)
  return { list: `${host}${whole.endsWith('/') ? whole.slice(0, -1) : whole}?${kept.join('&')}`, by, number }
}

/**
 * Whether a link leads to a numbered part of the same list. A bare number may be the name of anything, so the link's text
 * must say it too.
 */
function isNumbered(target: string, title: string, own: Part): boolean {
  if (!numberAtEnd.test(target)) return false
  const part = listOf(target)
  return part.by !== null && part.list === own.list && (part.by === 'name' || part.number === title)
}
