/** Sitemaps (https://www.sitemaps.org/protocol.html) as XML or text, and RSS and Atom feeds in their place, read as they arrive. */
import { Parser } from 'htmlparser2'
import { absolute } from './address.ts'
import { sitemapDecoder } from './sitemap-text.ts'

/** One address that a sitemap names. */
export interface SitemapEntry {
  /** Absolute, http or https. */
  readonly url: string
  /** True: the address of a further sitemap. */
  readonly sitemap: boolean
  /** ISO 8601; absent when not given or not understood. */
  readonly lastModified?: string
  /** From the news extension, or a feed. */
  readonly title?: string
}

/** What a file turned out to be; `none` when nothing in it is a sitemap. */
export type SitemapKind = 'urlset' | 'index' | 'feed' | 'text' | 'none'

/** The rest of a sitemap. */
export interface SitemapEnd {
  readonly kind: SitemapKind
  readonly entries: readonly SitemapEntry[]
  /** True when a limit cut the file. */
  readonly truncated: boolean
}

/** How much of one file is read. */
export interface SitemapLimits {
  /** Decoded bytes. */
  readonly bytes: number
  readonly urls: number
}

/** The limits of the protocol: 50 MB and 50,000 addresses. */
export const protocolLimits: SitemapLimits = { bytes: 52_428_800, urls: 50_000 }

/** Takes a file piece by piece and holds only what is not complete yet. */
export interface SitemapReader {
  /** The entries that this piece completed. */
  write(chunk: Uint8Array): readonly SitemapEntry[]
  /** True as soon as nothing more will be read: the download may stop. */
  full(): boolean
  end(): SitemapEnd
}

/** Whether the bytes begin like a gzip file (RFC 1952 §2.3.1): such a sitemap has to be unpacked first. */
export function looksGzipped(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
}

/**
 * A reader for the file that came from `url`. Broken files give what was readable, half an address is none; entities of a DOCTYPE
 * are never expanded. Never throws.
 */
export function sitemapReader(url: string, limits: SitemapLimits = protocolLimits): SitemapReader {
  const found = new Found(url, limits.urls)
  const decoder = sitemapDecoder()
  let format: Format | null = null
  let bytes = 0
  let truncated = false
  const read = (text: string): void => {
    if (text === '') return
    format ??= formatOf(text, found)
    format?.write(text)
  }
  const over = (): boolean => found.full || format?.over() === true
  return {
    write(chunk) {
      const room = limits.bytes - bytes
      if (chunk.length > room) truncated = true
      if (room > 0 && !over()) read(decoder.write(chunk.subarray(0, room)))
      bytes += Math.min(chunk.length, room)
      return found.take()
    },
    full: () => over() || truncated,
    end() {
      if (!over()) read(decoder.end())
      format?.end(truncated)
      return { kind: found.kind, entries: found.take(), truncated: truncated || found.full }
    },
  }
}

/** A way to read text as it arrives. */
interface Format {
  write(text: string): void
  /** True for what turned out to be no sitemap. */
  over(): boolean
  /** `cut` says that the file goes on. */
  end(cut: boolean): void
}

/** White space alone decides nothing yet. What a broken server writes before the file is passed over. */
function formatOf(text: string, found: Found): Format | null {
  const start = /\S/.exec(text)?.[0]
  if (start === undefined) return null
  const xml = text.slice(0, 4_096).search(/<(?:\?xml|urlset|sitemapindex|rss|feed)[\s>]/)
  return xml >= 0 || start === '<' ? xmlFormat(found, Math.max(0, xml)) : textFormat(found)
}

const maxAddress = 8_192

/** Entries not handed out yet. */
class Found {
  kind: SitemapKind = 'none'
  full = false
  readonly #url: string
  readonly #most: number
  #count = 0
  #entries: SitemapEntry[] = []

  constructor(url: string, most: number) {
    this.#url = url
    this.#most = most
  }

