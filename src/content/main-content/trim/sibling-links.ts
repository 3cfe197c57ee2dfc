import { urlOf } from '../../../lib/url-of.ts'
import type { Page } from '../../clean/step.ts'
import { headingTags } from '../../html/tag-sets.ts'
import { attribute, type Element, oneLine, textOf } from '../../html/tree.ts'
import { endOfPart } from './bare-headings.ts'
import { otherThings } from './other-things.ts'
import type { Outline } from '../outline.ts'

/** Fewest links of such a part, most letters for each of them, and the share of them that are in links. */
const fewest = 2
const longest = 120
const linked = 0.3
/** Most letters of a heading. */
const aHeading = 80
/** The share of the root's letters from which on the links are what the page is about. */
const most = 0.4

/**
 * Marks the parts of a short page that a heading opens and that are lists of pages beside this one: more events, similar
 * jobs. Their addresses tell, in any language: they differ from that of the page in their last name only; or the heading does.
 */
export function trimSiblings(page: Page, o: Outline, root: number): void {
  const folder = folderOf(page.url)
  const end = o.end[root] ?? 0
  const parts: [from: number, to: number][] = []
  let letters = 0
  for (let i = root + 1; i < end; i++) {
    const heading = o.elements[i]
    if (heading === undefined || !headingTags.has(heading.name) || heading.name === 'h1' || page.removed.has(heading)) continue
    const to = endOfPart(o, i)
    const isOthers = otherThings.test(oneLine(textOf(heading, aHeading + 1, aHeading)))
    const said = isOthers || folder !== undefined ? lettersOfLinks(page, o, [i, to], isOthers ? undefined : folder) : 0
    if (said === 0) continue
    parts.push([i, to])
    letters += said
    i = to - 1
  }
  if (letters > (o.text[root] ?? 0) * most) return
  for (const [from, to] of parts) {
    for (let at = from; at < to; at = o.end[at] ?? to) {
      const element = o.elements[at]
      if (element !== undefined) page.removed.add(element)
    }
  }
}

/** Up to the last slash of the address of a page; undefined where all pages of the site may be beside it. */
function folderOf(address: string): string | undefined {
  const url = urlOf(address)
  if (url === null) return undefined
  const { origin, pathname } = url
  const folder = pathname.replace(/[^/]+\/?$/, '')
  return folder === '/' || folder === pathname ? undefined : origin + folder
}

/** The letters of a part if it is a list of pages, in a folder if there is one; otherwise 0. */
function lettersOfLinks(page: Page, o: Outline, [heading, to]: readonly [number, number], folder: string | undefined): number {
  const pages = new Set<string>()
  let said = 0
  let inLinks = 0
  for (let at = o.end[heading] ?? to; at < to; at = o.end[at] ?? to) {
    // What stands there without a link is more than a list.
    if (o.links[at] === 0 && ((o.text[at] ?? 0) > 0 || (o.images[at] ?? 0) > 0)) return 0
    said += o.text[at] ?? 0
    inLinks += o.linkText[at] ?? 0
  }
  for (let at = heading; at < to; at++) {
    const element = o.elements[at]
    if (element?.name !== 'a' || (o.text[at] ?? 0) === 0) continue
    const sibling = folder === undefined ? attribute(element, 'href') : siblingOf(page.url, element, folder)
    if (sibling === undefined) return 0
    pages.add(sibling)
  }
  return pages.size >= fewest && said <= pages.size * longest && inLinks >= said * linked ? said + (o.text[heading] ?? 0) : 0
}

/** The address of another page in a folder that a link leads to; undefined for any other place, and for files. */
function siblingOf(address: string, link: Element, folder: string): string | undefined {
  const url = urlOf(attribute(link, 'href') ?? '', address)
  if (url === null) return undefined
  const whole = url.origin + url.pathname
  const name = whole.slice(folder.length).replace(/\/$/, '')
  const isPage = name !== '' && !name.includes('/') && !/\.(?!html?$|php$|aspx?$)\w{2,4}$/i.test(name)
  return whole.startsWith(folder) && isPage && url.pathname !== urlOf(address)?.pathname ? whole : undefined
}
