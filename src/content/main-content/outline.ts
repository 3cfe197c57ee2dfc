import { type ChildNode, type Element, isElement, isText, listBelow, type ParentNode } from '../tree.ts'

/** Numbers about every element that is left of a page. */
interface Counted {
  /** Letters in the element. */
  readonly text: Int32Array
  /** Letters inside links in the element. */
  readonly linkText: Int32Array
  /** Letters in paragraphs (`p`, `pre`, `blockquote`) in the element. */
  readonly proseText: Int32Array
  readonly links: Int32Array
  readonly images: Int32Array
  /** Punctuation that ends or parts sentences. */
  readonly commas: Int32Array
}

/**
 * Every element that is left of a page, in document order: element `i` holds the elements `i + 1` to `end[i] - 1`.
 * Text is measured in letters (white space left out; a character of an ideographic script counts as three).
 */
export interface Outline extends Counted {
  readonly elements: readonly Element[]
  readonly parent: Int32Array
  readonly end: Int32Array
  /** Letters on the page before the element starts. */
  readonly before: Int32Array
  /** Letters outside any element. */
  readonly loose: number
}

const prose: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote'])

/** Lists of numbers that an outline has. */
const lists = 9

/** An outline that is being made: room for so many elements, in one piece of memory. */
class Growing implements Outline {
  readonly elements: Element[] = []
  readonly parent: Int32Array
  readonly end: Int32Array
  readonly text: Int32Array
  readonly linkText: Int32Array
  readonly proseText: Int32Array
  readonly links: Int32Array
  readonly images: Int32Array
  readonly commas: Int32Array
  readonly before: Int32Array
  loose = 0
  read = 0

  constructor(most: number) {
    const memory = new Int32Array(lists * most)
    let at = 0
    const next = (): Int32Array => memory.subarray(at, (at += most))
    this.parent = next()
    this.end = next()
    this.text = next()
    this.linkText = next()
    this.proseText = next()
    this.links = next()
    this.images = next()
    this.commas = next()
    this.before = next()
  }

  open(element: Element, parent: number): number {
    const at = this.elements.length
    this.elements.push(element)
    this.parent[at] = parent
    if (element.name === 'a') this.links[at] = 1
    else if (element.name === 'img') this.images[at] = 1
    this.before[at] = this.read
    return at
  }

  count(data: string, at: number, link: boolean, isProse: boolean): void {
    let letters = 0
    let commas = 0
    for (let i = 0; i < data.length; i++) {
      const code = data.charCodeAt(i)
      if (code <= 32 || code === 160) continue
      letters += code >= 0x2e80 && code < 0xd7b0 ? 3 : 1
      if (code === 44 || code === 46 || code === 59 || code === 0x3001 || code === 0x3002 || code === 0xff0c || code === 0x60c) commas++
    }
    this.read += letters
    if (at < 0) {
      this.loose += letters
      return
    }
    add(this.text, at, letters)
    add(this.commas, at, commas)
    if (link) add(this.linkText, at, letters)
    if (isProse) add(this.proseText, at, letters)
  }

  /** Adds what an element holds to its parent. */
  close(at: number): void {
    this.end[at] = this.elements.length
    const parent = this.parent[at] ?? -1
    if (parent < 0) return
    add(this.text, parent, this.text[at] ?? 0)
    add(this.linkText, parent, this.linkText[at] ?? 0)
    add(this.proseText, parent, this.proseText[at] ?? 0)
    add(this.links, parent, this.links[at] ?? 0)
    add(this.images, parent, this.images[at] ?? 0)
    add(this.commas, parent, this.commas[at] ?? 0)
  }
}

function add(numbers: Int32Array, at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount
}

/** Measures what is below a root without what is in `removed`. One pass, iterative. */
export function outline(root: ParentNode, removed: ReadonlySet<ChildNode>): Outline {
  const { nodes, ends, elements } = listBelow(root)
  const o = new Growing(elements.length)
  /** Of the elements that are open around the innermost one: their places in the outline, where they end, and what they are. */
  const outer: number[] = []
  let at = -1
  let end = nodes.length
  let isLink = false
  let isProse = false
  const leave = (): void => {
    o.close(at)
    const flags = outer.pop() ?? 0
    end = outer.pop() ?? nodes.length
    at = outer.pop() ?? -1
    isLink = (flags & 1) !== 0
    isProse = (flags & 2) !== 0
  }
  for (let i = 0; i < nodes.length; ) {
    while (i >= end && at >= 0) leave()
    const node = nodes[i]
    const behind = ends[i] ?? i + 1
    if (node === undefined || removed.has(node)) {
      i = behind
      continue
    }
    if (isText(node)) o.count(node.data, at, isLink, isProse)
    else if (isElement(node)) {
      outer.push(at, end, (isLink ? 1 : 0) | (isProse ? 2 : 0))
      at = o.open(node, at)
      end = behind
      isLink ||= node.name === 'a'
      isProse ||= prose.has(node.name)
    }
    i++
  }
  while (at >= 0) leave()
  return o
}

/** Letters of a text. */
export function lettersIn(data: string): number {
  let letters = 0
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i)
    if (code > 32 && code !== 160) letters += code >= 0x2e80 && code < 0xd7b0 ? 3 : 1
  }
  return letters
}

/**
 * The same outline after more was removed: what is gone counts nowhere, and is left in place with nothing in it. Linear, and far cheaper
 * than measuring again.
 */
export function without(o: Outline, removed: ReadonlySet<ChildNode>): Outline {
  const gone = goneParts(o, removed)
  const before = o.before.slice()
  let missing = 0
  for (let i = 0; i < gone.length; i++) {
    before[i] = (before[i] ?? 0) - missing
    if (gone[i] === 1) missing += o.text[i] ?? 0
  }
  const { elements, parent, end, loose } = o
  return {
    elements, parent, end, loose, before,
    text: subtract(o, o.text, gone),
    linkText: subtract(o, o.linkText, gone),
    proseText: subtract(o, o.proseText, gone),
    links: subtract(o, o.links, gone),
    images: subtract(o, o.images, gone),
    commas: subtract(o, o.commas, gone),
  } // prettier-ignore
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

function subtract(o: Outline, numbers: Int32Array, gone: Uint8Array): Int32Array {
  const rest = numbers.slice()
  const loss = new Int32Array(gone.length)
  for (let i = gone.length - 1; i >= 0; i--) {
    const lost = gone[i] === 1 ? (numbers[i] ?? 0) : gone[i] === 2 ? 0 : (loss[i] ?? 0)
    rest[i] = gone[i] === 0 ? (rest[i] ?? 0) - lost : 0
    const parent = o.parent[i] ?? -1
    if (parent >= 0 && gone[i] !== 2) loss[parent] = (loss[parent] ?? 0) + lost
  }
  return rest
}
