import { attribute, classOf, type Element, isText } from './html/tree.ts'

/** Names of text areas in which documentation shows code that can be edited: pkg.go.dev, CodeMirror and playgrounds. */
const codeName = /(?:^|[\s_-])(?:code|example-?code|source-?code|snippet|playground|codemirror)(?:$|[\s_-])|example-?code/i
/** Fewest letters of a text that is worth reading. */
const fewest = 8

/** Whether a text area shows text that the page has, such as code to copy, and asks for none. */
export function isCodeArea(element: Element): boolean {
  if (element.name !== 'textarea' || attribute(element, 'placeholder') !== undefined) return false
  const shows = attribute(element, 'readonly') !== undefined || codeName.test(classOf(element))
  if (!shows) return false
  const [text] = element.children
  return text !== undefined && isText(text) && text.data.trim().length >= fewest
}
