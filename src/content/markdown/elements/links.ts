import type { Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { blockTags, headingTags } from '../../html/tag-sets.ts'
import { tells } from '../../telling-buttons.ts'
import { classesOf, textOf, walk } from '../dom.ts'
import type { Link } from '../inline-run.ts'
import type { Handler, LinkScope, Page } from '../page.ts'
import { urlOf } from '../../../lib/url-of.ts'

/** How many nodes of a link are inspected for blocks, text and a heading. */
const lookAhead = 300
/** Schemes of links that are kept; a link of any other scheme becomes plain text. */
const schemes = /^(?:https?|mailto|tel|ftp|magnet|sms|geo|xmpp|matrix|irc|ircs):$/i
const permalinkText = /^(?:(?:#|¶|§|◆|∞|\u{1F517}|⚓|\ufe0e|\ufe0f)*|\[?(?:link|permalink|anchor|edit|copy link)\]?|direct link to .*|link to (?:this )?.*)$/iu
const permalinkClass = /anchor|permalink|header-?link|heading-?link|hash-?link|headinglink|deeplink|section-?link|direct-link/

/** The address of a link, resolved against the base; null for addresses that are not valid or of another scheme. */
export function resolve(href: string, baseUrl: string): string | null {
  const url = urlOf(href.trim(), baseUrl)
  return url !== null && schemes.test(url.protocol) ? url.href : null
}

/** Writes a link. */
export const linkHandler: Handler = {
  enter(element, page) {
    const label = page.notes.references.get(element)
    if (label !== undefined) {
      page.rawUnlinked(`[^${label}]`)
      return false
    }
    if (isControl(element)) return false
    if (page.mode === 'heading' ? isPermalink(element, page) : isSign(element, page)) return false
    const scope = openLink(element, page)
    page.linkScopes.push(scope)
    page.link = scope.carrier ? null : scope.link.url === '' ? null : scope.link
    return true
  },
  leave(element, page) {
    page.linkScopes.pop()
    const outer = page.linkScopes.at(-1)
    page.link = outer && outer.link.url !== '' && !outer.carrier ? outer.link : null
    void element
  },
}

/** Whether a link leads from a term to the term itself. */
function isOfTerm({ parent }: Element, href: string): boolean {
  return href.startsWith('#') && href.length > 1 && parent !== null && isElement(parent) && parent.name === 'dt' && parent.attribs['id'] === href.slice(1)
}

/** Whether a link is a button that is not part of the content. */
function isControl(element: Element): boolean {
  const { attribs } = element
  return attribs['role'] === 'button' && attribs['href'] === undefined && !('aria-expanded' in attribs) && !('aria-controls' in attribs) && !tells(element)
}

function openLink(element: Element, page: Page): LinkScope {
  const href = element.attribs['href']
  const url = href === undefined ? null : (page.mode === 'heading' ? href.startsWith('#') : isOfTerm(element, href)) ? null : resolve(href, page.options.baseUrl)
  const link: Link = { url: url ?? '', title: element.attribs['title'] ?? '' }
  if (url === null || page.mode !== 'block') return { link, carrier: null, once: false }
  const { blocks, carrier, text } = contentOf(element)
  return blocks ? { link, carrier, once: carrier === null && text } : { link, carrier: null, once: false }
}

/** Whether a link holds blocks, whether it holds text, and its first heading. */
function contentOf(element: Element): { blocks: boolean; carrier: Element | null; text: boolean } {
  let blocks = false
  let carrier: Element | null = null
  let text = false
  let nodes = 0
  walk(element, (node) => {
    if (isText(node) && node.data.trim() !== '') text = true
    if (isElement(node) && (blockTags.has(node.name) || node.name === 'br')) blocks = true
    if (isElement(node) && headingTags.has(node.name) && carrier === null) carrier = node
    return carrier || ++nodes > lookAhead ? 'stop' : 'into'
  })
  return { blocks, carrier, text: text || nodes > lookAhead }
}

/** Boxes between a heading and a link in it. */
const mostBoxes = 4

/** Whether a heading says nothing but its link: it is about links (`Link`, `Anchor`). */
function isAllOfHeading(element: Element, text: string, page: Page): boolean {
  let up = element.parent
  for (let boxes = 0; boxes < mostBoxes && up !== null && isElement(up) && !headingTags.has(up.name); boxes++) up = up.parent
  return up !== null && isElement(up) && textOf(up, page.skip, 100) === text
}

/** Whether a link inside a heading is the permalink of that heading. */
function isPermalink(element: Element, page: Page): boolean {
  const href = element.attribs['href'] ?? ''
  if (!href.includes('#')) return false
  const text = textOf(element, page.skip, 100)
  return (permalinkText.test(text) && !(/\p{L}/u.test(text) && isAllOfHeading(element, text, page))) || (permalinkClass.test(classesOf(element)) && text.length < 2)
}

const sign = /^(?:[#¶§∞⚓]|\u{1F517}|\ufe0f)+$/u

/** Whether a link outside headings is a permalink: of a term, a figure or a formula. */
function isSign(element: Element, page: Page): boolean {
  if (!(element.attribs['href'] ?? '').startsWith('#')) return false
  const text = textOf(element, page.skip, 10)
  return text === '¶' || (permalinkClass.test(classesOf(element)) && sign.test(text))
}

/** Handler of links. */
export const linkHandlers: Readonly<Record<string, Handler>> = { a: linkHandler }
