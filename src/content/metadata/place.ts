import { attribute, type Document, type Element, isElement, isText, oneLine, type ParentNode, textOf, walk } from '../html/tree.ts'
import type { Clue, Scan } from './scan.ts'

const aside = /comment|reply|replies|related|sidebar|side-bar|widget|recent|popular|trending|recommend|more-|teaser|card|carousel|footer|navigation|navbar|menu|newsletter|cookie|read-?next|also-like|up-?next|latest|testimonial|review|upcoming|archive/i
const elsewhere: ReadonlySet<string> = new Set(['aside', 'nav', 'footer'])
const levels = 12
const longestHeading = 200
/** Nodes of an article that are looked at for its heading, once for each date and author in it. */
const mostBeforeHeading = 2_000
/** Headings of entries. Lower ones name who wrote a post. */
const titleTags: ReadonlySet<string> = new Set(['h1', 'h2', 'h3'])
/** How many nodes after and before the heading its details may be. */
const nearAfter = 400
const nearBefore = 120

/** Whether an element is in side matter, comments or teasers. The footer of the article itself (`own`) is none. */
export function isAside(element: Element, own?: Element): boolean {
  let at: ParentNode | null = element
  for (let up = 0; at && up < levels && 'attribs' in at; up++, at = at.parent) {
    const { name, attribs }: Element = at
    if (name === 'body' || name === 'main' || name === 'article') return false
    if (name === 'footer' && own !== undefined && at.parent === own) return false
    if (elsewhere.has(name) || aside.test(`${(attribs['class'] ?? '').slice(0, 200)} ${(attribs['id'] ?? '').slice(0, 100)}`)) return true
  }
  return false
}

/** The article that holds the heading of the page. */
function ownArticle({ heading }: Scan): Element | undefined {
  let at: ParentNode | null = heading?.element ?? null
  for (let up = 0; at && up < levels && isElement(at); up++, at = at.parent) if (at.name === 'article') return at
  return undefined
}

/** Whether an element is in an entry of a list: an article whose heading is a link is about another page. */
export function isOfEntry(scan: Scan, element: Element): boolean {
  const own = ownArticle(scan)
  let at: ParentNode | null = element
  for (let up = 0; at && up < levels && isElement(at); up++, at = at.parent) if (at === own || at.name === 'article') return at !== own && hasLinkedHeading(at)
  return false
}

/** Whether the first such heading of an article has all its text in a link. */
function hasLinkedHeading(article: Element): boolean {
  let heading: Element | undefined
  walk(article, (node) => {
    if (heading === undefined && isElement(node) && titleTags.has(node.name)) heading = node
    return heading === undefined ? undefined : false
  }, mostBeforeHeading)
  const link = heading?.children.find((child): child is Element => isElement(child) && child.name === 'a')
  return heading !== undefined && link !== undefined && lineOf(link, longestHeading) === lineOf(heading, longestHeading)
}

/** Whether a node is near the heading, where details of the page are. */
export function isNear({ heading }: Scan, order: number): boolean {
  return heading !== undefined && order < heading.order + nearAfter && order > heading.order - nearBefore
}

/** The clues about the page itself: those near its heading and outside of side matter, or the only ones of their kind. */
export function ofPage(scan: Scan, clues: readonly Clue[]): readonly Clue[] {
  const kinds = new Map<string, number>()
  const kindOf = ({ element }: Clue): string => `${element.name} ${attribute(element, 'class') ?? ''} ${attribute(element, 'itemprop') ?? ''}`
  for (const clue of clues) kinds.set(kindOf(clue), (kinds.get(kindOf(clue)) ?? 0) + 1)
  const own = ownArticle(scan)
  return clues.filter((clue) => !isAside(clue.element, own) && !isOfEntry(scan, clue.element) && (isNear(scan, clue.order) || kinds.get(kindOf(clue)) === 1))
}

/** The text of an element in one line, at most `limit` characters. */
export function lineOf(element: Element | Document, limit: number): string {
  return oneLine(textOf(element, limit, 60))
}

/** The non-blank texts of an element one by one, because a name ends where its element does. */
export function partsOf(element: Element, limit: number): readonly string[] {
  const parts: string[] = []
  let length = 0
  walk(element, (node) => {
    if (length > limit || (isElement(node) && (node.name === 'script' || node.name === 'style' || node.name === 'svg'))) return false
    if (!isText(node)) return undefined
    length += node.data.length
    const part = oneLine(node.data)
    if (part !== '') parts.push(part)
    return undefined
  })
  return length > limit ? [] : parts
}
