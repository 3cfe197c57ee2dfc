import { headingTags } from '../../html/tag-sets.ts'
import { attribute, type Element } from '../../html/tree.ts'
import { nameKind } from '../names.ts'
import type { Outline } from '../outline.ts'

const columns: ReadonlySet<string> = new Set(['div', 'section'])
/** Links that lead to nobody else's page. */
const reaches = /^(?:tel|mailto):/i

/**
 * The columns right behind the content of a short page that have headings, no name of furniture and no links to other pages:
 * when an office is open, and where it is. None if the content has no heading of the page.
 */
export function columnsBeside({ elements, end, parent, text, links }: Outline, root: number, kinds: Uint8Array): readonly Element[] {
  const found: Element[] = []
  const around = parent[root] ?? -1
  const inside = (at: number): readonly Element[] => elements.slice(at + 1, end[at])
  if (around < 0 || !columns.has(elements[root]?.name ?? '') || elements[around]?.name === 'body' || !inside(root).some(({ name }) => name === 'h1')) return found
  for (let at = end[root] ?? 0; at > 0 && at < (end[around] ?? 0); at = end[at] ?? 0) {
    const element = elements[at]
    if (element === undefined || (text[at] ?? 0) === 0) continue
    const parts = inside(at)
    const leads = (links[at] ?? 0) > 0 && parts.some((part) => part.name === 'a' && !reaches.test(attribute(part, 'href') ?? ''))
    if (columns.has(element.name) && kinds[at] === nameKind.plain && !leads && parts.some(({ name }) => headingTags.has(name))) found.push(element)
  }
  return found
}
