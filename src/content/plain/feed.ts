import { type Document, DomHandler, type Element, isTag } from 'domhandler'
import { Parser } from 'htmlparser2'
import { toHtml } from '../html/output.ts'
import { links } from '../links/links.ts'
import { textOf, walk } from '../markdown/dom.ts'
import { toMarkdown } from '../markdown/index.ts'
import { parse } from '../html/parse.ts'
import { urlOf } from '../../lib/url-of.ts'
import { withoutControls } from '../../lib/visible.ts'

const maxEntries = 5000
const maxLetters = 100_000
const none: ReadonlySet<never> = new Set()
const abouts = ['description', 'subtitle']
const summaries = ['description', 'summary', 'content:encoded', 'content']

/** An RSS, RDF or Atom feed, with the data about the feed as a whole. */
export interface Feed {
  readonly root: Element
  readonly channel: Element
  readonly entries: readonly Element[]
  /** How many more it has, beyond the limit. */
  readonly more: number
  /** The address of the page that it belongs to. */
  readonly address: string
}

/** Null when the text is no feed. */
export function feedOf(text: string): Feed | null {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(text.slice(0, 4096))) return null
  const read = parseXml(text)
  const root = read?.document.children.find((node): node is Element => isTag(node) && /^(?:rss|feed|rdf:rdf)$/i.test(node.name))
  if (!read || !root) return null
  const channel = child(root, 'channel') ?? root
  return { root, channel, entries: entriesOf(read.document), more: read.more, address: linkOf(channel) }
}

/**
 * A feed as markdown: heading, date, link and summary of every entry. A last line gives the number of entries beyond a
 * limit.
 */
export function feedMarkdown({ channel, entries, more, address }: Feed): string {
  const parts = [`# ${markdownOf(titleOf(channel)) || 'Feed'}`, summaryOf(channel, abouts, address)]
  for (const entry of entries) parts.push(...entryParts(entry, address))
  if (more > 0) parts.push(`… and ${more} more entries`)
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The links of a feed: its page, its entries, and the links in their summaries, each once. */
export function feedLinks(feed: Feed | null): readonly string[] {
  if (feed === null) return []
  const all = feed.entries.flatMap((entry) => {
    const link = absolute(linkOf(entry), feed.address)
    return [link, ...links(parse(htmlOf(entry, summaries)).document, baseOf(link || feed.address))]
  })
  return [...new Set([absolute(feed.address, ''), ...all])].filter((url) => url !== '')
}

/** What a feed says about itself, by the names of the contract. */
export function feedMetadata(feed: Feed | null): Readonly<Record<string, string>> {
  if (feed === null) return {}
  const { channel, root } = feed
  const all = { title: titleOf(channel), description: plainOf(htmlOf(channel, abouts)), language: textIn(channel, ['language']) || (root.attribs['xml:lang'] ?? '') }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, withoutControls(value)]).filter(([, value]) => value !== ''))
}

/** Feeds are flat, and the parser's cost grows with the square of the depth. */
const maxDepth = 256
const step = 16_384

const isEntry = (name: string): boolean => name === 'item' || name === 'entry'

/** Builds a tree in which entries beyond the limit are only counted. */
class FeedHandler extends DomHandler {
  depth = 0
  entries = 0
  /** The depth of the entry that is being read; 0 outside. */
  entry = 0

  get passes(): boolean {
    return this.entry > 0 && this.entries > maxEntries
  }

  override onopentag(name: string, attribs: Record<string, string>): void {
    this.depth++
    if (this.entry === 0 && isEntry(name)) {
      this.entry = this.depth
      this.entries++
    }
    if (!this.passes) super.onopentag(name, attribs)
  }

  override onclosetag(): void {
    if (!this.passes) super.onclosetag()
    if (this.depth === this.entry) this.entry = 0
    this.depth--
  }

  override ontext(data: string): void {
    if (!this.passes) super.ontext(data)
  }

  override oncomment(data: string): void {
    if (!this.passes) super.oncomment(data)
  }

  override oncommentend(): void {
    if (!this.passes) super.oncommentend()
  }

  override oncdatastart(): void {
    if (!this.passes) super.oncdatastart()
  }

  override oncdataend(): void {
    if (!this.passes) super.oncdataend()
  }

  override onprocessinginstruction(name: string, data: string): void {
    if (!this.passes) super.onprocessinginstruction(name, data)
  }
}

/** Null when the nesting is deeper than that of any feed. */
function parseXml(text: string): { readonly document: Document; readonly more: number } | null {
  const handler = new FeedHandler()
  const parser = new Parser(handler, { xmlMode: true })
  for (let at = 0; at < text.length; at += step) {
    parser.write(text.slice(at, at + step))
    if (handler.depth > maxDepth) return null
  }
  parser.end()
  return { document: handler.root, more: Math.max(0, handler.entries - maxEntries) }
}

function entriesOf(document: Document): Element[] {
  const found: Element[] = []
  walk(document, (node) => {
    if (!isTag(node) || !isEntry(node.name)) return 'into'
    found.push(node)
    return 'over'
  })
  return found
}

function entryParts(entry: Element, base: string): string[] {
  const link = absolute(linkOf(entry), base)
  const title = markdownOf(titleOf(entry)) || link || 'Untitled'
  const date = textIn(entry, ['pubDate', 'published', 'updated', 'dc:date'])
  const heading = link === '' ? `## ${title}` : `## [${title.replace(/[[\]]/g, '\\$&')}](${link.replace(/[\s()<>]/g, encodeURIComponent)})`
  return [heading, date, summaryOf(entry, summaries, link || base)]
}

function child(element: Element, name: string): Element | undefined {
  return element.children.find((node): node is Element => isTag(node) && node.name === name)
}

function textIn(element: Element, names: readonly string[]): string {
  for (const name of names) {
    const found = child(element, name)
    const value = found ? textOf(found, none, maxLetters) : ''
    if (value !== '') return value
  }
  return ''
}

/** The HTML of the first named element that has text; feeds write HTML as text, Atom also as elements. */
function htmlOf(element: Element, names: readonly string[]): string {
  const found = names.map((name) => child(element, name)).find((one) => one !== undefined && textOf(one, none, maxLetters) !== '')
  if (found === undefined) return ''
  return found.attribs['type'] === 'xhtml' ? toHtml(found.children, none, 'about:blank') : textOf(found, none, maxLetters)
}

const plainOf = (html: string): string => textOf(parse(html).document, none, maxLetters).trim()

/** A title may contain markup, written as text. */
const titleOf = (element: Element): string => plainOf(htmlOf(element, ['title']))
const markdownOf = (title: string): string => title.replace(/[\\`*_]/g, '\\$&')

/** RSS writes the address into the element; Atom into an attribute of the link that has no relation or `alternate`. */
function linkOf(element: Element): string {
  const links = element.children.filter((node): node is Element => isTag(node) && node.name === 'link')
  const atom = links.find((link) => link.attribs['href'] !== undefined && (link.attribs['rel'] ?? 'alternate') === 'alternate')
  return atom?.attribs['href']?.trim() ?? textIn(element, ['link', 'guid'])
}

function absolute(link: string, base: string): string {
  const url = urlOf(link, base || undefined)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : ''
}

const baseOf = (base: string): string => (urlOf(base) === null ? 'about:blank' : base)

function summaryOf(element: Element, names: readonly string[], base: string): string {
  const html = htmlOf(element, names)
  return html === '' ? '' : toMarkdown(parse(html).document, { baseUrl: baseOf(base), removeBase64Images: true }).trimEnd()
}
