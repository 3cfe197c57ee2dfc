import { isTabList, openPanelNames, panelNames } from './markdown/tabs.ts'
import { headingTags } from './html/tag-sets.ts'
import { attribute, type Element, elementBehind, isElement, isText, oneLine, textOf, walk } from './html/tree.ts'

/** Elements whose only text may be a button. */
const places: ReadonlySet<string> = new Set([...headingTags, 'dt', 'th', 'td', 'summary', 'caption', 'legend'])
/** How many boxes around a button are inspected. */
const maxBoxes = 4
const maxLetters = 300
const maxNodes = 100
/** Letters outside links that make a text an answer. */
const answerLetters = 20
/** The same in an element that the button names as what it opens. */
const namedLetters = 5
/** What says so little only to those who use the page: menus, forms and messages; and words of controls. */
const controlRoles: ReadonlySet<string> = new Set(['menu', 'listbox', 'dialog', 'status', 'tooltip', 'alert', 'form'])
const control = /^(?:share|copy|save|print|download|edit|reply|report|follow|subscribe|close|open|toggle|play|menu|navigation|actions|settings|filters?|sort|view|see|show|hide|expand|collapse|load|read|more|less|all|search|languages?|currency|region|theme|account|profile|my account|cart|basket|bag|wishlist|notifications?|(?:sort|filter|group|view|order) by|(?:show|see|view|read|load|hide|learn)(?: \S+)? (?:more|less|all)|(?:show|see|view|hide|expand|collapse) (?:all|details|menu|options)|more (?:info|information|details|options|actions)|add to (?:cart|bag|basket|wishlist|favou?rites)|(?:log|sign) ?(?:in|out|up|on)|log ?(?:in|out)|register)(?: ?[(:]? ?\d+\)?)?[\s:…»›▾▼+]*$/i
/** What API references show of an operation and of its answers in buttons that open more: `GET /boats`, `200 The boats`. */
const operation = /^(?:get|put|post|delete|patch|head|options|trace)\s*\/(?:\S|$)/i
const status = /^[1-5](?:\d\d|xx)\s*\p{L}/iu
const question = /\p{L}.*[?？؟]$/u

/**
 * Whether a button is part of the content and not only a control: it is the whole text of a heading, term or table cell, or
 * a question that the text directly below answers, or opens that text (`aria-expanded`), or the tab of a panel, or names
 * an operation of an API. Inspects a few boxes around it and about a hundred nodes.
 */
export function tells(button: Element): boolean {
  const said = saidIn(button)
  if (said === '') return false
  if (operation.test(said) || (status.test(said) && holdsParagraph(button))) return true
  if (attribute(button, 'role') === 'tab' || (button.parent !== null && isElement(button.parent) && isTabList(button.parent))) return isOfPanel(button)
  let at = button
  for (let boxes = 0; boxes < maxBoxes; boxes++) {
    const up = at.parent
    if (up === null || !isElement(up) || saidIn(up) !== said) break
    if (places.has(up.name)) return true
    at = up
  }
  return (question.test(said) || attribute(button, 'aria-expanded') !== undefined) && isAnswer(elementBehind(at), said, attribute(button, 'aria-controls'))
}

/** Whether the tab list around a tab names its panels, or those that are open. */
function isOfPanel(tab: Element): boolean {
  let at = tab.parent
  for (let boxes = 0; boxes < maxBoxes && at !== null && isElement(at); boxes++, at = at.parent) {
    if (isTabList(at)) return panelNames(at, new Set()) !== undefined || openPanelNames(at, new Set()).size > 0
  }
  return false
}

const saidIn = (element: Element): string => oneLine(textOf(element, maxLetters, maxNodes))

function holdsParagraph(button: Element): boolean {
  let found = false
  walk(button, (node) => void (found ||= isElement(node) && node.name === 'p'), maxNodes)
  return found
}

function isAnswer(panel: Element | undefined, said: string, named: string | undefined): boolean {
  if (panel === undefined || (named !== undefined && attribute(panel, 'id') !== named)) return false
  let letters = 0
  let nodes = 0
  walk(panel, (node) => {
    if (letters >= answerLetters || ++nodes > maxNodes || (isElement(node) && (node.name === 'a' || node.name === 'button'))) return false
    if (isText(node)) letters += node.data.trim().length
    return undefined
  })
  if (letters >= answerLetters) return true
  return named !== undefined && letters >= namedLetters && panel.name !== 'form' && !controlRoles.has(attribute(panel, 'role') ?? '') && !control.test(said)
}
