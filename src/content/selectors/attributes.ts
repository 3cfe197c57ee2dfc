import type { AttributeQuery } from '../../domain/pages/reading.ts'
import { attributeOf, type Matcher } from './selectors.ts'

/**
 * The values of attributes on the elements that selectors match, as written, in document order; taken from the unfiltered
 * page.
 */
export function attributeValues(
  matcher: Matcher,
  queries: readonly AttributeQuery[],
): readonly { selector: string; attribute: string; values: string[] }[] {
  return queries.map((query) => {
    const found = matcher.select(query.selector).elements
    const values = found.map((element) => attributeOf(element, query.attribute.toLowerCase())).filter((value) => value !== undefined)
    return { selector: query.selector, attribute: query.attribute, values }
  })
}
