import { nonContentTags } from './tag-sets.ts'
import { attribute, type Element } from './tree.ts'

/** Whether an element never holds page content; a script with a formula does (MathJax 2, `type="math/tex"`). */
export function isNonContent(element: Element): boolean {
  if (!nonContentTags.has(element.name)) return false
  return element.name !== 'script' || !/^\s*math\/tex\b/i.test(attribute(element, 'type') ?? '')
}
