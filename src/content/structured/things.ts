/** Structured data about a thing as HTML, as a reader would see it on a page. */
import { isObject, type JsonObject } from '../../lib/is-object.ts'

/** The values of a property, of which JSON-LD writes a single one without a list. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
const isOf = (thing: JsonObject, type: string): boolean => listOf(thing['@type']).includes(type)
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '')

/** Longest list, and deepest nesting of lists. */
const maxItems = 300
const maxLevels = 3

/** A text as HTML: unchanged if it has markup, otherwise each line as a paragraph. */
export function asHtml(said: string): string {
  return /<(?:p|br|div|ul|h\d)\b/i.test(said) ? said : paragraphs(said)
}

function paragraphs(said: string): string {
  return said
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('')
}

/** A title as a heading; '' for an empty one. */
export function heading(name: string, level: 1 | 2): string {
  return name === '' ? '' : `<h${level}>${escaped(name)}</h${level}>`
}

function escaped(line: string): string {
  return line.replace(/&(?![a-z#])/gi, '&amp;').replace(/</g, '&lt;')
}

/** A recipe or a product as HTML; undefined for all other things, and when there is nothing to say. */
export function thingHtml(thing: JsonObject): string | undefined {
  const body = isOf(thing, 'Recipe') ? recipe(thing) : isOf(thing, 'Product') ? product(thing) : ''
  return body === '' ? undefined : `${heading(text(thing['name']), 1)}${asHtml(text(thing['description']))}${body}`
}

function recipe(thing: JsonObject): string {
  return items('ul', listOf(thing['recipeIngredient'] ?? thing['ingredients']).map(text)) + steps(thing['recipeInstructions'], 0)
}

function items(list: 'ul' | 'ol', texts: readonly string[]): string {
  const said = texts.filter((one) => one !== '').slice(0, maxItems)
  return said.length === 0 ? '' : `<${list}>${said.map((one) => `<li>${escaped(one)}</li>`).join('')}</${list}>`
}

/** Instructions: a text, steps, or sections of steps. */
function steps(value: unknown, level: number): string {
  const list = listOf(value).slice(0, maxItems)
  if (list.length === 1 && typeof list[0] === 'string') return asHtml(list[0])
  const sections = level < maxLevels ? list.filter(isObject).filter((one) => 'itemListElement' in one) : []
  const own = list.map((one) => (isObject(one) ? text(one['text'] ?? one['name']) : text(one))).filter((_, i) => !sections.some((section) => section === list[i]))
  return items('ol', own) + sections.map((section) => heading(text(section['name']), 2) + steps(section['itemListElement'], level + 1)).join('')
}

/** The price of a product; '' unless it has a description, too. */
function product(thing: JsonObject): string {
  const offer = listOf(thing['offers']).find(isObject)
  const price = offer === undefined ? '' : [text(offer['price'] ?? offer['lowPrice']), text(offer['priceCurrency'])].filter((one) => one !== '').join(' ')
  return text(thing['description']).length > 40 ? `<p>${escaped(price)}</p>` : ''
}
