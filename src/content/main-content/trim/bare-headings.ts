import type { Page } from '../../clean/step.ts'
import { headingTags } from '../../html/tag-sets.ts'
import type { Outline } from '../outline.ts'

/** Elements that are content without text. */
const shown: ReadonlySet<string> = new Set(['img', 'picture', 'svg', 'video', 'audio', 'iframe', 'object', 'canvas', 'math'])

/**
 * Marks the headings in the root of which all text, up to the next heading of their rank, was marked, and the rules behind
 * which nothing is left.
 */
export function trimBareHeadings(page: Page, o: Outline, root: number): void {
  const end = o.end[root] ?? 0
  const kept = keptBefore(page, o, root)
  for (let i = root + 1; i < end; i++) {
    const heading = o.elements[i]
    if (heading?.name === 'hr' && kept[end - root] === kept[i + 1 - root]) page.removed.add(heading)
    if (heading === undefined || !headingTags.has(heading.name) || heading.name === 'h1' || page.removed.has(heading)) continue
    const from = o.end[i] ?? end
    const to = endOfPart(o, i)
    let said = 0
    for (let at = from; at < to; at = o.end[at] ?? to) said += o.text[at] ?? 0
    if (said > 0 && kept[to - root] === kept[from - root]) page.removed.add(heading)
  }
}

/** Where the part that a heading opens ends: at the next heading of its rank beside it, or with the element around it. */
export function endOfPart(o: Outline, i: number): number {
  const rank = o.elements[i]?.name ?? ''
  const end = o.end[o.parent[i] ?? -1] ?? o.elements.length
  let at = o.end[i] ?? end
  while (at < end) {
    const name = o.elements[at]?.name ?? ''
    if (headingTags.has(name) && name <= rank) break
    at = o.end[at] ?? end
  }
  return at
}

/** Per element from the root on: how many elements before it are left that show something of their own. */
function keptBefore(page: Page, o: Outline, root: number): Int32Array {
  const end = o.end[root] ?? root + 1
  const kept = new Int32Array(end - root + 1)
  let count = 0
  let marked = root
  for (let i = root; i < end; i++) {
    kept[i - root] = count
    const element = o.elements[i]
    if (element !== undefined && page.removed.has(element)) marked = Math.max(marked, o.end[i] ?? i + 1)
    if (i >= marked && element !== undefined && (ownText(o, i) > 0 || shown.has(element.name))) count++
  }
  kept[end - root] = count
  return kept
}

/** Letters of an element that are in none of its elements. */
function ownText(o: Outline, i: number): number {
  const end = o.end[i] ?? i + 1
  let own = o.text[i] ?? 0
  for (let at = i + 1; at < end; at = o.end[at] ?? end) own -= o.text[at] ?? 0
  return own
}
