import { attribute, type Element, isElement } from '../html/tree.ts'

/**
 * The syntax of a refresh (HTML standard, shared declarative refresh steps): seconds, then an address. Linear for trimmed
 * text.
 */
const refresh = /^(\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is

/**
 * A redirect within this time happens before anybody reads the page; a later one gives time to read, or reloads the page.
 */
const soonSeconds = 3
/** The time that pages give their visitors to read that they are sent on. */
const slowSeconds = 5

/**
 * The address, as written, to which a `meta` refresh leads; undefined for any other element, and for a refresh inside
 * `noscript`.
 */
export function refreshReference(element: Element): string | undefined {
  return referenceIn(contentOf(element))
}

/** The address, as written, of a `meta` refresh within `soonSeconds`. */
export function soonReference(element: Element): string | undefined {
  return soonIn(contentOf(element), soonSeconds)
}

/** The same within `slowSeconds`. */
export function slowReference(element: Element): string | undefined {
  return soonIn(contentOf(element), slowSeconds)
}

/** The address, as written, in the value of a `Refresh` header, which browsers follow as well. */
export function referenceIn(content = ''): string | undefined {
  const [, , double, single, bare] = refresh.exec(content.trim()) ?? []
  return double ?? single ?? bare
}

/**
 * The address, as written, of an immediate `Refresh` header. Only immediate: nothing on the page tells that it has this
 * header, so a browser would be read before it leaves.
 */
export function soonReferenceIn(content = ''): string | undefined {
  return soonIn(content, 0)
}

function soonIn(content = '', most: number): string | undefined {
  const seconds = refresh.exec(content.trim())?.[1]
  return seconds !== undefined && Number.parseFloat(`0${seconds}`) <= most ? referenceIn(content) : undefined
}

function contentOf(element: Element): string | undefined {
  if (element.name !== 'meta' || attribute(element, 'http-equiv')?.trim().toLowerCase() !== 'refresh') return undefined
  if (element.parent !== null && isElement(element.parent) && element.parent.name === 'noscript') return undefined
  return attribute(element, 'content')
}
