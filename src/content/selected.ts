import type { ReadOptions, Removal } from '../domain/pages/reading.ts'
import { clean } from './clean/index.ts'
import type { Page } from './clean/step.ts'
import { copy } from './html/copy.ts'
import { mainContent } from './main-content/index.ts'
import type { Matcher } from './selectors/selectors.ts'
import type { ChildNode, Document, Element } from './html/tree.ts'

/** The part of a page that the options select, cleaned. */
export interface Selected {
  readonly tree: Document
  /** What the tree was copied from, and what was left out. */
  readonly roots: readonly (Document | Element)[]
  readonly removed: ReadonlySet<ChildNode>
  readonly removals: readonly Removal[]
  readonly confidence: number
  readonly guessed?: true | undefined
  readonly choices?: ReadonlyMap<Element, string> | undefined
  readonly title?: Element | undefined
}

/** Cleans a page and copies what is wanted of it: its main content, or all that is left. Adds to `page.removed`. */
export function selectFrom(page: Page, options: ReadOptions): Selected {
  const removals = clean(page, options)
  const { removed } = page
  const whole = page.wanted ?? [page.document]
  if (!options.onlyMainContent) return { tree: copy(whole, removed), roots: whole, removed, removals, confidence: 1 }
  const main = mainContent(page)
  return { ...main, tree: copy(main.roots, removed, main), removed, removals: [...removals, ...main.removals] }
}

/** All of a body that is not a page. */
export function all(document: Document): Selected {
  return { tree: document, roots: [document], removed: new Set(), removals: [], confidence: 1 }
}

/**
 * The elements that `includeTags` selects, in document order, without elements inside others; undefined when it is empty.
 */
export function wantedOf({ includeTags: selectors }: ReadOptions, matcher: Matcher, warn: (sentence: string) => void): readonly Element[] | undefined {
  if (selectors.length === 0) return undefined
  const found = new Set<Element>()
  for (const selector of selectors) {
    const { elements, complete } = matcher.select(selector)
    if (!complete) warn(`The selector ${JSON.stringify(selector.slice(0, 100))} cost too much on this page and was given up.`)
    for (const element of elements) found.add(element)
  }
  if (found.size === 0) warn('No element matches `includeTags`.')
  return matcher.inOrder(found)
}
