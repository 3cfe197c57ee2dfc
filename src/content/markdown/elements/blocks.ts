import type { Element } from 'domhandler'
import { isElement, isText } from '../../html/tree.ts'
import { textOf, walk } from '../dom.ts'
import { type Link, strong } from '../inline-run.ts'
import type { Handler, Page } from '../page.ts'
import { resolve } from './links.ts'
import { isInPreview, isQuotedAlready } from './quoted.ts'

/** A block whose content is written in place. */
const block: Handler = {
  enter(_, page) {
    page.softBoundary()
    return true
  },
  leave(_, page) {
    page.softBoundary()
  },
}

/** A box that ends in a line break right before another one is a line of verse or of an address, and no paragraph. */
export const verseHandler: Handler = {
  enter(element, page) {
    const before = elementBeside(element, 'prev')
    if (before === null || !isLineBefore(before, element)) page.softBoundary()
    return true
  },
  leave(element, page) {
    const next = elementBeside(element, 'next')
    if (next === null || page.skip.has(next) || !isLineBefore(element, next)) page.softBoundary()
  },
}

const isLineBefore = (line: Element, next: Element): boolean => endsInBreak(line) && line.attribs['class'] === next.attribs['class'] && endsInBreak(next)

/** Whether a box says something and then breaks the line. A blank one parts paragraphs. */
function endsInBreak({ name, lastChild }: Element): boolean {
  const last = lastChild !== null && isText(lastChild) && lastChild.data.trim() === '' ? lastChild.prev : lastChild
  return name === 'div' && last !== null && isElement(last) && last.name === 'br' && last.prev !== null && (!isText(last.prev) || last.prev.data.trim() !== '')
}

/** The element before or behind another, with nothing but white space between them. */
function elementBeside(element: Element, way: 'prev' | 'next'): Element | null {
  let at = element[way]
  while (at !== null && isText(at) && at.data.trim() === '') at = at[way]
  return at !== null && isElement(at) ? at : null
}

/** Omits an element and its children. */
const nothing: Handler = { enter: () => false }

/** A block in bold: titles that are not heading elements. */
export const boldBlock: Handler = {
  enter(_, page) {
    page.boundary()
    page.mark(strong, 1)
    return true
  },
  leave(_, page) {
    page.boundary()
    page.mark(strong, -1)
  },
}

/** A quotation; one that is all of a quotation or of a post adds no level. */
export const quoteHandler: Handler = {
  enter(element, page) {
    page.boundary()
    if (page.mode === 'block') page.lines.open('quote', isQuotedAlready(element) ? '' : '> ')
    return true
  },
  leave(_, page) {
    page.boundary()
    if (page.mode === 'block') page.lines.close()
  },
}

const rule: Handler = {
  enter(_, page) {
    page.boundary()
    // `---` or `***` directly after a list marker would turn the line into a rule instead of an item.
    if (page.mode === 'block') page.lines.write('rule', page.lines.atMarker ? '___' : '---')
    return false
  },
}

const structures = new Set(['table', 'pre', 'ul', 'ol', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'form', 'dl'])

/** False for a heading that was never closed and holds half the page: it is written as a block. */
function isHeading(element: Element): boolean {
  let nodes = 0
  let paragraphs = 0
  let sound = true
  walk(element, (node) => {
    if (isElement(node) && node.name === 'p') paragraphs++
    if ((isElement(node) && structures.has(node.name) && !isLineOfCode(node)) || paragraphs > 4 || ++nodes > 500) sound = false
    return sound ? 'into' : 'stop'
  })
  return sound
}

/** Longest code that may be a part of a heading, in characters. */
const mostCode = 40

/** Whether code is a word of a heading, such as the version of an API (Swagger UI), and no block. */
function isLineOfCode({ name, children }: Element): boolean {
  const [text, ...others] = children
  return name === 'pre' && text !== undefined && others.length === 0 && isText(text) && text.data.length <= mostCode && !text.data.trim().includes('\n')
}

function heading(level: number): Handler {
  return {
    enter(element, page) {
      page.boundary()
      if (page.mode !== 'block') return true
      const scope = page.linkScopes.at(-1)
      if (scope?.carrier === element) page.link = scope.link
      if (scope === undefined) page.link = linkOver(element, page)
      if (isHeading(element) && !isInPreview(element)) {
        page.mode = 'heading'
        page.run.isHeading = true
      }
      return true
    },
    leave(_, page) {
      if (page.mode === 'heading') writeHeading(level, page)
      else page.boundary()
      const scope = page.linkScopes.at(-1)
      if (page.mode === 'block' && (scope === undefined || scope.carrier)) page.link = null
    },
  }
}

/** Elements around a heading that may hold an empty link over all of it. */
const mostUnder = 3

/** The link that lies over all of an entry, has no text, and says for screen readers where it leads: to what the heading names (PaperMod). */
function linkOver(heading: Element, page: Page): Link | null {
  let at: Element | null = heading
  for (let up = 0; up < mostUnder && at?.parent && isElement(at.parent); up++) {
    at = at.parent
    const last: Element | undefined = at.children.findLast(isElement)
    const { href, 'aria-label': label } = last?.attribs ?? {}
    if (last?.name !== 'a' || href === undefined || label === undefined) continue
    const said = textOf(heading, page.skip, 300)
    const url = said !== '' && last.children.length === 0 && !page.skip.has(last) && label.includes(said) ? resolve(href, page.options.baseUrl) : null
    return url === null ? null : { url, title: '' }
  }
  return null
}

function writeHeading(level: number, page: Page): void {
  page.mode = 'block'
  const text = page.takeLine('line').replace(/(^|\s)(#+)$/, '$1\\$2')
  if (text !== '') page.lines.write('heading', `${'#'.repeat(level)} ${text}`)
}

const summary: Handler = {
  enter(element, page) {
    const plain = element.children.some((child) => isElement(child) && /^h[1-6]$/.test(child.name))
    return plain ? block.enter(element, page) : boldBlock.enter(element, page)
  },
  leave(element, page) {
    const plain = element.children.some((child) => isElement(child) && /^h[1-6]$/.test(child.name))
    if (plain) block.leave?.(element, page)
    else boldBlock.leave?.(element, page)
  },
}

function each(names: string, handler: Handler): Record<string, Handler> {
  return Object.fromEntries(names.split(' ').map((name) => [name, handler]))
}

const headings: readonly Handler[] = [1, 2, 3, 4, 5, 6].map((level) => heading(level))

/** Writes an element that is a heading, but is not named so; levels that there are not become the nearest one. */
export function headingHandler(level: number): Handler {
  return headings[Math.min(Math.max(Math.trunc(level) || 2, 1), headings.length) - 1] ?? block
}

/** Handlers of block elements, and of elements without readable content. */
export const blockHandlers: Readonly<Record<string, Handler>> = {
  ...each(
    'address article aside body center dd dialog details div dl fieldset figure figcaption footer form frameset header hgroup html legend main nav noscript optgroup p search section tbody thead tfoot tr caption',
    block,
  ),
  ...each(
    'script style head title meta link base template canvas select option datalist input progress meter map area colgroup col param source track rp applet noembed noframes frame',
    nothing,
  ),
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  h4: heading(4),
  h5: heading(5),
  h6: heading(6),
  dt: boldBlock,
  summary,
  blockquote: quoteHandler,
  hr: rule,
}
