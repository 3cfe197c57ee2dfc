import { type Document, DomHandler, type Element, isTag } from 'domhandler'
import { Parser } from 'htmlparser2'
import { textOf, walk } from '../markdown/dom.ts'
import { toMarkdown } from '../markdown/index.ts'
import { parse } from '../parse.ts'
import { urlOf } from '../../lib/url-of.ts'

const maxEntries = 1000
const none: ReadonlySet<never> = new Set()

/** An RSS, RDF or Atom feed as markdown: a heading and a date, link and summary for every entry. Null when the text is no feed. */
export function feedMarkdown(text: string): string | null {
  if (!/<(?:rss|feed|rdf:RDF)[\s>]/i.test(text.slice(0, 4096))) return null
  const document = parseXml(text)
  const root = document?.children.find((node): node is Element => isTag(node) && /^(?:rss|feed|rdf:rdf)$/i.test(node.name))
  if (!document || !root) return null
  const channel = child(root, 'channel') ?? root
  const address = linkOf(channel)
  const parts = [`# ${titleOf(channel) || 'Feed'}`, summaryOf(channel, ['description', 'subtitle'], address)]
  for (const entry of entriesOf(document)) parts.push(...entryParts(entry, address))
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** A feed is flat; the parser's cost grows with the square of the depth. */
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

/** Null for what is nested like no feed. */
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
  const title = titleOf(entry) || link || 'Untitled'
  const date = text(entry, ['pubDate', 'published', 'updated', 'dc:date'])
  const heading = link === '' ? `## ${title}` : `## [${title.replace(/[[\]]/g, '\\$&')}](${link.replace(/[\s()<>]/g, encodeURIComponent)})`
  return [heading, date, summaryOf(entry, ['description', 'summary', 'content:encoded', 'content'], link || base)]
}

function child(element: Element, name: string): Element | undefined {
  return element.children.find((node): node is Element => isTag(node) && node.name === name)
}

function text(element: Element, names: readonly string[]): string {
  for (const name of names) {
    const found = child(element, name)
    const value = found ? textOf(found, none, 100_000) : ''
    if (value !== '') return value
  }
  return ''
}

/** A title may hold markup, written as text. */
function titleOf(element: Element): string {
  return text(element, ['title']).replace(/<[^<>]*>/g, '').replace(/[\\`*_]/g, '\\$&').trim()
}

/** RSS writes the address into the element, Atom into an attribute of the link without or with the plain relation. */
function linkOf(element: Element): string {
  const links = element.children.filter((node): node is Element => isTag(node) && node.name === 'link')
  const atom = links.find((link) => link.attribs['href'] !== undefined && (link.attribs['rel'] ?? 'alternate') === 'alternate')
  return atom?.attribs['href']?.trim() ?? text(element, ['link', 'guid'])
}

function absolute(link: string, base: string): string {
  const url = urlOf(link, base || undefined)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : ''
}

/** Feeds carry HTML as text. */
function summaryOf(element: Element, names: readonly string[], base: string): string {
  const html = text(element, names)
  const baseUrl = urlOf(base) === null ? 'about:blank' : base
  return html === '' ? '' : toMarkdown(parse(html).document, { baseUrl, removeBase64Images: true }).trimEnd()
}
