import { attribute, type Element } from './tree.ts'

const sources: Readonly<Record<string, string>> = { embed: 'src', object: 'data', iframe: 'src' }

/** The address, as written, of a PDF that an element shows in the page (`embed`, `object`, `iframe`); undefined for any other. */
export function embeddedPdf(element: Element): string | undefined {
  const name = Object.hasOwn(sources, element.name) ? sources[element.name] : undefined
  const reference = name === undefined ? undefined : attribute(element, name)?.trim()
  if (reference === undefined || reference === '') return undefined
  const isPdf = attribute(element, 'type')?.trim().toLowerCase() === 'application/pdf' || /^[^?#]*\.pdf(?:$|[?#])/i.test(reference)
  return isPdf ? reference : undefined
}
