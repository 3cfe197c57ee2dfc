import type { Page } from '../../clean/step.ts'
import { around } from '../../html/find.ts'
import { attribute, type Document, type Element, isElement, named, oneLine, textOf, walkElements } from '../../html/tree.ts'
import { buttonsOf, isRadio, nameBefore, radioBox, typeOf } from './choice-sets.ts'
import { pathOf, putBack } from '../put-back.ts'
import { isProductPage, listsProducts } from '../kinds/product.ts'

/** What a product is offered in. */
export interface Choices {
  /** Each field that offers it, as a line: `Colour: Navy, Moss`. */
  readonly lines: ReadonlyMap<Element, string>
  /** The labels that these lines repeat. */
  readonly labels: readonly Element[]
}

/** Longest name of a choice, most values of one, and most choices of a product. */
const longest = 60
const mostValues = 60
const mostChoices = 8
/** Elements of a field that are looked at, and headings and controls of a page: all around each of them are. */
const mostElements = 400
const mostLooked = 1_000
/** Parts of a page in which a product is not offered. */
const beside: ReadonlySet<string> = new Set(['nav', 'footer', 'aside', 'dialog', 'svg'])
const fields: ReadonlySet<string> = new Set(['select', 'fieldset', 'input', 'button', 'textarea'])
/** What the address of a form says that takes a product. */
const cart = /cart|basket|bag|checkout/i
/** Elements whose items may be buttons. */
const lists: ReadonlySet<string> = new Set(['ul', 'ol'])

/**
 * The choices of a product: the fields between the heading of the page and the first button that sends a form. Only on
 * pages that say in their data that they are about a product.
 */
export function choicesOf(page: Page): Choices | undefined {
  // Most pages are about no product, and need not be looked through.
  const isProduct = isProductPage(page.document)
  if ((!isProduct && !named(page.document, 'h1').some(isNameOfProduct)) || listsProducts(page.document)) return undefined
  const search = new Search(page, isProduct)
  walkElements(page.document, (element) => search.visit(element))
  return search.isOfProduct() ? written(page.document, search.found) : undefined
}

/** A field that offers values: a `select`, or a set of radio buttons. */
interface Field {
  readonly element: Element
  readonly values: readonly string[]
  readonly form: Form | undefined
}

/** A form, by its id where it has one: fields may stand outside of it. */
type Form = Element | string

class Search {
  found: Field[] = []
  #looked = 0
  #isProduct: boolean
  readonly #page: Page
  #titled = false
  #done = false
  /** The boxes of radio buttons that are in no set of their own. */
  readonly #boxes = new Set<Element>()
  /** The last form that asks for an address, a text or words to search for: its button does not buy. */
  #asks: Form | undefined

  constructor(page: Page, isProduct: boolean) {
    this.#page = page
    this.#isProduct = isProduct
  }

  visit(element: Element): boolean | undefined {
    const { name } = element
    if (beside.has(name)) return false
    if (name === 'h1' && this.#isWithinLimit()) this.#title(element)
    else if (this.#titled && !this.#done && lists.has(name) && !isSet(element)) return this.#offerButtons(element)
    else if (this.#titled && !this.#done && (fields.has(name) || sets.test(attribute(element, 'role') ?? '')) && this.#isWithinLimit() && !this.#isLeftOut(element)) return this.#offer(element)
    return undefined
  }

  #isWithinLimit(): boolean {
    return ++this.#looked <= mostLooked
  }

  #title(element: Element): void {
    if (this.#isLeftOut(element)) return
    this.#titled = true
    this.#isProduct ||= isNameOfProduct(element)
    this.#done = false
    this.found = []
  }

  #isLeftOut(element: Element): boolean {
    for (let at: Element | Document = element; isElement(at); at = at.parent as Element | Document) if (this.#page.removed.has(at)) return true // Only a document is a parent that is no element.
    return false
  }

  isOfProduct(): boolean {
    return this.#isProduct && this.#done && this.found.length > 0
  }

  #offer(element: Element): boolean | undefined {
    if (isAsking(element)) this.#asks = formOf(element)
    if (isSending(element)) this.#send(element)
    if (isRadio(element)) return this.#offerBox(radioBox(element))
    const values = element.name === 'select' ? optionsOf(element) : isSet(element) ? radiosOf(element) : undefined
    if (values === undefined || saysMore(element, values)) return undefined
    this.#add(element, values)
    return values.length === 0 ? undefined : false
  }

  #add(element: Element, values: readonly string[]): void {
    if (values.length > 1 && values.length <= mostValues && !isCount(values) && this.found.length < mostChoices) this.found.push({ element, values, form: formOf(element) })
  }

