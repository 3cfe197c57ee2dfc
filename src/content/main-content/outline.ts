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
  readonly index: ReadonlyMap<Element, number>
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
  index: Map<Element, number>
  loose: number
}

/** Measures what is below a root without what is in `removed`. One pass, iterative. */
export function outline(root: ParentNode, removed: ReadonlySet<ChildNode>): Outline {
  const o: Growing = { elements: [], parent: [], end: [], text: [], linkText: [], proseText: [], links: [], images: [], commas: [], index: new Map(), loose: 0 }
  const stack: { children: readonly ChildNode[]; next: number; at: number; link: boolean; prose: boolean }[] = [
    { children: root.children, next: 0, at: -1, link: false, prose: false },
  ]
  for (let level = stack[stack.length - 1]; level; level = stack[stack.length - 1]) {
    const node = level.children[level.next++]
    if (!node) {
      stack.pop()
      close(o, level.at)
    } else if (removed.has(node)) {
      continue
    } else if (isText(node)) {
      if (level.at >= 0) count(o, level.at, node.data, level)
      else o.loose += measure(node.data).letters
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
  o.index.set(element, at)
  return at
}

function count(o: Growing, at: number, data: string, level: { link: boolean; prose: boolean }): void {
  const { letters, commas } = measure(data)
  add(o.text, at, letters)
  add(o.commas, at, commas)
  if (level.link) add(o.linkText, at, letters)
  if (level.prose) add(o.proseText, at, letters)
}

/** Adds what an element holds to its parent. */
function close(o: Growing, at: number): void {
  if (at < 0) return
  o.end[at] = o.elements.length
  const parent = o.parent[at] ?? -1
  if (parent < 0) return
  for (const numbers of [o.text, o.linkText, o.proseText, o.links, o.images, o.commas]) add(numbers, parent, numbers[at] ?? 0)
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
