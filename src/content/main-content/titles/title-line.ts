import type { Page } from '../../clean/step.ts'
import { attribute, type ChildNode, classOf, type Document, type Element, isElement, oneLine, textOf, walk, walkElements } from '../../html/tree.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { isNamedSite, leadsUp } from '../../leads-up.ts'
import { isTitleElement } from '../../title-elements.ts'
import { pathOf, putBack } from '../put-back.ts'
import { headingLine } from './site-heading.ts'
import { pageTitle, saysSo } from './title-heading.ts'

/** Fewest and most letters of a title, and most nodes that are read of one. */
const shortest = 4
const longest = 200
const mostNodes = 60
/** Most elements that may be around a title. */
const mostAround = 60

/** Names of the title of a post or page, and names that may be those of a part of it when they stand outside of an article. */
const ofPage = /(?:^|[\s_-])(?:post|entry|article|story|page|topic|doc|document|single|blog|news|hero|banner|p)[_-]*(?:title|headline|heading|name)(?:$|\s)|(?:^|\s)headline(?:$|\s)/i
const ofPart = /(?:^|[\s_-])(?:title|headline|heading)(?:$|\s)/i
const ofData = /(?:^|\s)(?:headline|name)(?:$|\s)/
/** Elements whose headings are not those of the page, and further ones that hold no title. */
const beside: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'svg', 'select', 'dialog'])
const around: ReadonlySet<string> = new Set(['li', 'form', 'td', 'pre', 'button', 'figure', 'blockquote'])
const others = /breadcrumb|(?:^|[\s_-])(?:related|recommend\w*|recent|pagination|pager|modal|popup)(?:$|[\s_-])/i

/** A title that is no heading, and what was left out of it before the content was looked for. */
export interface TitleLine {
  readonly element: Element
  readonly removed: ReadonlySet<ChildNode>
}

/**
 * The title of a page that no heading says: the first element whose name says that it is a title, and whose text is the
 * title of the page, or what that begins with. Many themes write it as `<div class="post-title">`.
 */
export function titleLine(page: Page): TitleLine | undefined {
  const title = pageTitle(page.document)
  if (title.length < shortest) return undefined
  let found: Element | undefined
  let isSaid = false
  walk(page.document, (element) => {
    if (isSaid || page.removed.has(element) || !isElement(element)) return false
    if (beside.has(element.name)) return false
    const heads = headingTags.has(element.name) || attribute(element, 'role') === 'heading' || isTitleElement(element)
    if (!heads && (found !== undefined || !mayBeTitle(element))) return undefined
    const line = headingLine(oneLine(textOf(element, longest * 2, mostNodes)))
    if (line.length < shortest || line.length > longest || !title.startsWith(line) || !saysSo(title, line) || leadsUp(element, page.url)) return undefined
    if (heads) isSaid = true
    else if (isOfPage(element)) found = element
    return undefined
  })
  return isSaid || found === undefined ? undefined : { element: found, removed: removedIn(page, found) }
}

function removedIn({ removed }: Page, element: Element): ReadonlySet<ChildNode> {
  const found = new Set<ChildNode>()
  walk(element, (node) => void (removed.has(node) && found.add(node)))
  return found
}

/**
 * The roots with the title line of the page, which is put back if it was left out. The heading that names the site, and
 * stood in for the title, is left out. Undefined when the title is behind the content: then it is of something else.
 */
export function withTitle(page: Page, roots: readonly (Document | Element)[], { element: title, removed }: TitleLine): readonly (Document | Element)[] | undefined {
  const own = roots.filter((root) => !isElement(root) || !isOfSite(page, root))
  const inner = own.filter(isElement)
  const path = pathOf(title)
  const isInside = own.includes(page.document) || path.some((around) => inner.includes(around))
  const all = isInside ? own : page.matcher.inOrder(new Set([title, ...inner]))
  if (!isInside && (inner.length === 0 || all.at(-1) === title)) return undefined
  putBack(page, path)
  walk(title, (node) => void (removed.has(node) || page.removed.delete(node)))
  if (isInside) for (const root of own) walkElements(root, (element) => void (isOfSite(page, element) && page.removed.add(element)))
  return all
}

/** Whether an element is a heading of the first rank that names the site. */
const isOfSite = ({ url }: Page, element: Element): boolean => element.name === 'h1' && leadsUp(element, url)

/** Whether the names of an element may be those of a title. */
function mayBeTitle(element: Element): boolean {
  return ofPart.test(classOf(element)) || ofPage.test(classOf(element)) || ofData.test(attribute(element, 'itemprop') ?? '')
}

/** Whether an element that may be a title is that of its page, and not of the site or of something on the page. */
function isOfPage(element: Element): boolean {
  if (isNamedSite(element)) return false
  let inArticle = false
  let up: Element | Document | null = element
  for (let boxes = 0; boxes < mostAround && up !== null && isElement(up); boxes++) {
    if (around.has(up.name) || (up.name !== 'body' && up.name !== 'html' && others.test(classOf(up)))) return false
    inArticle ||= up.name === 'article' || up.name === 'main' || attribute(up, 'role') === 'main'
    up = up.parent as Element | Document | null // Only an element or a document is a parent.
  }
  return inArticle || ofPage.test(classOf(element))
}
