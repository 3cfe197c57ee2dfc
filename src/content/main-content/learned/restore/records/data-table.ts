import { isOfVersions } from '../../../kinds/manual.ts'
import type { Outline } from '../../../outline.ts'

/** Elements at the beginning of a table among which there is one that heads others. */
const headed = 30

const rows: ReadonlySet<string> = new Set(['tr', 'td', 'th'])
/** Elements from a cell up to its table. */
const mostUp = 3

/** Whether an element is a row or a cell of a table of data, or a row of two cells or more that leads nowhere, such as the sum below others. */
export function isCellOfData(o: Outline, i: number): boolean {
  const name = o.elements[i]?.name ?? ''
  if (!rows.has(name)) return false
  if (name === 'tr' && o.links[i] === 0 && isPair(o, i)) return true
  let at = o.parent[i] ?? -1
  for (let up = 1; up < mostUp && o.elements[at]?.name !== 'table'; up++) at = o.parent[at] ?? -1
  return isData(o, at)
}

/** Whether a row has two cells that say something. */
function isPair({ end, text }: Outline, row: number): boolean {
  let cells = 0
  for (let at = row + 1; at < (end[row] ?? 0) && cells < 2; at = end[at] ?? at + 1) if ((text[at] ?? 0) > 0) cells++
  return cells === 2
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
