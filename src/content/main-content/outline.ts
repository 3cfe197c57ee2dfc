import { lastOf } from '../../lib/last-of.ts'
import { type ChildNode, type Element, isElement, isText, type ParentNode } from '../tree.ts'

/**
 * Numbers about every element that is left of a page, in document order: element `i` holds the elements `i + 1` to `end[i] - 1`.
 * Text is measured in letters (white space left out; a character of an ideographic script counts as three).
 */
export interface Outline {
  readonly elements: readonly Element[]
  readonly parent: readonly number[]
  readonly end: readonly number[]
  /** Letters in the element. */
  readonly text: readonly number[]
  /** Letters inside links in the element. */
  readonly linkText: readonly number[]
  /** Letters in paragraphs (`p`, `pre`, `blockquote`) in the element. */
  readonly proseText: readonly number[]
  readonly links: readonly number[]
  readonly images: readonly number[]
  /** Punctuation that ends or parts sentences. */
  readonly commas: readonly number[]
  /** Letters on the page before the element starts. */
  readonly before: readonly number[]
  /** Letters outside any element. */
  readonly loose: number
}

const prose: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote'])

interface Growing {
  elements: Element[]
  parent: number[]
  end: number[]
  text: number[]
  linkText: number[]
  proseText: number[]
  links: number[]
  images: number[]
  commas: number[]
  before: number[]
  loose: number
  read: number
}

/** Measures what is below a root without what is in `removed`. One pass, iterative. */
export function outline(root: ParentNode, removed: ReadonlySet<ChildNode>): Outline {
  const o: Growing = { elements: [], parent: [], end: [], text: [], linkText: [], proseText: [], links: [], images: [], commas: [], before: [], loose: 0, read: 0 }
  const stack: { children: readonly ChildNode[]; next: number; at: number; link: boolean; prose: boolean }[] = [
    { children: root.children, next: 0, at: -1, link: false, prose: false },
  ]
  for (let level = lastOf(stack); level; level = lastOf(stack)) {
    const node = level.children[level.next++]
    if (!node) {
      stack.pop()
      close(o, level.at)
    } else if (removed.has(node)) {
      continue
    } else if (isText(node)) {
      if (level.at >= 0) count(o, level.at, node.data, level)
      else addLoose(o, node.data)
    } else if (isElement(node)) {
      const at = open(o, node, level.at)
      const link = level.link || node.name === 'a'
      stack.push({ children: node.children, next: 0, at, link, prose: level.prose || prose.has(node.name) })
    }
  }
  return o
}

function open(o: Growing, element: Element, parent: number): number {
  const at = o.elements.length
  o.elements.push(element)
  o.parent.push(parent)
  o.end.push(at + 1)
  o.text.push(0)
  o.linkText.push(0)
  o.proseText.push(0)
  o.links.push(element.name === 'a' ? 1 : 0)
  o.images.push(element.name === 'img' ? 1 : 0)
  o.commas.push(0)
  o.before.push(o.read)
  return at
}

function count(o: Growing, at: number, data: string, level: { link: boolean; prose: boolean }): void {
  const { letters, commas } = measure(data)
  o.read += letters
  add(o.text, at, letters)
  add(o.commas, at, commas)
  if (level.link) add(o.linkText, at, letters)
  if (level.prose) add(o.proseText, at, letters)
}

function addLoose(o: Growing, data: string): void {
  const { letters } = measure(data)
  o.loose += letters
  o.read += letters
}

/** Adds what an element holds to its parent. */
function close(o: Growing, at: number): void {
  if (at < 0) return
  o.end[at] = o.elements.length
  const parent = o.parent[at] ?? -1
  if (parent < 0) return
  add(o.text, parent, o.text[at] ?? 0)
  add(o.linkText, parent, o.linkText[at] ?? 0)
  add(o.proseText, parent, o.proseText[at] ?? 0)
  add(o.links, parent, o.links[at] ?? 0)
  add(o.images, parent, o.images[at] ?? 0)
  add(o.commas, parent, o.commas[at] ?? 0)
}

function add(numbers: number[], at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount
}

/** Letters and sentence punctuation of a text. */
export function measure(data: string): { letters: number; commas: number } {
  let letters = 0
  let commas = 0
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i)
    if (code <= 32 || code === 160) continue
    letters += code >= 0x2e80 && code < 0xd7b0 ? 3 : 1
    if (code === 44 || code === 46 || code === 59 || code === 0x3001 || code === 0x3002 || code === 0xff0c || code === 0x60c) commas++
  }
  return { letters, commas }
}

/**
 * The same outline after more was removed: what is gone counts nowhere, and is left in place with nothing in it. Linear, and far cheaper
 * than measuring again.
 */
export function without(o: Outline, removed: ReadonlySet<ChildNode>): Outline {
  const gone = goneParts(o, removed)
  const fields = ['text', 'linkText', 'proseText', 'links', 'images', 'commas'] as const
  const rest = fields.map((field) => subtract(o, o[field], gone))
  const [text = [], linkText = [], proseText = [], links = [], images = [], commas = []] = rest
  let missing = 0
  const before = o.before.map((letters, i) => {
    const value = letters - missing
    if (gone[i] === 1) missing += o.text[i] ?? 0
    return value
  })
  return { ...o, text, linkText, proseText, links, images, commas, before }
}

/** 1 for the head of a removed part, 2 for what is inside one, else 0. */
function goneParts(o: Outline, removed: ReadonlySet<ChildNode>): Uint8Array {
  const gone = new Uint8Array(o.elements.length)
  for (let i = 0; i < gone.length; i++) {
    const element = o.elements[i]
    if (!element || !removed.has(element)) continue
    gone.fill(2, i, o.end[i])
    gone[i] = 1
    i = (o.end[i] ?? i + 1) - 1
  }
  return gone
}

function subtract(o: Outline, numbers: readonly number[], gone: Uint8Array): number[] {
  const rest = numbers.slice()
  const loss = new Int32Array(rest.length)
  for (let i = rest.length - 1; i >= 0; i--) {
    const lost = gone[i] === 1 ? (numbers[i] ?? 0) : gone[i] === 2 ? 0 : (loss[i] ?? 0)
    rest[i] = gone[i] === 0 ? (rest[i] ?? 0) - lost : 0
    const parent = o.parent[i] ?? -1
    if (parent >= 0 && gone[i] !== 2) loss[parent] = (loss[parent] ?? 0) + lost
  }
  return rest
}
