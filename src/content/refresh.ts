import { attribute, type Element, isElement } from './tree.ts'

/** How a refresh is written (HTML standard, shared declarative refresh steps): seconds, then an address. Linear for text without white space at its ends. */
const refresh = /^(?:\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is

/** The address, as written, to which a `meta` element sends browsers; undefined for any other, and for one that is there for browsers without scripts alone. */
export function refreshReference(element: Element): string | undefined {
  if (element.name !== 'meta' || attribute(element, 'http-equiv')?.trim().toLowerCase() !== 'refresh') return undefined
  if (element.parent !== null && isElement(element.parent) && element.parent.name === 'noscript') return undefined
  const [, double, single, bare] = refresh.exec((attribute(element, 'content') ?? '').trim()) ?? []
  return double ?? single ?? bare
}
