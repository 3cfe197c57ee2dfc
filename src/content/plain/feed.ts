import { type Document, DomHandler, type Element } from 'domhandler'
import { isElement } from '../html/tree.ts'
import { Parser } from 'htmlparser2'
import { toHtml } from '../html/output.ts'
import { links } from '../links/links.ts'
import { textOf, walk } from '../markdown/dom.ts'
import { type MarkdownOptions, toMarkdown } from '../markdown/index.ts'
import { parse } from '../html/parse.ts'
import { urlOf, webUrlOf } from '../../lib/url-of.ts'
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
  /** The address of the page that it belongs to; '' when it names none. */
  readonly address: string
  /** What its relative references are resolved against. */
  readonly base: string
  /** Whether it names that base itself (`xml:base`): its texts are then not relative to the pages of their entries. */
  readonly isBased: boolean
}

/** Reads the feed that stands at an address; null when the text is no feed. */
export function feedOf(text: string, url = ''): Feed | null {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(text.slice(0, 4096))) return null
  const read = parseXml(text)
  const root = read?.document.children.find((node): node is Element => isElement(node) && /^(?:rss|feed|rdf:rdf)$/i.test(node.name))
  if (!read || !root) return null
  const channel = child(root, 'channel') ?? root
  const own = baseAt(root, url)
  const address = absolute(linkOf(channel), own)
  const isBased = own !== url
  return { root, channel, entries: entriesOf(read.document), more: read.more, address, base: isBased ? own : address || url, isBased }
}

/**
 * A feed as markdown: heading, date, link and summary of every entry. A last line gives the number of entries beyond a
 * limit.
 */
export function feedMarkdown(feed: Feed, removeBase64Images: boolean): string {
  const { channel, entries, more, base } = feed
  const parts = [`# ${markdownOf(titleOf(channel)) || 'Feed'}`, summaryOf(channel, abouts, { baseUrl: base, removeBase64Images })]
  for (const entry of entries) parts.push(...entryParts(entry, feed, removeBase64Images))
  if (more > 0) parts.push(`… and ${more} more entries`)
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** The links of a feed: its page, its entries, the links in their summaries, and their files, each once. */
export function feedLinks(feed: Feed | null): readonly string[] {
  if (feed === null) return []
  const all = feed.entries.flatMap((entry) => {
    const { link, base, textBase } = addressesOf(entry, feed)
    const text = firstOf(entry, summaries)
    const inText = text === undefined ? [] : links(parse(htmlOf(text)).document, pageBase(baseAt(text, textBase)))
    return [link, ...inText, ...enclosures(entry, base).map(({ url }) => url)]
  })
  return [...new Set([feed.address, ...all])].filter((url) => url !== '')
}

/** What a feed says about itself, by the names of the contract. */
export function feedMetadata(feed: Feed | null): Readonly<Record<string, string>> {
  if (feed === null) return {}
  const { channel, root } = feed
  const all = { title: titleOf(channel), description: plainOf(textOrHtml(channel, abouts)), language: textIn(channel, ['language']) || (root.attribs['xml:lang'] ?? '') }
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
    if (!isElement(node) || !isEntry(node.name)) return 'into'
    found.push(node)
    return 'over'
  })
  return found
}

function entryParts(entry: Element, feed: Feed, removeBase64Images: boolean): string[] {
  const { link, base, textBase } = addressesOf(entry, feed)
  const title = markdownOf(titleOf(entry)) || link || 'Untitled'
  const date = textIn(entry, ['pubDate', 'published', 'updated', 'dc:date'])
  const heading = link === '' ? `## ${title}` : `## [${title.replace(/[[\]]/g, '\\$&')}](${target(link)})`
  const files = enclosures(entry, base).flatMap(({ url, name }) => (name === undefined ? [] : `[${name}](${target(url)})`))
  return [heading, date, summaryOf(entry, summaries, { baseUrl: textBase, removeBase64Images }), ...files]
}

const target = (url: string): string => url.replace(/[\s()<>]/g, encodeURIComponent)

/** The address of an entry, and what its own references and those in its text are resolved against. */
function addressesOf(entry: Element, feed: Feed): { readonly link: string; readonly base: string; readonly textBase: string } {
  const base = baseAt(entry, feed.base)
  const link = absolute(linkOf(entry), base)
  return { link, base, textBase: feed.isBased || entry.attribs['xml:base'] !== undefined ? base : link || base }
}

