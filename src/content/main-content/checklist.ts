import { attribute, type Element, walkElements } from '../html/tree.ts'

/** Elements of a form that are looked at, and fewest boxes of a list. */
const mostElements = 500
const fewestBoxes = 2

/**
 * Whether a form only lets the reader tick off what it lists, such as the ingredients of a recipe: its fields are boxes
 * without a name, so nothing of it can be sent.
 */
export function isChecklist(form: Element): boolean {
  let boxes = 0
  let seen = 0
  let sends = false
  walkElements(form, (element) => {
    if (sends || ++seen > mostElements) return false
    const { name } = element
    if (name !== 'input' && name !== 'select' && name !== 'textarea') return undefined
    if (name === 'input' && attribute(element, 'type')?.toLowerCase() === 'checkbox' && (attribute(element, 'name') ?? '') === '') boxes++
    else sends = true
    return false
  })
  return !sends && seen <= mostElements && boxes >= fewestBoxes
}