  add(kind: SitemapKind, reference: string, more: Pick<SitemapEntry, 'title' | 'lastModified'> = {}): void {
    const url = absolute(reference, this.#url)
    if (url === undefined) return
    if (this.#count >= this.#most) {
      this.full = true
      return
    }
    this.#count++
    if (this.kind === 'none') this.kind = kind
    this.#entries.push({ url, sitemap: kind === 'index', ...more })
  }

  take(): readonly SitemapEntry[] {
    const entries = this.#entries
    this.#entries = []
    return entries
  }
}

/** One address a line; lines that are none are passed over. */
function textFormat(found: Found): Format {
  let rest = ''
  const line = (text: string): void => {
    if (/^\s*https?:\/\//i.test(text)) found.add('text', text)
  }
  return {
    write(text) {
      const lines = (rest + text).split(/[\r\n]+/)
      rest = lines.pop()?.slice(0, maxAddress + 1) ?? ''
      for (const one of lines) {
        if (found.full) return
        line(one)
      }
    },
    over: () => false,
    end(cut) {
      if (!cut) line(rest)
    },
  }
}

/** Which element means what, by the element that holds it. Names without the prefix of the file's own namespace. */
const holders: Readonly<Record<string, SitemapKind>> = { url: 'urlset', sitemap: 'index', item: 'feed', entry: 'feed' }
const roots: ReadonlySet<string> = new Set(['urlset', 'sitemapindex', 'rss', 'RDF', 'feed'])
const fields: Readonly<Record<string, 'loc' | 'guid' | 'date' | 'title'>> = {
  loc: 'loc',
  link: 'loc',
  guid: 'guid',
  lastmod: 'date',
  pubDate: 'date',
  updated: 'date',
  published: 'date',
  'dc:date': 'date',
  title: 'title',
  'news:title': 'title',
  'news:publication_date': 'date',
}
/** Sitemaps and feeds are flat; the parser's cost grows with the square of the depth. */
const maxDepth = 128
const maxTitle = 500
/** The parser looks at a whole piece before anybody may say stop. */
const piece = 65_536

interface Entry {
  readonly kind: SitemapKind
  readonly depth: number
  readonly values: Map<string, string>
}

function xmlFormat(found: Found, start: number): Format {
  let skip = start
  const reader = new XmlReader(found)
  const parser = new Parser(reader, { xmlMode: true })
  return {
    write(text) {
      for (let at = skip; at < text.length && !found.full && !reader.over; at += piece) parser.write(text.slice(at, at + piece))
      skip = 0
    },
    over: () => reader.over,
    end() {
      reader.ending = true
      if (!reader.over) parser.end()
      reader.finish()
    },
  }
}

class XmlReader {
  /** The end of the file closes what is open: that does not make it complete. */
  ending = false
  /** True for what is no sitemap, or nested like none. */
  over = false
  readonly #found: Found
  #depth = 0
  #prefix = ''
  #entry: Entry | null = null
  #field = ''
  #fieldDepth = 0
  #text = ''

  constructor(found: Found) {
    this.#found = found
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth++
    if (this.#depth === 1) this.#root(name)
    if (this.#depth > maxDepth) this.over = true
    if (this.over) return
    const own = this.#own(name)
    const kind = Object.hasOwn(holders, own) ? holders[own] : undefined
    // Only what lies near the root holds entries: `item` may mean anything inside one.
    if (kind !== undefined && this.#depth <= 3) {
      this.finish()
      this.#entry = { kind, depth: this.#depth, values: new Map() }
      const about = attributes['rdf:about']
      if (about !== undefined) this.#entry.values.set('guid', about)
    } else if (this.#entry !== null) this.#open(own, attributes, this.#entry.depth)
  }

  #root(name: string): void {
    const colon = name.indexOf(':')
    const local = name.slice(colon + 1)
    if (!roots.has(local)) this.over = true
    // RSS 1.0 has its root, and only that, in another namespace.
    this.#prefix = local === 'RDF' ? '' : name.slice(0, colon + 1)
  }

  /** The name without the prefix of the root; names of other namespaces keep theirs. */
  #own(name: string): string {
    if (this.#prefix === '') return name
    return name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name.includes(':') ? name : ''
  }

  #open(own: string, attributes: Readonly<Record<string, string>>, holder: number): void {
    // Deeper elements speak of other things: the source of an entry, an image. News is the one extension that is read.
    const near = this.#depth === holder + 1 || own.startsWith('news:')
    if (this.#field !== '' || !near || !Object.hasOwn(fields, own)) return
    const { href, rel, isPermaLink } = attributes
    // Atom writes the address into an attribute.
    if (own === 'link' && href !== undefined) {
      if ((rel ?? 'alternate') === 'alternate') this.#keep('loc', href)
    } else if (own !== 'guid' || isPermaLink !== 'false') {
      this.#field = fields[own] ?? ''
      this.#fieldDepth = this.#depth
      this.#text = ''
    }
  }

  ontext(data: string): void {
    if (this.#field !== '' && this.#text.length <= maxAddress) this.#text += data
  }

  onclosetag(): void {
    this.#depth--
    if (this.#entry === null) return
    if (this.#field !== '' && this.#depth < this.#fieldDepth) {
      if (!this.ending) this.#keep(this.#field, this.#text)
      this.#field = ''
    }
    if (this.#depth < this.#entry.depth) this.finish()
  }

  /** The first value counts, as `media:title` and the like come later. */
  #keep(field: string, value: string): void {
    const trimmed = value.trim()
    const values = this.#entry?.values
    if (values !== undefined && trimmed !== '' && !values.has(field)) values.set(field, trimmed)
  }

  finish(): void {
    const entry = this.#entry
    this.#entry = null
    this.#field = ''
    if (entry === null || this.#found.full) return
    const date = isoDate(entry.values.get('date') ?? '')
    const title = entry.values.get('title')?.replace(/\s+/g, ' ').slice(0, maxTitle)
    const reference = entry.values.get('loc') ?? entry.values.get('guid')
    if (reference === undefined) return
    this.#found.add(entry.kind, reference, { ...(date !== undefined && { lastModified: date }), ...(title !== undefined && { title }) })
  }
}

const w3cDate = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i
const mailDate = /^(?:[a-z]{3,9}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|[a-z]{1,3})$/i

/** Dates of the W3C profile and of RFC 5322, without a zone read as UTC. */
function isoDate(text: string): string | undefined {
  const [, day, time, zone] = w3cDate.exec(text) ?? []
  if (day === undefined && !mailDate.test(text)) return undefined
  const date = new Date(day === undefined ? text : time === undefined ? day : `${day}T${time}${(zone ?? 'Z').toUpperCase()}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
