import { isJsonLd } from '../structured/ld-scripts.ts'
import { leadsUp } from '../leads-up.ts'
import { type Document, type Element, isElement, isText, named, noAttributes, type Text, textOf, walk } from '../html/tree.ts'

/** An element that may name the author or a date. */
export interface Clue {
  readonly element: Element
  /** The number of nodes before it on the page. */
  readonly order: number
}

/** What one walk over the page collects for all of its metadata. */
export interface Scan {
  readonly metas: readonly Element[]
  readonly links: readonly Element[]
  readonly title: Element | undefined
  readonly html: Element | undefined
  /** The first `h1`, and its position; one that only leads to the start of the site is passed over if there is another. */
  readonly heading: Clue | undefined
  /** Whether that heading leads to the start of the site, or of a part of it, and is its name. */
  readonly ofSite: boolean
  readonly jsonLd: readonly Element[]
  readonly times: readonly Clue[]
  /** Elements whose `itemprop`, `rel`, class or id names an author or a date. */
  readonly named: readonly Clue[]
  /** Short texts that start like a byline. */
  readonly bylines: readonly { readonly text: Text; readonly order: number }[]
}

interface Found {
  readonly metas: Element[]
  readonly links: Element[]
  readonly jsonLd: Element[]
  readonly times: Clue[]
  readonly named: Clue[]
  readonly bylines: { readonly text: Text; readonly order: number }[]
}

const naming = /author|byline|by-line|writer|writtenby|written-by|contributor|date|publi|time|posted|modified|updated/i
const byline = /^\s*(?:by|von|par|por|door|di|av|af|text|autor|autorin|author|written by|posted by|publié par|escrito por)\b[\s:]/i
/** First letters of the words that start a byline. */
const initials = 'bBvVpPdDaAtTwWeE'
/** How many nodes after the heading the authors and dates of the page itself may be. */
const reach = 1_000
const mostMetas = 1_000
const mostClues = 300
const maxByline = 120

/** Collects everything in one walk over the page. */
export function scan(document: Document, url: string): Scan {
  const found: Found = { metas: [], links: [], times: [], named: [], bylines: [], jsonLd: [] }
  const namedClasses = new Map<string, boolean>()
  let title: Element | undefined
  let heading: Clue | undefined
  let ofSite = false
  let order = 0
  walk(document, (node) => {
    order++
    if (isText(node)) {
      if (heading !== undefined && order < heading.order + reach && found.bylines.length < mostClues && isByline(node.data)) found.bylines.push({ text: node, order })
      return
    }
    if (!isElement(node)) return
    switch (node.name) {
      case 'svg':
      case 'template':
      case 'style':
        return false
      case 'meta':
        if (found.metas.length < mostMetas) found.metas.push(node)
        break
      case 'link':
        if (found.links.length < mostMetas) found.links.push(node)
        break
      case 'script':
        if (isJsonLd(node)) found.jsonLd.push(node)
        return false
      case 'title':
        if (textOf(node, 1_000).trim() !== '') title ??= node
        break
      case 'h1':
        if (heading === undefined || ofSite) [heading, ofSite] = [{ element: node, order }, leadsUp(node, url)]
        break
      case 'time':
        if (found.times.length < mostClues) found.times.push({ element: node, order })
        break
      default:
    }
    if ((heading === undefined || order < heading.order + reach) && found.named.length < mostClues && isNamed(node, namedClasses)) found.named.push({ element: node, order })
  })
  return { ...found, title, heading, ofSite, html: named(document, 'html')[0] }
}

/** Whether a text starts like a byline. Most texts of a page are white space, and must cost nothing. */
function isByline(data: string): boolean {
  if (data.length > maxByline) return false
  let at = 0
  while (at < data.length && data.charCodeAt(at) <= 32) at++
  return at < data.length && initials.includes(data[at] ?? '') && byline.test(data)
}

function isNamed({ attribs, name }: Element, known: Map<string, boolean>): boolean {
  if (name === 'body' || name === 'html' || name === 'meta') return false
  if (attribs === noAttributes) return false
  const { class: classes, itemprop, rel, id } = attribs
  if (itemprop !== undefined && naming.test(itemprop)) return true
  if (rel !== undefined && /\bauthor\b/i.test(rel)) return true
  if (id !== undefined && naming.test(id)) return true
  if (classes === undefined) return false
  let named = known.get(classes)
  if (named === undefined) known.set(classes, (named = naming.test(classes)))
  return named
}
