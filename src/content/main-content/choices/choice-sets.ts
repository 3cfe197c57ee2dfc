import { attribute, type Element, isElement, oneLine, textOf, walkElements } from '../../html/tree.ts'

/** Elements around the first of some radio buttons in which the others are looked for, and elements of one that are looked at. */
const mostBoxes = 4
const mostElements = 400
const mostNodes = 40
/** Most letters of a name and of a value, and most values. */
const longest = 60
const mostValues = 60
const fields: ReadonlySet<string> = new Set(['select', 'input', 'textarea'])

/** The type of a field or button, in lower case. */
export const typeOf = (element: Element): string => (attribute(element, 'type') ?? '').toLowerCase()

export const isRadio = (element: Element): boolean => element.name === 'input' && typeOf(element) === 'radio'

/** The innermost element around a radio button that holds another one of its name, if it holds no other fields. */
export function radioBox(radio: Element): Element | undefined {
  const name = attribute(radio, 'name')
  if (name === undefined) return undefined
  let up = radio.parent
  for (let boxes = 0; boxes < mostBoxes && up !== null && isElement(up) && up.name !== 'form' && up.name !== 'body'; boxes++, up = up.parent) {
    const [alike, others] = countIn(up, name)
    if (others > 0) return undefined
    if (alike > 1) return up
  }
  return undefined
}

/** How many radio buttons of a name and how many other fields an element holds. */
function countIn(box: Element, name: string): readonly [number, number] {
  let [alike, others, seen] = [0, 0, 0]
  walkElements(box, (element) => {
    if (++seen > mostElements) return false
    if (isRadio(element) && attribute(element, 'name') === name) alike++
    else if (fields.has(element.name) && typeOf(element) !== 'hidden') others++
    return undefined
  })
  return seen > mostElements ? [alike, 1] : [alike, others]
}

/**
 * The values of a list in which each item is a button, if the line above says their name and which one is chosen (`Colour:
 * Slate`); otherwise undefined.
 */
export function buttonsOf(list: Element): readonly string[] | undefined {
  if (list.children.length > mostValues * 3) return undefined
  const items = list.children.filter(isElement)
  if (items.length < 2 || items.length > mostValues || !items.every(holdsButton)) return undefined
  const values = items.map(lineOf)
  return values.every((value) => value !== '' && value.length <= longest) && nameBefore(list, values) !== undefined ? [...new Set(values)] : undefined
}

function holdsButton(item: Element): boolean {
  if (item.name === 'button') return true
  const [only, further] = item.children.filter(isElement)
  return only !== undefined && further === undefined && (only.name === 'button' || /^(?:radio|option|button)$/.test(attribute(only, 'role') ?? ''))
}

/** The element right before a field that names it: it ends in a colon, or in one and a value. */
export function nameBefore(field: Element, values: readonly string[]): Element | undefined {
  let before = field.prev
  while (before !== null && !isElement(before)) before = before.prev
  if (before === null || fields.has(before.name) || before.name === 'button') return undefined
  const [name = '', value, more] = lineOf(before).split(/[:：]/)
  const isName = name.length > 1 && name.length <= longest && value !== undefined && more === undefined
  return isName && (value.trim() === '' || values.includes(value.trim())) ? before : undefined
}

const lineOf = (element: Element): string => oneLine(textOf(element, longest * 2, mostNodes))
