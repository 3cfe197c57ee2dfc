import { lastOf } from '../../../lib/last-of.ts'
import { type Element, isTag } from 'domhandler'
import { numberOf } from '../dom.ts'
import type { Handler, Page } from '../page.ts'

/** The largest number of an ordered list marker (CommonMark 0.31, 5.2). */
const maxNumber = 999_999_999

const list: Handler = {
  enter(element, page) {
    page.boundary()
    if (page.mode !== 'block') return true
    const ordered = element.name === 'ol'
    const notes = page.notes.lists.has(element)
    const start = ordered ? firstNumber(element) : null
    const continued = !notes && page.lines.inside === 'list'
    if (continued) page.lines.openContinuation()
    if (!notes) page.lines.openList(start)
    page.lists.push({ ordered, next: start ?? 1, step: 'reversed' in element.attribs ? -1 : 1, continued, notes })
    return true
  },
  leave(_, page) {
    page.boundary()
    if (page.mode !== 'block') return
    const scope = page.lists.pop()
    if (!scope?.notes) page.lines.close()
    if (scope?.continued) page.lines.close()
  },
}

function firstNumber(element: Element): number {
  const items = 'reversed' in element.attribs ? element.children.filter((c) => isTag(c) && c.name === 'li').length : 1
  return numberOf(element.attribs['start'], { min: 0, max: maxNumber, otherwise: items })
}

const item: Handler = {
  enter(element, page) {
    page.boundary()
    if (page.mode === 'cell') {
      page.sign('•')
      page.beginItem()
    }
    if (page.mode !== 'block') return true
    page.lines.openItem(nextNumber(element, page))
    addCheckBox(element, page)
    page.beginItem()
    return true
  },
  leave(_, page) {
    page.endItem()
    page.boundary()
    if (page.mode === 'block') page.lines.close()
  },
}

/** The number of an ordered item; null for a bullet. */
function nextNumber(element: Element, page: Page): number | null {
  const scope = lastOf(page.lists)
  if (!scope?.ordered || page.lines.inside !== 'list') return null
  const number = numberOf(element.attribs['value'], { min: 0, max: maxNumber, otherwise: scope.next })
  scope.next = Math.min(maxNumber, Math.max(0, number + scope.step))
  return number
}

/** A check box at the start of an item makes it a task list item. */
function addCheckBox(element: Element, page: Page): void {
  const box = findCheckBox(element)
  if (!box) return
  page.sign('checked' in box.attribs ? '[x]' : '[ ]')
}

function findCheckBox(element: Element): Element | null {
  let parent: Element | undefined = element
  for (let depth = 0; parent && depth < 4; depth++) {
    const first: Element | undefined = parent.children.find((child): child is Element => isTag(child))
    if (first?.name === 'input') return first.attribs['type']?.toLowerCase() === 'checkbox' ? first : null
    if (first?.name !== 'label' && first?.name !== 'p' && first?.name !== 'span' && first?.name !== 'div') return null
    parent = first
  }
  return null
}

/** Handlers of lists and their items. */
export const listHandlers: Readonly<Record<string, Handler>> = { ul: list, ol: list, menu: list, dir: list, li: item }
