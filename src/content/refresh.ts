import { attribute, type Element, isElement } from './tree.ts'

/** How a refresh is written (HTML standard, shared declarative refresh steps): seconds, then an address. Linear for text without white space at its ends. */
const refresh = /^(\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is

/** A browser waits for one that comes so soon; a later one leaves time to read, or shows the page anew. */
const soonSeconds = 3

/** The address, as written, to which a `meta` element sends browsers; undefined for any other, and for one that is there for browsers without scripts alone. */
export function refreshReference(element: Element): string | undefined {
  const [, , double, single, bare] = refreshOf(element) ?? []
  return double ?? single ?? bare
}

/** The same where browsers go before anybody has read the page. */
export function soonReference(element: Element): string | undefined {
  const [, seconds] = refreshOf(element) ?? []
  return seconds !== undefined && Number.parseFloat(`0${seconds}`) <= soonSeconds ? refreshReference(element) : undefined
}

function refreshOf(element: Element): RegExpExecArray | null {
  if (element.name !== 'meta' || attribute(element, 'http-equiv')?.trim().toLowerCase() !== 'refresh') return null
  if (element.parent !== null && isElement(element.parent) && element.parent.name === 'noscript') return null
  return refresh.exec((attribute(element, 'content') ?? '').trim())
}
