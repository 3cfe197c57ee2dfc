import type { ReadOptions } from '../../domain/pages/reading.ts'
import type { Matcher } from '../selectors/selectors.ts'
import type { ChildNode, Document, Element } from '../html/tree.ts'

/** The input of cleaning steps. The tree never changes: steps only mark what is to be left out. */
export interface Page {
  readonly document: Document
  readonly url: string
  /**
   * Elements that a browser did not show; given when the page was rendered. Then the hiding rules for HTML do not apply.
   */
  readonly unseen?: ReadonlySet<Element> | undefined
  /** The heads of the subtrees left out so far. */
  readonly removed: Set<ChildNode>
  /** Elements selected by `includeTags`; undefined when the whole page is wanted. */
  readonly wanted: readonly Element[] | undefined
  readonly matcher: Matcher
  readonly warn: (sentence: string) => void
}

/** A step of cleaning: marks nodes in `removed` and returns their number. */
export interface Step {
  readonly name: string
  when(options: ReadOptions): boolean
  run(page: Page, options: ReadOptions): number
}