const media: Readonly<Record<string, string>> = { audio: 'Audio', video: 'Video' }
const maxFiles = 50

/** The files that belong to an entry, such as the episode of a podcast; only what can be heard or seen has a name. */
function enclosures(entry: Element, base: string): readonly { readonly url: string; readonly name: string | undefined }[] {
  const files = entry.children.filter((node): node is Element => isElement(node) && (node.name === 'enclosure' || (node.name === 'link' && node.attribs['rel'] === 'enclosure')))
  return files.slice(0, maxFiles).flatMap(({ attribs }) => {
    const url = absolute(attribs['url'] ?? attribs['href'] ?? '', base)
    return url === '' ? [] : { url, name: media[attribs['type']?.split('/', 1)[0]?.trim().toLowerCase() ?? ''] }
  })
}

function child(element: Element, name: string): Element | undefined {
  return element.children.find((node): node is Element => isElement(node) && node.name === name)
}

function textIn(element: Element, names: readonly string[]): string {
  for (const name of names) {
    const found = child(element, name)
    const value = found ? textOf(found, none, maxLetters) : ''
    if (value !== '') return value
  }
  return ''
}

/** The first named element that has text. */
const firstOf = (element: Element, names: readonly string[]): Element | undefined =>
  names.map((name) => child(element, name)).find((one) => one !== undefined && textOf(one, none, maxLetters) !== '')

/** The HTML of an element's text; feeds write HTML as text, Atom also as elements. */
const htmlOf = (found: Element): string => (found.attribs['type'] === 'xhtml' ? toHtml(found.children, none, 'about:blank') : textOf(found, none, maxLetters))

function textOrHtml(element: Element, names: readonly string[]): string {
  const found = firstOf(element, names)
  return found === undefined ? '' : htmlOf(found)
}

const plainOf = (html: string): string => textOf(parse(html).document, none, maxLetters).trim()

/** Tags, where they are not those of words in a line: of a title that does not say that it is HTML, they are what it is about. */
const spokenOf = /<(?![!/]?(?:a|abbr|b|bdi|bdo|br|cite|code|del|em|font|i|img|ins|kbd|mark|p|q|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr)[\s/>]|!--)/gi

/** A title may contain markup, written as text. */
function titleOf(element: Element): string {
  const title = firstOf(element, ['title'])
  if (title === undefined) return ''
  return plainOf(/^x?html$/.test(title.attribs['type'] ?? '') ? htmlOf(title) : htmlOf(title).replace(spokenOf, '&lt;'))
}

const markdownOf = (title: string): string => title.replace(/[\\`*_]|<(?=[a-z!/?])/gi, '\\$&')

/** RSS writes the address into the element; Atom into an attribute of the link that has no relation or `alternate`. */
function linkOf(element: Element): string {
  const links = element.children.filter((node): node is Element => isElement(node) && node.name === 'link')
  const atom = links.find((link) => link.attribs['href'] !== undefined && (link.attribs['rel'] ?? 'alternate') === 'alternate')
  return atom?.attribs['href']?.trim() ?? (textIn(element, ['link']) || permalinkOf(element))
}

/** The identifier of an entry, if it is an address. */
function permalinkOf(element: Element): string {
  const guid = child(element, 'guid')
  return guid === undefined || guid.attribs['isPermaLink'] === 'false' ? '' : absolute(textIn(element, ['guid']), '')
}

function absolute(link: string, base: string): string {
  return link === '' ? '' : (webUrlOf(link, base || undefined)?.href ?? '')
}

/** What the references of an element are resolved against, where its surroundings have that base (XML Base). */
const baseAt = (element: Element, outer: string): string => absolute(element.attribs['xml:base'] ?? '', outer) || outer

const pageBase = (base: string): string => (urlOf(base) === null ? 'about:blank' : base)

function summaryOf(element: Element, names: readonly string[], { baseUrl, removeBase64Images }: MarkdownOptions): string {
  const found = firstOf(element, names)
  return found === undefined ? '' : toMarkdown(parse(htmlOf(found)).document, { baseUrl: pageBase(baseAt(found, baseUrl)), removeBase64Images }).trimEnd()
}
