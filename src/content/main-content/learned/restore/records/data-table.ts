import { isOfVersions } from '../../../kinds/manual.ts'
import type { Outline } from '../../../outline.ts'

/** Elements at the beginning of a table among which there is one that heads others. */
const headed = 30

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
