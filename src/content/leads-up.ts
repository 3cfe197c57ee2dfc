import { absolute, hrefOf } from './html/address.ts'
import { classOf, type Element, isElement } from './html/tree.ts'

/** Classes of headings that name the site, and of the links in them. */
const ofSite = /(?:^|[\s_-])(?:logo|brand|site-?(?:title|name))(?:$|\s)/i

/**
 * Whether a heading is a link to a folder above its page: to the start of the site, or of a part of it, which the heading
 * names. The start of a site whose pages have no folders is told by the names of heading and link.
 */
export function leadsUp(heading: Element, url: string): boolean {
  const link = linkOf(heading)
  return link !== undefined && (isAbove(link, url) || (isNamedSite(heading) && leadsAway(link, url)))
}

/** Whether the names of a heading, or of the link in it, say that it is the name of the site. */
export function isNamedSite(heading: Element): boolean {
  return [heading, linkOf(heading)].some((one) => one !== undefined && ofSite.test(classOf(one)))
}

/** The link around a heading or in it. */
function linkOf({ parent, children }: Element): Element | undefined {
  return parent !== null && isElement(parent) && parent.name === 'a' ? parent : children.find((child): child is Element => isElement(child) && child.name === 'a')
}

/** Whether a link leads to another page. */
function leadsAway(link: Element, url: string): boolean {
  const target = absolute(hrefOf(link) ?? '', url)
  return target !== undefined && target.split('#', 1)[0] !== url.split('#', 1)[0]
}

/** Whether a link leads to a folder above the page that it is on. */
export function isAbove(link: Element, url: string): boolean {
  const target = absolute(hrefOf(link) ?? '', url)
  return target !== undefined && target.endsWith('/') && target.length < url.length && url.startsWith(target)
}
