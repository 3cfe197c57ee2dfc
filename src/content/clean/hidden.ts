import { attribute, type Element } from '../tree.ts'

const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i
/** Where a page hides what a visitor opens: content, not decoration. */
const disclosure = /\b(?:tab|accordion|collaps|panel|expand|dropdown-content|toggle|answer|faq|spoiler|read-?more|slide)/i

/**
 * Whether an element is hidden from readers by its own markup. Folded panels (tabs, accordions, answers) are content, and so is what
 * is hidden from assistive technology only, unless it is small.
 */
export function isHidden(element: Element): boolean {
  const style = attribute(element, 'style')
  const hidden = attribute(element, 'hidden')
  if (style === undefined && hidden === undefined && element.name !== 'dialog') return false
  if (isFormula(element)) return false
  if (style !== undefined && style.length < 2000 && hiddenStyle.test(style)) return !isDisclosure(element)
  if (element.name === 'body' || element.name === 'html' || element.name === 'main' || element.name === 'article') return false
  if (hidden !== undefined && hidden !== 'until-found') return !isDisclosure(element)
  return element.name === 'dialog' && attribute(element, 'open') === undefined
}

/** Whether an element belongs to a formula. These are drawn twice: what is hidden from the eye is their source. */
export function isFormula(element: Element): boolean {
  return /math/i.test(attribute(element, 'class') ?? '')
}

/** Whether an element is hidden until a visitor opens it. */
export function isDisclosure(element: Element): boolean {
  if (attribute(element, 'role') === 'tabpanel') return true
  const names = `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`
  return names.length < 2000 && disclosure.test(names)
}
