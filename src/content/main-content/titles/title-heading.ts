import type { Page } from '../../clean/step.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { type Document, type Element, isElement, named, oneLine, textOf } from '../../html/tree.ts'
import { leadsUp } from '../../leads-up.ts'
import { isTitleElement } from '../../title-elements.ts'
import type { Outline } from '../outline.ts'
import { headingLine, namesSite } from './site-heading.ts'

/** Longest heading that is compared with the title of the page. */
const longest = 200
/** Nodes that are read of a heading. */
const mostNodes = 300
/** How many headings of the root are compared. */
const fewHeadings = 5

/**
 * The heading of the page, when it is before the root: the last one that the page's title begins or ends with, also inside
 * furniture such as a banner; otherwise the first `h1` that is not furniture. None when the root has its own.
 */
export function titleHeading(page: Page, all: Outline, { rest, root }: { readonly rest: Outline; readonly root: number }): Element | undefined {
  const first = firstHeading(rest, root)
  const inner = rest.elements[root]
  if (inner === undefined) return undefined
  const title = pageTitle(page.document)
  if (title === '') return first
  const isOwn = (element: Element): boolean => saysSo(title, lineOfHeading(element)) && !leadsUp(element, page.url)
  const own = headingsIn(rest, root).find((element) => isOwn(element) || (first !== undefined && element.name === 'h1' && namesSite(title, lineOfHeading(first), lineOfHeading(element))))
  if (own) return own.name === 'h1' || first === undefined || !isOwn(first) ? undefined : first
  for (let i = all.elements.indexOf(inner); i >= 0; i--) {
    const element = all.elements[i]
    if (element !== undefined && headingTags.has(element.name) && (all.text[i] ?? 0) > 0 && isOwn(element)) return element
  }
  // The name of the site is above the heading of the page.
  return first !== undefined && leadsUp(first, page.url) && headingsIn(rest, root).some(({ name }) => name === 'h1') ? undefined : first
}

function firstHeading({ elements, text, parent, end }: Outline, root: number): Element | undefined {
  for (let i = 0; i < root; i++) {
    const element = elements[i]
    if (element === undefined || (element.name !== 'h1' && !isTitleElement(element)) || (text[i] ?? 0) === 0) continue
    // What makes a title of an element that is no heading is the box around it.
    const title = element.name === 'h1' ? i : (parent[i] ?? i)
    return (end[title] ?? 0) <= root ? elements[title] : undefined
  }
  return undefined
}

function headingsIn({ elements, end }: Outline, root: number): readonly Element[] {
  const found: Element[] = []
  for (let i = root + 1; i < (end[root] ?? 0) && found.length < fewHeadings; i++) {
    const element = elements[i]
    if (element !== undefined && headingTags.has(element.name)) found.push(element)
  }
  return found
}

/** What a heading says, in small letters. */
export const lineOfHeading = (element: Element): string => headingLine(oneLine(textOf(element, longest, mostNodes)))

/** Most letters of the title of a page. */
const longestTitle = 300

/** The title of a page in small letters; '' for none. */
export function pageTitle(document: Document): string {
  let title = ''
  for (const element of named(document, 'title')) if (title === '' && !isInDrawing(element)) title = oneLine(textOf(element, longestTitle)).toLowerCase()
  return title
}

/** Whether an element is a part of a drawing, of which `title` says what it shows. */
function isInDrawing(element: Element): boolean {
  for (let up = element.parent; up !== null && isElement(up); up = up.parent) if (up.name === 'svg') return true
  return false
}

const parting = /^\s*[|–—:·•»>/-]|[|–—:·•»>/-]\s*$/

/** Whether a title is a line, or parts it from what stands before or behind it. */
export function saysSo(title: string, line: string): boolean {
  if (line === '') return false
  if (title.startsWith(line)) return title === line || parting.test(title.slice(line.length))
  return title.endsWith(line) && parting.test(title.slice(0, -line.length))
}
