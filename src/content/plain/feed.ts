import { type Document, DomHandler, type Element, isTag } from 'domhandler'
import { Parser } from 'htmlparser2'
import { toHtml } from '../html-output.ts'
import { links } from '../links.ts'
import { textOf, walk } from '../markdown/dom.ts'
import { toMarkdown } from '../markdown/index.ts'
import { parse } from '../parse.ts'
import { urlOf } from '../../lib/url-of.ts'

const maxEntries = 1000
const maxLetters = 100_000
const none: ReadonlySet<never> = new Set()
const abouts = ['description', 'subtitle']
const summaries = ['description', 'summary', 'content:encoded', 'content']

/** An RSS, RDF or Atom feed, with the data about the feed as a whole. */
interface Feed {
  readonly root: Element
  readonly channel: Element
  readonly entries: readonly Element[]
  /** The address of the page that it belongs to. */
  readonly address: string
}

/** Null when the text is no feed. */
function feedOf(text: string): Feed | null {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(text.slice(0, 4096))) return null
  const document = parseXml(text)
  const root = document?.children.find((node): node is Element => isTag(node) && /^(?:rss|feed|rdf:rdf)$/i.test(node.name))
  if (!document || !root) return null
  const channel = child(root, 'channel') ?? root
  return { root, channel, entries: entriesOf(document), address: linkOf(channel) }
}

/** A feed as markdown: heading, date, link and summary of every entry. Null when the text is no feed. */
export function feedMarkdown(text: string): string | null {
  const feed = feedOf(text)
  if (feed === null) return null
  const { channel, entries, address } = feed
  const parts = [`# ${markdownOf(titleOf(channel)) || 'Feed'}`, summaryOf(channel, abouts, address)]
  for (const entry of entries) parts.push(...entryParts(entry, address))
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/**
 * The links of a feed: its page, its entries, and the links in their summaries, each once. Empty when the text is no feed.
 */
export function feedLinks(text: string): readonly string[] {
  const feed = feedOf(text)
  if (feed === null) return []
  const all = feed.entries.flatMap((entry) => {
    const link = absolute(linkOf(entry), feed.address)
    return [link, ...links(parse(htmlOf(entry, summaries)).document, baseOf(link || feed.address))]
  })
  return [...new Set([absolute(feed.address, ''), ...all])].filter((url) => url !== '')
}

/** What a feed says about itself, by the names of the contract. Empty when the text is no feed. */
export function feedMetadata(text: string): Readonly<Record<string, string>> {
  const feed = feedOf(text)
  if (feed === null) return {}
  const { channel, root } = feed
  const all = { title: titleOf(channel), description: plainOf(htmlOf(channel, abouts)), language: textIn(channel, ['language']) || (root.attribs['xml:lang'] ?? '') }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

/** Feeds are flat, and the parser's cost grows with the square of the depth. */
const maxDepth = 256
const step = 16_384

class FeedHandler extends DomHandler {
  depth = 0

  override onopentag(name: string, attribs: Record<string, string>): void {
    this.depth++
    super.onopentag(name, attribs)
  }

  override onclosetag(): void {
    this.depth--
    super.onclosetag()
  }
}

/** Null when the nesting is deeper than that of any feed. */
function parseXml(text: string): Document | null {
  const handler = new FeedHandler()
  const parser = new Parser(handler, { xmlMode: true })
  for (let at = 0; at < text.length; at += step) {
    parser.write(text.slice(at, at + step))
    if (handler.depth > maxDepth) return null
  }
  parser.end()
  return handler.root
}

function entriesOf(document: Document): Element[] {
  const found: Element[] = []
  walk(document, (node) => {
    if (!isTag(node) || (node.name !== 'item' && node.name !== 'entry')) return 'into'
    found.push(node)
    return found.length < maxEntries ? 'over' : 'stop'
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
