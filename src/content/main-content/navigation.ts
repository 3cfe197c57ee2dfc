import type { Setting } from './furniture.ts'
import { attribute } from '../html/tree.ts'

const bar = /(?:^|[\s_-])(?:nav-?bar|navigation|mega-?menu)(?:[\s_-]|$)/i
/** Fewest letters that the rest of the page says. */
const leastRest = 60

/** Whether an element named as the navigation of a short page holds most of it: nothing but links with marks, and no title. */
export function isNavigation({ outline: o, title, all }: Setting, i: number): boolean {
  const element = o.elements[i]
  const text = o.text[i] ?? 0
  if (element === undefined || (o.linkText[i] ?? 0) * 2 <= text || (o.proseText[i] ?? 0) > 0 || all - text < leastRest) return false
  return bar.test((attribute(element, 'class') ?? '').slice(0, 200)) && title >= 0 && (title < i || title >= (o.end[i] ?? 0))
}
