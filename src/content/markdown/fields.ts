import { type AnyNode, type Element, isTag, isText } from 'domhandler'
import { textOf } from './dom.ts'

const parts: ReadonlySet<string> = new Set(['span', 'strong', 'b', 'em', 'i', 'small', 'time', 'a'])
/** Not paragraphs: what writes those may have cut a word in two. */
const holders: ReadonlySet<string> = new Set(['div', 'li', 'td', 'th', 'dd', 'dt', 'a', 'button', 'section', 'header', 'time', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
/** A name for what is in an element, rather than one that a program gave it. */
const named = /[a-z]{4}/i
/** Characters of a part that are looked at, more than a field has; and those of the first, which is a number or more than a letter set apart. */
const looked = 80
const fewest = 2
const ends = /[\p{L}\p{N}%)]$/u
const begins = /^(?:[\p{L}\p{N}$€£¥+]|\(\d)/u
/** Parts of a box, and blanks between them, that are looked at. */
const maxParts = 16
/** The end of the one and the beginning of the other: a word that was cut in two, and scripts that part no words. */
const goesOn = /\p{L}\p{Ll}|[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]/u

/** Whether an element and the one right before it are fields of a record that only the styles of the page set apart: `Weight`, `1.4 kg`. */
export function followsField(element: Element, skip: ReadonlySet<AnyNode>): boolean {
  const { prev, next, parent } = element
  if (prev === null || !isTag(prev) || !parts.has(element.name)) return false
  if (isOfCode(element)) return true
  if (!parts.has(prev.name)) return false
  if (parent === null || !isTag(parent) || !holders.has(parent.name) || !(prev.name !== element.name || isNamed(prev) || isNamed(element) || (isPlain(prev) && isPlain(element))) || !isEdge(prev.prev) || !isEdge(next)) return false
  const before = textOf(prev, skip, looked)
  const after = textOf(element, skip, looked)
  if (before.length >= looked || before.length < (/^\d\p{Lu}/u.test(before + after) ? 1 : fewest)) return false
  return ends.test(before) && begins.test(after) && !goesOn.test(before.slice(-1) + after.charAt(0))
}

/** Whether an element says more of the name in code that begins its box, as the type of a parameter: nothing but such parts is in there. */
function isOfCode(element: Element): boolean {
  const { parent } = element
  if (!isNamed(element) || parent === null || !isTag(parent) || !holders.has(parent.name) || parent.children.length > maxParts) return false
  const [first, ...others] = parent.children.filter((child) => isTag(child) || !isEdge(child))
  return first !== undefined && isTag(first) && first.name === 'code' && others.every((other) => isTag(other) && parts.has(other.name) && isNamed(other))
}

const isNamed = ({ attribs }: Element): boolean => named.test((attribs['class'] ?? '').slice(0, 100))

const isPlain = ({ attribs }: Element): boolean => Object.keys(attribs).length === 0

/** Whether there is no text of the same line right beside. */
const isEdge = (node: AnyNode | null): boolean => node === null || isTag(node) || (isText(node) && /^\s*$/.test(node.data.slice(0, looked)))
