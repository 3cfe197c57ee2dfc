import { attribute, type Element } from './tree.ts'

/**
 * The address, as written, of a PDF that an element embeds in the page (`embed`, `object`, `iframe`); undefined for other
 * elements.
 */
export function embeddedPdf(element: Element): string | undefined {
  const { name } = element
  // Called for every element of a page: the cheap test comes first.
  if (name !== 'embed' && name !== 'object' && name !== 'iframe') return undefined
  const reference = attribute(element, name === 'object' ? 'data' : 'src')?.trim()
  if (reference === undefined || reference === '') return undefined
  const isPdf = attribute(element, 'type')?.trim().toLowerCase() === 'application/pdf' || /^[^?#]*\.pdf(?:$|[?#])/i.test(reference)
  return isPdf ? reference : undefined
}
