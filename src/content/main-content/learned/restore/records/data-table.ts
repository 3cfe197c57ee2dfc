import { isOfVersions } from '../../../kinds/manual.ts'
import type { Outline } from '../../../outline.ts'

/** Elements at the beginning of a table among which there is one that heads others. */
const headed = 30

const rows: ReadonlySet<string> = new Set(['tr', 'td', 'th'])
/** Elements from a cell up to its table. */
const mostUp = 3

/** Whether an element is a row or a cell of a table of data. */
export function isCellOfData(o: Outline, i: number): boolean {
  if (!rows.has(o.elements[i]?.name ?? '')) return false
  let at = o.parent[i] ?? -1
  for (let up = 1; up < mostUp && o.elements[at]?.name !== 'table'; up++) at = o.parent[at] ?? -1
  return isData(o, at)
}

/**
 * Whether a table has cells that head others, and is no list of links, or shows two versions of a text (MediaWiki): its rows
 * make sense together only.
 */
export function isData({ elements, end, linkText, text }: Outline, i: number): boolean {
  const element = elements[i]
  if (element?.name !== 'table') return false
  if (isOfVersions(element)) return true
  if ((linkText[i] ?? 0) >= (text[i] ?? 0) / 2) return false
  const last = Math.min(end[i] ?? 0, i + headed)
  for (let at = i + 1; at < last && elements[at]?.name !== 'table'; at++) if (elements[at]?.name === 'th') return true
  return false
}
