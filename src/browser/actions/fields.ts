import { type Ground, inGround } from './frames.ts'
import { isVisible, matches } from './scripts.ts'
import { ActionError, ask, inTime, type Stage } from './stage.ts'

/**
 * The outcome of putting a text into an element: it is there, it must be typed, or the reason why it can never be there.
 */
type Put = { readonly state: 'put' | 'keys' } | { readonly state: 'wrong'; readonly why: string }

/**
 * Sets the value of elements that cannot simply be typed into: lists, dates, times, colours and sliders. The parts of a
 * date have an order that depends on the browser's language, and a list only applies what is typed once it loses the focus.
 */
const put = String.raw`(element, text) => {
  const type = element.localName === 'input' ? element.type : element.localName
  const wrong = (why) => ({ state: 'wrong', why })
  const told = () => {
    for (const kind of ['input', 'change']) element.dispatchEvent(new Event(kind, { bubbles: true, composed: kind === 'input' }))
    return { state: 'put' }
  }
  if (type === 'select') {
    const entries = [...element.options].filter((one) => !one.matches(':disabled'))
    const wanted = text.trim()
    const low = wanted.toLowerCase()
    const same = (is) => entries.find((one) => is(one.label.trim())) ?? entries.find((one) => is(one.value))
    const entry = same((one) => one === wanted) ?? same((one) => one.toLowerCase() === low) ?? (low === '' ? undefined : same((one) => one.toLowerCase().startsWith(low)))
    if (entry === undefined) return wrong('The list has no entry ' + JSON.stringify(wanted.slice(0, 100)) + '; it has ' + entries.slice(0, 20).map((one) => JSON.stringify(one.label.trim().slice(0, 100))).join(', ') + (entries.length > 20 ? ' and more.' : '.'))
    element.focus()
    if (entry.selected) return { state: 'put' }
    entry.selected = true
    return told()
  }
  const forms = { date: '2026-12-31', time: '13:45', 'datetime-local': '2026-12-31T13:45', month: '2026-12', week: '2026-W52', color: '#0099ff', range: 'a number between its ends' }
  if (Object.hasOwn(forms, type)) {
    if (element.readOnly) return wrong('The field is read-only.')
    const before = element.value
    element.focus()
    element.value = text.trim()
    const taken = type === 'range' ? Number(element.value) === Number(text) : type === 'color' ? element.value === text.trim().toLowerCase() : (element.value === '') === (text.trim() === '')
    if (taken) return told()
    element.value = before
    return wrong('A field of the type ' + type + ' takes ' + forms[type] + ', not ' + JSON.stringify(text.slice(0, 100)) + '.')
  }
  return { state: 'keys' }
}`

/**
 * Why typing does not change an element; null when it may. A combobox often accepts keys in a field that says it is
 * read-only.
 */
const deaf = String.raw`(element) => {
  const { localName, type } = element
  if (localName === 'input' && /^(?:checkbox|radio|file|button|submit|reset|image)$/.test(type)) return 'Nothing can be written into an element of the type ' + type + '.'
  if ((localName === 'input' || localName === 'textarea') && element.readOnly && element.getAttribute('role') !== 'combobox' && !element.hasAttribute('aria-haspopup')) return 'The field is read-only.'
  return null
}`

/** The element with the focus. An element in a frame of another site cannot be inspected further. */
const active = String.raw`(() => {
  const own = (name) => Reflect.get(Document.prototype, name, document)
  const inside = (element) => element && Reflect.get(Element.prototype, 'shadowRoot', element)?.activeElement
  let element = own('activeElement')
  for (let inner = inside(element); inner; inner = inside(inner)) element = inner
  return element === own('body') || element === own('documentElement') ? null : element
})()`

const chosen = (selector: string): string => `((found) => found.find(${isVisible}) ?? found[0])((${matches})(${JSON.stringify(selector)}))`

const withElement = (element: string, work: string): string => `((element) => element ? (${work}) : null)(${element})`

async function there<T>(stage: Stage, selector: string, work: string): Promise<T | null> {
  const seen = await inTime(stage, inGround(stage, selector, (ground: Ground) => ground.ask<T | null>(withElement(chosen(ground.selector), work))))
  return seen === 'none' || seen === 'invalid' ? null : seen
}

function isPut(answer: Put | null): boolean {
  if (answer?.state === 'wrong') throw new ActionError(answer.why)
  return answer?.state === 'put'
}

/**
 * Sets the value of an element without typing, if possible; returns whether it did. Throws `ActionError` when the value is
 * impossible.
 */
export async function putInto(stage: Stage, selector: string, text: string): Promise<boolean> {
  return isPut(await there<Put>(stage, selector, `(${put})(element, ${JSON.stringify(text)})`))
}

/**
 * The same for the focused element; a list there may be open, and accepts keys. Throws `ActionError` when nothing has the
 * focus.
 */
export async function putIntoFocused(stage: Stage, text: string): Promise<boolean> {
  const answer = await ask<Put | null>(stage, withElement(active, `element.localName === 'select' ? { state: 'keys' } : (${put})(element, ${JSON.stringify(text)})`))
  if (answer === null) throw new ActionError('No element has the focus that could be written into; click on one first, or give a selector.')
  return isPut(answer)
}

/** Throws `ActionError` when typing does not change the element. */
export async function sureOfKeys(stage: Stage, selector: string | null): Promise<void> {
  const why = selector === null ? await ask<string | null>(stage, withElement(active, `(${deaf})(element)`)) : await there<string>(stage, selector, `(${deaf})(element)`)
  if (why !== null) throw new ActionError(why)
}
