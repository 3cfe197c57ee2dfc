import type { ReadOptions, Removal } from '../domain/pages/reading.ts'
import type { Steps } from '../lib/in-steps.ts'
import { clean } from './clean/index.ts'
import type { Page } from './clean/step.ts'
import { copy } from './html/copy.ts'
import { mainContent } from './main-content/index.ts'
import type { Matcher } from './selectors/selectors.ts'
import { type ChildNode, type Document, type Element, isElement, isText, openingOf } from './html/tree.ts'

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
export function* selectFrom(page: Page, options: ReadOptions): Steps<Selected> {
  const removals = clean(page, options)
  yield
  const { removed } = page
  const whole = page.wanted ?? [page.document]
  const main = options.onlyMainContent ? yield* mainContent(page) : { roots: whole, removals: [], confidence: 1 }
  yield
  const tree = copy(main.roots, removed, main)
  if (isSelective(options) && whole.length > 0 && !tree.children.some(says) && openingOf(page.document, 1) !== '') page.warn('Nothing is left of the page by `includeTags` and `excludeTags`.')
  return { ...main, tree, removed, removals: [...removals, ...main.removals] }
}

const isSelective = ({ includeTags, excludeTags }: ReadOptions): boolean => includeTags.length + excludeTags.length > 0

const says = (node: ChildNode): boolean => isElement(node) || (isText(node) && node.data.trim() !== '')

/** All of a body that is not a page. */
export function* allOf(document: Document, options: ReadOptions, warn: (sentence: string) => void): Steps<Selected> {
  if (isSelective(options)) warn('The address leads to a file without elements: `includeTags` and `excludeTags` select nothing in it.')
  yield
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
