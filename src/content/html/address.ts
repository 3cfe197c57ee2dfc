import { detached } from '../../lib/detached.ts'
import { asItIs } from '../../lib/plain-url.ts'
import { urlOf } from '../../lib/url-of.ts'
import { attribute, type Document, type Element, isElement, named } from './tree.ts'

/** The URL that relative references resolve against: that of the first `base` with an `href` (HTML standard, 4.2.3), otherwise the page's own. */
export function baseOf(document: Document, pageUrl: string): string {
  const base = named(document, 'base').find((element) => attribute(element, 'href') !== undefined)
  const href = base && attribute(base, 'href')
  return (href && absolute(href, pageUrl)) || pageUrl
}

/** The address that a page calls its canonical one: that of the first such `link`, outside of templates, that leads to a page. */
export function canonicalOf(document: Document, base: string): string | undefined {
  for (const link of named(document, 'link')) {
    const address = /(?:^|\s)canonical(?:\s|$)/i.test(attribute(link, 'rel') ?? '') ? absolute(attribute(link, 'href') ?? '', base) : undefined
    if (address === undefined) continue
    let up = link.parent
    while (up !== null && isElement(up) && up.name !== 'template') up = up.parent
    if (up === null || !isElement(up)) return address
  }
  return undefined
}

/** Where a link leads, as written; in drawings (SVG 1.1) that stands in an attribute of XLink. */
export function hrefOf(link: Element): string | undefined {
  return attribute(link, 'href') ?? (link.name === 'a' ? attribute(link, 'xlink:href') : undefined)
}

let known: { readonly base: string; readonly root: string } = { base: '', root: '' }

/**
 * The scheme, host and port of an http or https address, cached for the page's next reference; throws for any other scheme.
 */
function rootOf(base: string): string {
  if (known.base !== base) {
    const { protocol, href, pathname, search, hash } = new URL(base)
    if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`no page stands at ${protocol}`)
    known = { base, root: href.slice(0, href.length - pathname.length - search.length - hash.length) }
  }
  return known.root
}

/** Resolves a reference to an http or https address without white space; undefined for anything else. */
export function absolute(reference: string, base: string): string | undefined {
  const trimmed = reference.trim()
  if (trimmed === '' || trimmed.length > 8192) return undefined
  try {
    if (asItIs.test(trimmed)) return rootOf(base) + trimmed
    const url = new URL(trimmed, base)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
  } catch {
    return undefined
  }
}

/** Whether an address holds its content itself; schemes are written in any case. */
export const isDataAddress = (address: string): boolean => /^data:/i.test(address)

/** Longest reference that leads to no page, in characters; a `data:` reference may hold a whole file. */
const maxOther = 200
/** One more than an address may have, so that it stays too long. */
const tooLong = 8_193

/** Names a reference that `absolute` rejects: an address of another scheme, or the text as written. Long ones are cut. */
export function leadingNowhere(reference: string, base: string): string {
  const trimmed = reference.trim()
  const url = urlOf(trimmed, base)
  if (url === null) return detached(trimmed.slice(0, maxOther))
  const { href, protocol } = url
  return href.slice(0, protocol === 'http:' || protocol === 'https:' ? tooLong : maxOther)
}

/** A candidate of a `srcset`. */
export interface SourceCandidate {
  readonly url: string
  /** The descriptor as written, such as `2x` or `640w`; '' when there is none. */
  readonly descriptor: string
}

/** Splits a `srcset` (HTML standard, 4.8.4.2.2); an address may contain commas, but not end in one. */
export function sourceSet(value: string): readonly SourceCandidate[] {
  const found: SourceCandidate[] = []
  const words = value.slice(0, 65_536).split(/\s+/).filter((word) => word !== '')
  let url = ''
  for (const word of words) {
    const ends = word.endsWith(',')
    const bare = ends ? word.replace(/,+$/, '') : word
    if (url === '' && ends) push(found, bare, '')
    else if (url === '') url = bare
    else if (isDescriptor(bare)) {
      push(found, url, bare)
      url = ''
    } else {
      push(found, url, '')
      url = ends ? '' : bare
      if (ends) push(found, bare, '')
    }
  }
  if (url !== '') push(found, url, '')
  return found
}

function push(found: SourceCandidate[], url: string, descriptor: string): void {
  if (url !== '') found.push({ url, descriptor })
}

function isDescriptor(word: string): boolean {
  return /^\d+(?:\.\d+)?[wxh]$/.test(word)
}

/** The candidate for the largest display; the first one at a tie. */
export function largest(candidates: readonly SourceCandidate[]): SourceCandidate | undefined {
  let best: SourceCandidate | undefined
  let bestSize = -1
  for (const candidate of candidates) {
    const size = Number.parseFloat(candidate.descriptor) || 1
    if (size > bestSize) {
      best = candidate
      bestSize = size
    }
  }
  return best
}
