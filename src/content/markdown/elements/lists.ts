import type { Element } from 'domhandler'
import { headingTags } from '../../html/tag-sets.ts'
import { isElement, isText } from '../../html/tree.ts'
import { numberOf } from '../dom.ts'
import { listAfter } from '../list-joins.ts'
import { countOf, labelOf, saidOf } from '../list-labels.ts'
import type { Handler, Page } from '../page.ts'
import { taskState } from '../task-box.ts'

/** The largest number of an ordered list marker (CommonMark 0.31, 5.2). */
const maxNumber = 999_999_999

const list: Handler = {
  enter(element, page) {
    page.boundary()
    if (page.mode !== 'block' || page.joined.has(element)) return true
    // Few lists begin with a section, or are called a list of blocks: only those are asked.
    if ((element.children.find(isElement)?.children.find(isElement)?.name === 'section' || element.attribs['class']?.startsWith('blockList') === true) && isOfSections(element)) {
      page.sectionLists.add(element)
      return true
    }
    const notes = page.notes.lists.has(element)
    const first = element.name === 'ol' ? firstNumber(element) : null
    const step = 'reversed' in element.attribs ? -1 : 1
    const count = countOf(element)
    const labelled = count !== '1' || (first !== null && hasNegative(element, first, step))
    const said = first === null ? undefined : saidOf(element, (items) => numbersOf(items, first, step).map((number) => labelOf(number, count)), page.skip)
    const start = said?.other === true || labelled ? null : first
    const continued = !notes && page.lines.inside === 'list'
    if (continued) page.lines.openContinuation()
    if (!notes) page.lines.openList(start)
    page.lists.push({ ordered: first !== null && said?.other !== true, next: first ?? 1, step, count, labelled, repeated: said?.repeated === true, continued, notes })
    return true
  },
  leave(element, page) {
    page.boundary()
    if (page.mode !== 'block' || page.sectionLists.has(element)) return
    if (joinsNext(element, page)) return
    const scope = page.lists.pop()
    if (!scope?.notes) page.lines.close()
    if (scope?.continued) page.lines.close()
  },
}

/**
 * Whether a list only holds the sections of a reference, which no reader takes for items (Javadoc): its first and its last item are
 * nothing but a `section` with a heading of its own, or the list is called a list of blocks.
 */
function isOfSections({ name, attribs, children }: Element): boolean {
  if (name !== 'ul') return false
  return /^blockList(?:Last)?$/.test(attribs['class'] ?? '') || [children.find(isElement), children.findLast(isElement)].every(isSection)
}

/** Whether an item is nothing but a `section` that begins with a heading. */
function isSection(item: Element | undefined): boolean {
  const section = item?.children.find(isElement)
  const isAlone = item?.name === 'li' && section?.name === 'section' && item.children.every((child) => child === section || (isText(child) && child.data.trim() === ''))
  return isAlone && headingTags.has(section.children.find(isElement)?.name ?? '')
}

/** Whether a list goes on in the next one: then it is left open for that. */
function joinsNext(element: Element, page: Page): boolean {
  const scope = page.lists.at(-1)
  if (scope === undefined || scope.notes || scope.labelled || (element.name === 'ol' && !scope.ordered)) return false
  const next = listAfter(element, scope.ordered ? scope.next : null, page.skip)
  const { definitions, furniture, lists } = page.notes
  if (next === undefined || definitions.has(next) || furniture.has(next) || lists.has(next)) return false
  page.joined.add(next)
  return true
}

function firstNumber(element: Element): number {
  const items = 'reversed' in element.attribs ? element.children.filter((c) => isElement(c) && c.name === 'li').length : 1
  return numberOf(element.attribs['start'], { min: -maxNumber, max: maxNumber, otherwise: items })
}

const numberOfItem = (item: Element, otherwise: number): number => numberOf(item.attribs['value'], { min: -maxNumber, max: maxNumber, otherwise })

const following = (number: number, step: number): number => Math.min(maxNumber, Math.max(-maxNumber, number + step))

function numbersOf(items: readonly Element[], first: number, step: number): readonly number[] {
  let next = first
  return items.map((item) => {
    const number = numberOfItem(item, next)
    next = following(number, step)
    return number
  })
}

/** Whether a list has numbers below zero: markdown has none. */
function hasNegative({ children }: Element, first: number, step: number): boolean {
  let next = first
  for (const child of children) {
    if (!isElement(child) || child.name !== 'li') continue
    const number = numberOfItem(child, next)
    if (number < 0) return true
    next = following(number, step)
  }
  return false
}

const item: Handler = {
  enter(element, page) {
    page.boundary()
    if (page.mode === 'cell') {
      page.sign('•')
      page.beginItem('')
    }
    if (page.mode !== 'block' || page.sectionLists.has(element.parent)) return true
    const number = nextNumber(element, page)
    const { count = '1', labelled = false, repeated = false } = page.lists.at(-1) ?? {}
    page.lines.openItem(labelled ? null : number)
    // Markdown counts by digits from zero on only; the text may refer to the letter.
    if (number !== null && labelled) page.sign(`${labelOf(number, count)}.`)
    addCheckBox(element, page)
    page.beginItem(number !== null && repeated ? labelOf(number, count) : '')
    return true
  },
  leave(element, page) {
    if (page.mode === 'block' && page.sectionLists.has(element.parent)) return page.boundary()
    page.endItem()
    page.boundary()
    if (page.mode === 'block') page.lines.close()
  },
}

/** The number of an ordered item; null for a bullet. */
function nextNumber(element: Element, page: Page): number | null {
  const scope = page.lists.at(-1)
  if (scope?.notes === true) return page.notes.unreferred.get(element) ?? null
  if (!scope?.ordered || page.lines.inside !== 'list') return null
  const number = numberOfItem(element, scope.next)
  scope.next = following(number, scope.step)
  return number
}

/** A check box at the start of an item makes it a task list item. */
function addCheckBox(element: Element, page: Page): void {
  const ticked = taskState(element)
  if (ticked !== undefined) page.sign(ticked ? '[x]' : '[ ]')
}

/** Handlers of lists and their items. */
export const listHandlers: Readonly<Record<string, Handler>> = { ul: list, ol: list, menu: list, dir: list, li: item }
