import type { Removal } from '../../domain/reading.ts'
import type { Page } from '../clean/step.ts'
import type { Document, Element } from '../tree.ts'
import { outline } from './outline.ts'
import { furniture } from './furniture.ts'

/** Where the content of a page is. What is inside the roots and not content is marked in the page's `removed`. */
export interface MainContent {
  readonly roots: readonly (Document | Element)[]
  /** 0 to 1. */
  readonly confidence: number
  readonly removals: readonly Removal[]
}

/** Finds the content of a page. Deterministic; the page's tree is not changed. */
export function mainContent(page: Page): MainContent {
  const o = outline(page.document, page.removed)
  const removals = furniture(page, o)
  return { roots: [page.document], confidence: 0.5, removals }
}
