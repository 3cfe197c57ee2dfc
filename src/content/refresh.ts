import { attribute, type Element, isElement } from './tree.ts'

/** How a refresh is written (HTML standard, shared declarative refresh steps): seconds, then an address. Linear for text without white space at its ends. */
const refresh = /^(\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(\S.*))/is

/** A browser waits for one that comes so soon; a later one leaves time to read, or shows the page anew. */
const soonSeconds = 3

/** The address, as written, to which a `meta` element sends browsers; undefined for any other, and for one that is there for browsers without scripts alone. */
export function refreshReference(element: Element): string | undefined {
  return referenceIn(contentOf(element))
}

/** The same where browsers go before anybody has read the page. */
export function soonReference(element: Element): string | undefined {
  return soonIn(contentOf(element), soonSeconds)
}

/** As `refreshReference`, of a `Refresh` header, which browsers follow as well. */
export function referenceIn(content = ''): string | undefined {
  const [, , double, single, bare] = refresh.exec(content.trim()) ?? []
  return double ?? single ?? bare
}

/** As `soonReference`, of a `Refresh` header. The page does not show that it has one, so that a browser would be looked at before it goes: at once it must be. */
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