  /** Radio buttons that share a name are a choice, too. */
  #offerBox(box: Element | undefined): undefined {
    if (box === undefined || this.#boxes.has(box)) return
    this.#boxes.add(box)
    this.#add(box, radiosOf(box))
  }

  /** A list of buttons, one of which is chosen. */
  #offerButtons(list: Element): false | undefined {
    const values = buttonsOf(list)
    if (values === undefined || this.#isLeftOut(list)) return undefined
    this.#add(list, values)
    return false
  }

  /** Ends the search at the button that buys: it sends the form of the fields, or there are none before it. Fields in no form are sent by a script, with what goes into the cart. */
  #send(button: Element): void {
    const form = formOf(button)
    const action = attribute(around(button, 'form') ?? button, 'action') ?? ''
    const sent = this.found.filter((field) => field.form === form || (field.form === undefined && cart.test(action)))
    if (form !== undefined && form === this.#asks) this.found = this.found.filter((field) => field.form !== form)
    else if (sent.length > 0 || this.found.length === 0) {
      this.#done = true
      this.found = sent
    }
  }
}

/** Whether a heading is in an element that microdata calls a product. */
function isNameOfProduct(heading: Element): boolean {
  for (let up = heading.parent; up !== null && isElement(up); up = up.parent) if (/\/(?:Individual)?Product(?:Group)?$/.test(attribute(up, 'itemtype') ?? '')) return true
  return false
}

/** The form that a field, or the first one in a set, is sent with. */
function formOf(element: Element): Form | undefined {
  let named: string | undefined
  if (isSet(element)) walkElements(element, (field) => void (named ??= attribute(field, 'form')))
  named ??= attribute(element, 'form')
  if (named !== undefined) return named
  const form = around(element, 'form')
  return form && (attribute(form, 'id') ?? form)
}

const isAsking = (element: Element): boolean => element.name === 'textarea' || (element.name === 'input' && /^(?:search|email)$/.test(typeOf(element)))

const isSending = (element: Element): boolean => (element.name === 'input' && /^(?:submit|image)$/.test(typeOf(element))) || (element.name === 'button' && /^(?:|submit)$/.test(typeOf(element)) && formOf(element) !== undefined)

const isSet = (element: Element): boolean => element.name === 'fieldset' || sets.test(attribute(element, 'role') ?? '')

/** Roles of sets of radio buttons, and of buttons that scripts draw (Magento). */
const sets = /^(?:radiogroup|listbox)$/
const drawn = /^(?:radio|option)$/

/** Whether a list of options says much more than these: it is text, not a choice. */
const saysMore = (element: Element, values: readonly string[]): boolean => attribute(element, 'role') === 'listbox' && oneLine(textOf(element, longest * mostValues, mostElements)).length > values.join(' ').length * 2 + longest / 2

/** The values of a `select`; an option without one only asks to choose. */
function optionsOf(select: Element): readonly string[] {
  const values: string[] = []
  walkElements(select, (element) => {
    if (element.name !== 'option' || attribute(element, 'value') === '' || values.length > mostValues) return
    const line = lineOf(element)
    if (line !== '') values.push(line)
  })
  return values.some((value) => value.length > longest) ? [] : values
}

