import { attribute, classOf, type Element, isElement } from '../../html/tree.ts'
import type { Outline } from '../outline.ts'

/** Names of notes in technical writing, which often use `aside` although they belong to the text. */
const noteName = /\b(?:note|notice|callout|admonition|tip|warning|info|hint|important|caution|danger|attention|success|pullquote|pull-quote|footnotes?|example)/i

/** Whether an element is what Docutils writes for the title of a box that stands in or beside a text. */
export function isNoteTitle(element: Element): boolean {
  return element.name === 'p' && /^(?:topic|sidebar|admonition)-title$/.test(classOf(element))
}

/** Whether the class or role of an element, or its title, says that it is a note in the text, and it is no list of links. */
export function isNote({ linkText, text }: Outline, i: number, element: Element): boolean {
  if ((linkText[i] ?? 0) > (text[i] ?? 0) * 0.4) return false
  if (noteName.test(`${attribute(element, 'class') ?? ''} ${attribute(element, 'role') ?? ''}`.slice(0, 300))) return true
  const title = element.children.find(isElement)
  return title !== undefined && isNoteTitle(title)
}

/** Whether an `aside` is what a post of a forum quotes or previews (Discourse). */
export function isQuoted(element: Element): boolean {
  return element.name === 'aside' && /(?:^|\s)(?:quote|onebox)(?:\s|$)/.test(classOf(element))
}
