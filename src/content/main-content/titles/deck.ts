import { type Element, namesOf } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

/** Names of the line under a headline that says what the article is about, elements that hold one, and how long it is. */
const named = /(?:^|[\s_-])(?:stand-?first|dek|deck|sub-?title|sub-?head(?:line|ing)?|lede|article-summary)(?:$|[\s_-])/i
const holders: ReadonlySet<string> = new Set(['p', 'h2', 'h3', 'h4', 'div'])
const [shortest, longest] = [12, 500]

/** Whether an element is named as the line under a headline, and has as many letters as one. */
export function isDeck(element: Element, letters: number): boolean {
  return letters >= shortest && letters <= longest && holders.has(element.name) && named.test(namesOf(element))
}

/** The line right under a headline before the content. */
export function deckBehind({ elements, end, links, text }: Outline, heading: Element, root: number): Element | undefined {
  const at = end[elements.indexOf(heading)] ?? 0
  const element = elements[at]
  return at > 0 && (end[at] ?? 0) <= root && element?.parent === heading.parent && links[at] === 0 && isDeck(element, text[at] ?? 0) ? element : undefined
}
