import { attribute } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

/** Most letters of such a link, and the share of a page's links from which on they are not what they seem. */
const longest = 40
const tooMany = 0.3

/**
 * The links of a page that lead nowhere, because scripts make buttons of them ("Share", "Print"). Undefined where so many do
 * that the page may only be a draft.
 */
export function idleLinks(o: Outline): ReadonlySet<number> | undefined {
  const idle = new Set<number>()
  let links = 0
  for (let i = 0; i < o.elements.length; i++) {
    const element = o.elements[i]
    if (element?.name !== 'a') continue
    const href = attribute(element, 'href')
    if (href === undefined) continue
    links++
    // What opens a part of the page names it.
    if ((href === '#' || /^javascript:/i.test(href)) && attribute(element, 'aria-expanded') === undefined && attribute(element, 'aria-controls') === undefined && attribute(element, 'role') !== 'tab' && isApart(o, i)) idle.add(i)
  }
  return idle.size > links * tooMany ? undefined : idle
}

/** Whether a short link stands among links only. */
function isApart(o: Outline, i: number): boolean {
  const up = o.parent[i] ?? -1
  const text = o.text[i] ?? 0
  return text > 0 && text <= longest && up >= 0 && !/^(?:h[1-6]|dt|th|td|summary)$/.test(o.elements[up]?.name ?? '') && (o.linkText[up] ?? 0) >= (o.text[up] ?? 0) - 2
}
