import { headingTags } from '../../html/tag-sets.ts'
import { attribute, type Element } from '../../html/tree.ts'
import { leadsUp } from '../../leads-up.ts'
import type { Setting } from '../setting.ts'
import { namesSite } from '../titles/site-heading.ts'
import { lineOfHeading, pageTitle, saysSo } from '../titles/title-heading.ts'

/** Fewest letters that an opening says besides its heading, most links in it, and headings below it that are compared with the title. */
const fewest = 12
const mostLinks = 3
const fewHeadings = 5
/** Most elements of an opening. */
const mostElements = 300

/**
 * Whether an element opens its page, whatever it is called: it holds the heading of the page and a line besides, but neither
 * many links nor the name of the site, above the page's own heading. Beside a `main` element nothing does.
 */
export function opensPage({ outline: o, title, page, main }: Setting, i: number, element: Element): boolean {
  const end = o.end[i] ?? i + 1
  const heading = o.elements[title]
  if (end - i > mostElements || (main !== undefined && i < main[0])) return false
  if (heading === undefined || title <= i || title >= end || (o.text[i] ?? 0) - (o.text[title] ?? 0) < fewest) return false
  if (element.name === 'nav' || attribute(element, 'role') === 'dialog' || leadsUp(heading, page.url) || linksOutsideMenus(o.elements, o.end, i) > mostLinks) return false
  if (o.elements.slice(title + 1, end).some(({ name }) => name === 'h1')) return false
  const said = pageTitle(page.document)
  const below = o.elements.slice(end).filter(({ name }) => headingTags.has(name)).slice(0, fewHeadings).map(lineOfHeading)
  return !below.some((line) => saysSo(said, line) || namesSite(said, lineOfHeading(heading), line))
}

function linksOutsideMenus(elements: readonly Element[], ends: ArrayLike<number>, from: number): number {
  let links = 0
  for (let at = from; at < (ends[from] ?? 0); at++) {
    if (elements[at]?.name === 'nav') at = (ends[at] ?? at + 1) - 1
    else if (elements[at]?.name === 'a') links++
  }
  return links
}
