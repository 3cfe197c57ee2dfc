import { referenceIn, soonReferenceIn } from '../../lib/refresh.ts'
import { attribute, type Element, isElement } from '../html/tree.ts'

/** The time that pages give their visitors to read that they are sent on. */
const slowSeconds = 5

/**
 * The address, as written, to which a `meta` refresh leads; undefined for any other element, and for a refresh inside
 * `noscript`.
 */
export function refreshReference(element: Element): string | undefined {
  return referenceIn(contentOf(element))
}

/** The address, as written, of a `meta` refresh that happens before anybody reads the page. */
export function soonReference(element: Element): string | undefined {
  return soonReferenceIn(contentOf(element))
}

/** The same within `slowSeconds`. */
export function slowReference(element: Element): string | undefined {
  return referenceIn(contentOf(element), slowSeconds)
}

function contentOf(element: Element): string | undefined {
  if (element.name !== 'meta' || attribute(element, 'http-equiv')?.trim().toLowerCase() !== 'refresh') return undefined
  if (element.parent !== null && isElement(element.parent) && element.parent.name === 'noscript') return undefined
  return attribute(element, 'content')
}
