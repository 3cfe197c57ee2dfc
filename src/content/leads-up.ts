import { absolute, hrefOf } from './html/address.ts'
import { type Element, isElement } from './html/tree.ts'

/**
 * Whether a heading is a link to a folder above its page: to the start of the site, or of a part of it, which the heading
 * names.
 */
export function leadsUp(heading: Element, url: string): boolean {
  const link = heading.parent !== null && isElement(heading.parent) && heading.parent.name === 'a' ? heading.parent : heading.children.find((child) => isElement(child) && child.name === 'a')
  return link !== undefined && isElement(link) && isAbove(link, url)
}

/** Whether a link leads to a folder above the page that it is on. */
export function isAbove(link: Element, url: string): boolean {
  const target = absolute(hrefOf(link) ?? '', url)
  return target !== undefined && target.endsWith('/') && target.length < url.length && url.startsWith(target)
}
