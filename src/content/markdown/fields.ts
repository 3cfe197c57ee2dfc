import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'
import { textOf } from './dom.ts'

const parts: ReadonlySet<string> = new Set(['span', 'strong', 'b', 'em', 'i', 'small', 'time', 'a'])
/** Elements that hold the fields of a record. Paragraphs are not among them: an editor may have split a word there. */
const holders: ReadonlySet<string> = new Set(['div', 'li', 'td', 'th', 'dd', 'dt', 'figcaption', 'cite', 'address', 'a', 'button', 'label', 'summary', 'section', 'article', 'header', 'footer', 'time', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** A class that is a word, which a generated class seldom is. */
const named = /[a-z]{4}/i
/**
 * Longest field and shortest first field, in characters. A single letter is a drop cap; a single digit before a capital
 * letter is a number.
 */
const looked = 80
const fewest = 2
const method = /^(?:get|put|post|delete|patch|head|options|trace)$/i
/** What marks at a name are called, as references and shops show them: `Optional`, `New`. */
const mark = /(?:^|[\s_-])(?:tag|badge|pill|chip)s?(?:$|[\s_-])/i
const ends = /[\p{L}\p{N}%°)]$/u
const begins = /^(?:[\p{L}\p{N}$€£¥]|\+\S|\(\d)/u
/** How many children of a box are inspected, blank text included. */
const maxParts = 16
/**
 * Matches the characters on both sides of a boundary that separates nothing: a word cut in two, or a script without spaces.
 */
const unspaced = /[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/
/** Fewest letters of a field beside one of another name, whatever they are: `post`, `https://…`. */
const aWord = 4
const goesOn = /\p{L}\p{Ll}|[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/u

/**
 * Whether an element and its previous sibling are fields of a record that only the style sheet keeps apart: `Weight`, `1.4
 * kg`.
 */
export function followsField(element: Element, skip: ReadonlySet<AnyNode>): boolean {
  const { prev, next, parent } = element
  if (prev === null || !isElement(prev) || !parts.has(element.name)) return false
  if (isOfCode(element) || isOperation(prev, element, skip) || (mark.test((prev.attribs['class'] ?? '').slice(0, looked)) && isMark(prev, element, skip))) return true
  if (!parts.has(prev.name)) return false
  if (opensParagraph(prev, element, skip)) return true
  if (parent === null || !isElement(parent) || !holders.has(parent.name) || !(prev.name !== element.name || isNamed(prev) || isNamed(element) || (isPlain(prev) && isPlain(element))) || !isEdge(prev.prev) || !isEdge(next)) return false
  const before = textOf(prev, skip, looked)
  const after = textOf(element, skip, looked)
  if (parent.name === 'figcaption' || areFieldsByName(prev, element, Math.min(before.length, after.length))) return before.length < looked && ends.test(before) && begins.test(after) && !unspaced.test(before.slice(-1) + after.charAt(0))
  if (before.length >= looked || before.length < (/^\d\p{Lu}/u.test(before + after) ? 1 : fewest)) return false
  return ends.test(before) && begins.test(after) && !goesOn.test(before.slice(-1) + after.charAt(0))
}

/** Whether two elements are the method and the path of an operation of an API, as references show them: `GET` `/boats`. */
function isOperation(prev: Element, element: Element, skip: ReadonlySet<AnyNode>): boolean {
  const [said] = prev.children
  return said !== undefined && isText(said) && said.data.length < looked && method.test(said.data.trim()) && textOf(element, skip, looked).startsWith('/')
}

/** Whether an element that is called a mark stands before a name: only the style sheet keeps it apart, and draws a box around it. */
function isMark(prev: Element, element: Element, skip: ReadonlySet<AnyNode>): boolean {
  if ((prev.name !== 'code' && prev.name !== 'span') || !isEdge(prev.prev)) return false
  const [before, after] = [textOf(prev, skip, looked), textOf(element, skip, looked)]
  return before.length >= aWord - 1 && ends.test(before) && begins.test(after) && !unspaced.test(before.slice(-1) + after.charAt(0))
}

/** The same of a line that was put together from such elements. */
export const operationApart = (line: string): string => line.replace(/^(?:get|put|post|delete|patch|head|options|trace)(?=\/)/i, '$& ')

/** Whether two elements with names of their own stand before the text of a paragraph: who says it, and when. */
function opensParagraph(prev: Element, element: Element, skip: ReadonlySet<AnyNode>): boolean {
  const { parent } = element
  if (parent === null || !isElement(parent) || parent.name !== 'p' || !isEdge(prev.prev)) return false
  const before = textOf(prev, skip, looked)
  const after = textOf(element, skip, looked)
  return areFieldsByName(prev, element, Math.min(before.length, after.length)) && before.length < looked && ends.test(before) && begins.test(after) && !unspaced.test(before.slice(-1) + after.charAt(0))
}

/**
 * Whether an element adds to the identifier in code that starts its box, such as the type of a parameter. All other
 * elements in the box must do so too.
 */
function isOfCode(element: Element): boolean {
  const { parent } = element
  if (!isNamed(element) || parent === null || !isElement(parent) || !holders.has(parent.name) || parent.children.length > maxParts) return false
  const [first, ...others] = parent.children.filter((child) => isElement(child) || !isEdge(child))
  return first !== undefined && isElement(first) && first.name === 'code' && others.every((other) => isElement(other) && parts.has(other.name) && isNamed(other))
}

const isNamed = ({ attribs }: Element): boolean => named.test((attribs['class'] ?? attribs['data-testid'] ?? '').slice(0, 100))

/** Whether two neighbours have names of their own, and neither is so short that it may be the end of a word. */
const areFieldsByName = (prev: Element, next: Element, shortest: number): boolean => shortest >= aWord && isNamed(prev) && isNamed(next) && prev.attribs['class'] !== next.attribs['class']

const isPlain = ({ attribs }: Element): boolean => Object.keys(attribs).length === 0

/** Whether this side of an element has no text on the same line. */
const isEdge = (node: AnyNode | null): boolean => node === null || isElement(node) || (isText(node) && /^\s*$/.test(node.data.slice(0, looked)))
