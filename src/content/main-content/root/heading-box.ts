import { headingTags } from '../../html/tag-sets.ts'
import type { Element } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

/** Most letters that stand with the heading of a page: where a job is, and for how long. */
const mostBeside = 120
const boxes: ReadonlySet<string> = new Set(['div', 'section', 'hgroup'])
/** Elements whose `header` is not that of the page. */
const parts: ReadonlySet<string> = new Set(['article', 'main', 'section'])

/**
 * The box of a heading before the content: the `header` of a page without a `main` element, where it is not furniture, or a box that besides the
 * heading holds only a few short lines without links; otherwise the heading.
 */
export function headingBox({ elements, end, parent, text, links, proseText }: Outline, heading: Element, { root, isMain }: { readonly root: number; readonly isMain: boolean }): Element {
  const first = elements.indexOf(heading)
  if (first < 0 || !headingTags.has(heading.name)) return heading
  const header = isMain ? undefined : headerAround({ elements, end, parent, text }, first, root)
  if (header !== undefined) return header
  let box = first
  for (let at = parent[first] ?? -1; at >= 0 && boxes.has(elements[at]?.name ?? '') && (end[at] ?? 0) <= root; at = parent[at] ?? -1) {
    const beside = (text[at] ?? 0) - (text[first] ?? 0)
    if (beside > mostBeside || (links[at] ?? 0) > (links[first] ?? 0) || (proseText[at] ?? 0) > 0) break
    box = at
  }
  return elements[box] ?? heading
}

function headerAround({ elements, end, parent, text }: Pick<Outline, 'elements' | 'end' | 'parent' | 'text'>, heading: number, root: number): Element | undefined {
  let found: Element | undefined
  for (let at = parent[heading] ?? -1; at >= 0; at = parent[at] ?? -1) {
    const element = elements[at]
    if (element === undefined || parts.has(element.name)) return undefined
    if (element.name === 'header' && (text[at] ?? 0) > 0 && (end[at] ?? 0) <= root) found = element
  }
  return found
}