/** The values of the radio buttons in a set; empty where it has none. */
function radiosOf(set: Element): readonly string[] {
  const radios: Element[] = []
  const labels = new Map<string, Element>()
  let seen = 0
  walkElements(set, (element) => {
    if (++seen > mostElements) return false
    if ((element.name === 'input' && typeOf(element) === 'radio') || drawn.test(attribute(element, 'role') ?? '')) radios.push(element)
    if (element.name === 'label') labels.set(attribute(element, 'for') ?? '', element)
    return undefined
  })
  const lines = radios.map((radio) => {
    const label = labels.get(attribute(radio, 'id') ?? '\n') ?? labelAround(radio, set)
    const line = label === undefined ? (attribute(radio, 'aria-label') ?? (radio.name === 'input' ? '' : lineOf(radio))) : lineOf(label)
    const value = attribute(radio, 'value') ?? ''
    // The label may say more, in text that the page shows only when the value is not to be had.
    return value !== '' && line.includes(value) ? value : line
  })
  // Longer ones are texts of their own.
  return lines.some((line) => line.length > longest) ? [] : [...new Set(lines.filter((line) => line !== ''))]
}

function labelAround(radio: Element, set: Element): Element | undefined {
  for (let up = radio.parent; up !== null && up !== set && isElement(up); up = up.parent) if (up.name === 'label') return up
  return undefined
}

/** Whether values count from zero or one: how many pieces to buy. */
const isCount = (values: readonly string[]): boolean => values.every((value, i) => /^\d+ ?\+?$/.test(value) && Number.parseInt(value) === Number.parseInt(values[0] ?? '') + i) && Number.parseInt(values[0] ?? '') <= 1

const lineOf = (element: Element): string => oneLine(textOf(element, longest * 4, mostElements))

/**
 * Puts the choices of a product back where they were left out, without what stands around them, and leaves out the labels
 * that their lines repeat. Returns the roots of the content, which hold them.
 */
export function keepChoices(page: Page, roots: readonly (Document | Element)[], choices: Choices): readonly (Document | Element)[] {
  if (roots.some((root) => !isElement(root) && root !== page.document)) return roots
  const inside = new Set<Document | Element>(roots)
  const outside: Element[] = []
  for (const label of choices.labels) page.removed.add(label)
  for (const element of choices.lines.keys()) {
    const path = pathOf(element)
    putBack(page, path)
    if (!inside.has(page.document) && !path.some((around) => inside.has(around))) outside.push(element)
  }
  return outside.length === 0 ? roots : page.matcher.inOrder(new Set([...roots.filter(isElement), ...outside]))
}

/** Writes the fields as lines, with the names that their legends and labels give. */
function written(document: Document, fields: readonly Field[]): Choices {
  const labelled = new Map<string, Element>()
  walkElements(document, (element) => {
    const id = element.name === 'label' ? attribute(element, 'for') : undefined
    if (id !== undefined && !labelled.has(id)) labelled.set(id, element)
  })
  const lines = new Map<Element, string>()
  const labels: Element[] = []
  for (const { element, values } of fields) {
    const label = labelled.get(attribute(element, 'id') ?? '\n') ?? labelBefore(element) ?? (isSet(element) ? undefined : nameBefore(element, values))
    const apart = label !== undefined && around(element, (up) => up === label) === undefined ? label : undefined
    if (apart !== undefined) labels.push(apart)
    const name = nameOf(element, apart)
    lines.set(element, name === '' ? values.join(', ') : `${name}: ${values.join(', ')}`)
  }
  return { lines, labels }
}

/** The label that stands right before a field and names no other: many pages do not say whose it is. */
function labelBefore(field: Element): Element | undefined {
  const before = field.parent?.children.slice(0, field.parent.children.indexOf(field)).findLast(isElement)
  return before?.name === 'label' && attribute(before, 'for') === undefined && before.children.every((child) => !isElement(child) || !fields.has(child.name)) ? before : undefined
}

function nameOf(field: Element, label: Element | undefined): string {
  const legend = field.children.find((child): child is Element => isElement(child) && child.name === 'legend') ?? label
  const said = legend === undefined ? (attribute(field, 'aria-label') ?? '') : lineOf(legend)
  // A value that is chosen already may follow.
  const name = oneLine(said.split(/[:：]/, 1)[0] ?? '').replace(/[\s*]+$/, '')
  return name.length <= longest ? name : ''
}
