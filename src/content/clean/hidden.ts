import { around } from '../html/find.ts'
import { headingTags } from '../html/tag-sets.ts'
import { attribute, type Element, isElement, textOf, walk } from '../html/tree.ts'

const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i
/** Names of elements that a visitor can open: they are content although they are hidden. */
const disclosure = /\b(?:tab|accordion|collaps|panel|expand|dropdown-content|toggle|answer|faq|spoiler|read-?more|slide)/i

/**
 * Whether the markup of an element hides it from readers: by its style, the `hidden` attribute, or as a closed dialog.
 * Panels that a visitor can open (tabs, accordions, answers) count as shown.
 */
export function isHidden(element: Element): boolean {
  const style = attribute(element, 'style')
  const hidden = attribute(element, 'hidden')
  if (style === undefined && hidden === undefined && element.name !== 'dialog') return false
  if (isFormula(element)) return false
  if (style !== undefined && style.length < 2000 && hiddenStyle.test(style)) return !isShownLater(element)
  if (element.name === 'body' || element.name === 'html' || element.name === 'main' || element.name === 'article') return false
  if (hidden !== undefined && hidden !== 'until-found') return !isShownLater(element)
  return element.name === 'dialog' && attribute(element, 'open') === undefined
}

/** Whether an element belongs to a formula, by its class. Formulas are written twice: the hidden copy is the source. */
export function isFormula(element: Element): boolean {
  return /math/i.test(attribute(element, 'class') ?? '')
}

/** Ids of parts that servers send last, for a script to move into place: React and Marko. */
const sentLate = /^(?:S:[0-9a-f]+|af[A-Za-z]*_?\d+)$/
/** Elements that hold a part of the text, and roles under which they do not. */
const panels = /^(?:div|section|article|dd)$/
const apartRole = /dialog|menu|listbox|tooltip|navigation|search/

function isShownLater(element: Element): boolean {
  return isDisclosure(element) || sentLate.test(attribute(element, 'id') ?? '') || isAnnounced(element) || isChosen(element)
}

/** Most nodes before a panel, and most in each of them, among which the controls that choose it are looked for. */
const mostBefore = 30
const mostControls = 60
/** Fewest panels of a set, and boxes around one that must not be a menu. */
const aSet = 2
const boxesAround = 6
const menus = /^(?:nav|header|footer|form|dialog)$/

/** Whether an element is one of several panels of which controls before them, not those of a menu, show one (`aria-controls`). */
function isChosen(element: Element): boolean {
  const id = attribute(element, 'id') ?? ''
  if (id === '' || !panels.test(element.name) || apartRole.test(attribute(element, 'role') ?? '')) return false
  if (around(element, ({ name }) => menus.test(name), boxesAround) !== undefined) return false
  for (let before = element.prev, seen = 0; before !== null && seen < mostBefore; before = before.prev, seen++) if (isElement(before) && choosesOf(before).has(id)) return true
  return false
}

/** The ids of the panels that the controls in an element choose from; none for a single one. */
function choosesOf(element: Element): ReadonlySet<string> {
  const ids = new Set<string>()
  if (menus.test(element.name)) return ids
  walk(
    element,
    (node) => {
      const id = isElement(node) && attribute(node, 'aria-haspopup') === undefined ? attribute(node, 'aria-controls') : undefined
      if (id !== undefined) ids.add(id)
    },
    mostControls,
  )
  return ids.size < aSet ? new Set() : ids
}

/** Whether a heading, a label or a button directly before an element says what the element holds. */
function isAnnounced(element: Element): boolean {
  if (!panels.test(element.name) || apartRole.test(attribute(element, 'role') ?? '') || attribute(element, 'aria-modal') !== undefined) return false
  if (attribute(element, 'aria-labelledby') !== undefined) return true
  let before = element.prev
  while (before && !isElement(before)) before = before.prev
  if (!before || !isElement(before)) return false
  if (headingTags.has(before.name) || before.name === 'dt') return true
  const isButton = before.name === 'button' || attribute(before, 'role') === 'button'
  return isButton && (attribute(before, 'aria-expanded') !== undefined || asks.test(textOf(before, mostAsked, mostAsked)))
}

/** Most letters of a question on a button that opens its answer. */
const mostAsked = 250
const asks = /[?？؟]\s*$/

/** Whether an element is hidden only until a visitor opens it. */
export function isDisclosure(element: Element): boolean {
  if (attribute(element, 'role') === 'tabpanel') return true
  const names = `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`
  return names.length < 2000 && disclosure.test(names)
}
