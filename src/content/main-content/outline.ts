import { type ChildNode, type Element, elements, lead, type ParentNode, type Text, type Visitor } from '../html/tree.ts'

/** Numbers per element of a page. */
interface Counted {
  /** Letters in the element. */
  readonly text: Int32Array
  /** Letters inside links in the element. */
  readonly linkText: Int32Array
  /** Letters in paragraphs (`p`, `pre`, `blockquote`) in the element. */
  readonly proseText: Int32Array
  readonly links: Int32Array
  readonly images: Int32Array
  /** Punctuation that ends or separates sentences. */
  readonly commas: Int32Array
}

/**
 * All remaining elements of a page, in document order: element `i` holds the elements `i + 1` to `end[i] - 1`. Text is
 * measured in *letters*: characters without white space; a character of an East Asian script counts as three.
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

/** Arrays for at most this many elements, in one piece of memory. */
function numbersOf(most: number): Omit<Outline, 'elements' | 'loose'> {
  const memory = new Int32Array(9 * most)
  let at = 0
  const next = (): Int32Array => memory.subarray(at, (at += most))
  return { parent: next(), end: next(), text: next(), linkText: next(), proseText: next(), links: next(), images: next(), commas: next(), before: next() }
}

/** Flags that an element passes on to its children. */
const inLink = 1
const inProse = 2

/** Measures what it visits. */
class Measuring implements Visitor {
  readonly elements: Element[] = []
  readonly numbers: ReturnType<typeof numbersOf>
  loose = 0
  #read = 0
  /** The innermost element, and its flags. */
  #at = -1
  #flags = 0
  /** A stack of the flags of the elements around. */
  readonly #outer: number[] = []

  constructor(most: number) {
    this.numbers = numbersOf(most)
  }

  enter(element: Element): void {
    const { parent, links, images, before } = this.numbers
    const at = this.elements.push(element) - 1
    parent[at] = this.#at
    before[at] = this.#read
    this.#at = at
    this.#outer.push(this.#flags)
    if (element.name === 'a') {
      links[at] = 1
      this.#flags |= inLink
    } else if (element.name === 'img' || element.name === 'amp-img' || element.name === 'amp-anim') images[at] = 1
    else if (prose.has(element.name)) this.#flags |= inProse
  }

  text({ data }: Text): true {
    const at = this.#at
    let letters = 0
    let commas = 0
    for (let i = 0; i < data.length; i++) {
      const code = data.charCodeAt(i)
      if (code > 59 && code < 127) {
        letters++ // The common case first: most characters need no further test.
        continue
      }
      if (code <= 32 || code === 160) continue
      letters += code >= 0x2e80 && code < 0xd7b0 ? 3 : 1
      if (code === 44 || code === 46 || code === 59 || code === 0x3001 || code === 0x3002 || code === 0xff0c || code === 0x60c) commas++
    }
    this.#read += letters
    if (at < 0) {
      this.loose += letters
      return true
    }
    const { numbers } = this
    add(numbers.text, at, letters)
    add(numbers.commas, at, commas)
    if (this.#flags & inLink) add(numbers.linkText, at, letters)
    if (this.#flags & inProse) add(numbers.proseText, at, letters)
    return true
  }

  /** Adds the numbers of an element to its parent. */
  leave(): void {
    const at = this.#at
    const { end, parent: parents, text, linkText, proseText, links, images, commas } = this.numbers
    const parent = parents[at] ?? -1
    end[at] = this.elements.length
    this.#at = parent
    this.#flags = this.#outer.pop() ?? 0
    if (parent < 0) return
    add(text, parent, text[at] ?? 0)
    add(linkText, parent, linkText[at] ?? 0)
    add(proseText, parent, proseText[at] ?? 0)
    add(links, parent, links[at] ?? 0)
    add(images, parent, images[at] ?? 0)
    add(commas, parent, commas[at] ?? 0)
  }
}

function add(numbers: Int32Array, at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount
}

/** Measures everything below a root except what is in `removed`. One pass, iterative. */
export function outline(root: ParentNode, removed: ReadonlySet<ChildNode>): Outline {
  const measuring = new Measuring(elements(root).length)
  lead(measuring, root, removed)
  return { elements: measuring.elements, loose: measuring.loose, ...measuring.numbers }
}

/** Letters in a text. */
export function lettersIn(data: string): number {
  let letters = 0
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i)
    if (code > 32 && code !== 160) letters += code >= 0x2e80 && code < 0xd7b0 ? 3 : 1
  }
  return letters
}

/**
 * The same outline after more nodes were removed: removed elements stay in place with zeros, and count nowhere. Linear, and
 * far cheaper than measuring again.
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
  }
}

/** 1 for the head of a removed part, 2 for what is inside one, otherwise 0. */
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
