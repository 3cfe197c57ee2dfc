import type { ReadOptions } from '../../domain/reading.ts'
import type { Matcher } from '../selectors.ts'
import type { ChildNode, Document, Element } from '../tree.ts'

/** What a cleaning step works on. The tree is never changed: steps only mark what is to be left out. */
export interface Page {
  readonly document: Document
  readonly url: string
  /** Elements that nobody sees, where the page was looked at as a browser draws it: then what its HTML says of that does not count. */
  readonly unseen?: ReadonlySet<Element> | undefined
  /** Heads of the subtrees left out so far. */
  readonly removed: Set<ChildNode>
  /** Elements asked for by `includeTags`; undefined when all of the page is wanted. */
  readonly wanted: readonly Element[] | undefined
  readonly matcher: Matcher
  readonly warn: (sentence: string) => void
}

/** One step of cleaning: marks nodes in `removed` and answers how many. */
export interface Step {
  readonly name: string
  when(options: ReadOptions): boolean
  run(page: Page, options: ReadOptions): number
}
