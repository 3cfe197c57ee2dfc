import { canBeChosen } from '../../../furniture/listing-form.ts'
import type { Outline } from '../../../outline.ts'
import { type Frame, withName } from '../../frame.ts'

/** Fewest records of a list. */
const fewest = 2
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'dialog'])
const lists: ReadonlySet<string> = new Set(['table', 'ul', 'ol'])

/**
 * Keeps the records of a form, each of which can be chosen, such as the tickets of a tracker or the versions of a page: on
 * the pages that the trees were trained on, forms ask for something.
 */
export function keepListings(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, rules } = frame
  if (withName(frame, 'form').length === 0) return
  let form = 0
  for (let i = 0; i < o.elements.length; i++) {
    const name = o.elements[i]?.name ?? ''
    const end = o.end[i] ?? i + 1
    if (name === 'form') form = Math.max(form, end)
    if (edges.has(name) || rules.verdict[i] === 1) i = end - 1
    else if (i < form && lists.has(name) && hasChoices(o, i)) {
      kept.fill(1, blocks.first[i], blocks.end[i])
      i = end - 1
    }
  }
}

/** Whether a list has records that can be chosen; one around another list leaves that to it, unless that is a bar made of cells. */
function hasChoices({ elements, end, text }: Outline, list: number): boolean {
  let found = 0
  const last = end[list] ?? list + 1
  for (let at = list + 1; at < last; at++) {
    const element = elements[at]
    if (element !== undefined && lists.has(element.name) && (text[at] ?? 0) > 0) return false
    if (found < fewest && element !== undefined && canBeChosen(element)) found++
  }
  return found >= fewest
}
