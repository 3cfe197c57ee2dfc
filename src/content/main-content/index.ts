import type { Removal } from '../../domain/reading.ts'
import type { Page } from '../clean/step.ts'
import type { Document, Element } from '../tree.ts'
import { markFurniture, type Setting } from './furniture.ts'
import { isForum } from './genre.ts'
import { Names } from './names.ts'
import { type Outline, outline } from './outline.ts'
import { trim } from './trim.ts'
import { contentRoot } from './root.ts'

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
  const tops = o.elements.map((_, i) => i).filter((i) => o.parent[i] === -1)
  const all = tops.reduce((sum, i) => sum + (o.text[i] ?? 0), 0)
  const total = all - tops.reduce((sum, i) => sum + (o.linkText[i] ?? 0), 0)
  const setting: Setting = { page, outline: o, names: new Names(), total, all, forum: isForum(page, o) }
  const removals = [{ step: 'page furniture', count: markFurniture(setting) }]
  const rest = outline(page.document, page.removed)
  const at = contentRoot(rest, setting.names)
  const root = rest.elements[at]
  if (root) removals.push({ step: 'side matter', count: trim(page, rest, at, setting.forum) })
  const heading = titleHeading(rest, at)
  return { roots: root ? [...(heading ? [heading] : []), root] : [page.document], confidence: 0.5, removals }
}

/** The page's first heading, when it stands before the root. */
function titleHeading(o: Outline, root: number): Element | undefined {
  for (let i = 0; i < root; i++) {
    if (o.elements[i]?.name === 'h1') return (o.end[i] ?? 0) <= root ? o.elements[i] : undefined
  }
  return undefined
}
