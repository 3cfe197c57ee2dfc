import { around } from '../../html/find.ts'
import { attribute, type Element, textOf, walkElements } from '../../html/tree.ts'

/** Elements of a form that are looked at, and fewest boxes of a list. */
const mostElements = 500
const fewestBoxes = 2
/** Fewest choices of a question, most of its letters, and fewest questions of a form. */
const fewestChoices = 3
const longestQuestion = 300
const fewestQuestions = 2

/**
 * Whether a form is only there to be ticked: its fields are boxes without a name, so nothing of it can be sent (the ingredients of
 * a recipe), or the choices of questions (a quiz).
 */
export function isChecklist(form: Element): boolean {
  let [boxes, choices, questions, seen] = [0, 0, 0, 0]
  let writes = false
  walkElements(form, (element) => {
    if (writes || ++seen > mostElements) return false
    const { name } = element
    if (name === 'legend' && /[?？]\s*$/.test(textOf(element, longestQuestion, longestQuestion))) questions++
    if (name !== 'input' && name !== 'select' && name !== 'textarea') return undefined
    const type = name === 'input' ? attribute(element, 'type')?.toLowerCase() : name
    if (type === 'checkbox' && (attribute(element, 'name') ?? '') === '') boxes++
    else if (type === 'checkbox' || type === 'radio') choices++
    else writes = true
    return false
  })
  if (writes || seen > mostElements) return false
  return choices === 0 ? boxes >= fewestBoxes : questions >= (form.name === 'form' ? fewestQuestions : 1) && choices + boxes >= questions * fewestChoices
}

/** Whether a check box shows the state of an item in a task list. */
export function isTaskBox(element: Element): boolean {
  if (attribute(element, 'type')?.toLowerCase() !== 'checkbox' || attribute(element, 'disabled') === undefined) return false
  return around(element, 'li', 3) !== undefined
}
