import { classOf } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

const bar = /(?:^|[\s_-])(?:nav-?bar|navigation|mega-?menu)(?:[\s_-]|$)/i
/** Fewest letters that the rest of the page says. */
const leastRest = 60

/** Whether an element named as the navigation of a page leads elsewhere, however large: mostly links, no paragraphs, no title. */
export function isNavigation({ outline: o, title, all }: { readonly outline: Outline; readonly title: number; readonly all: number }, i: number): boolean {
  const element = o.elements[i]
  const text = o.text[i] ?? 0
  if (element === undefined || (o.linkText[i] ?? 0) * 2 <= text || (o.proseText[i] ?? 0) > 0 || all - text < leastRest) return false
  return bar.test(classOf(element)) && title >= 0 && (title < i || title >= (o.end[i] ?? 0))
}
