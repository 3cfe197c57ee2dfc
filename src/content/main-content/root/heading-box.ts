import { headingTags } from '../../html/tag-sets.ts'
import type { Element } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

/** Most letters that stand with the heading of a page: where a job is, and for how long. */
const mostBeside = 120
const boxes: ReadonlySet<string> = new Set(['div', 'section', 'hgroup'])

/**
 * The box of a heading before the content, when all that it holds besides are a few short lines without links; otherwise
 * the heading.
 */
export function headingBox({ elements, end, parent, text, links, proseText }: Outline, heading: Element, root: number): Element {
  const first = elements.indexOf(heading)
  if (first < 0 || !headingTags.has(heading.name)) return heading
  let box = first
  for (let at = parent[first] ?? -1; at >= 0 && boxes.has(elements[at]?.name ?? '') && (end[at] ?? 0) <= root; at = parent[at] ?? -1) {
    const beside = (text[at] ?? 0) - (text[first] ?? 0)
    if (beside > mostBeside || (links[at] ?? 0) > (links[first] ?? 0) || (proseText[at] ?? 0) > 0) break
    box = at
  }
  return elements[box] ?? heading
}
