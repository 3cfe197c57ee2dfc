import { blockTags } from '../../html/tag-sets.ts'
import { type ChildNode, type Element, elements, lead, type ParentNode, type Text, type Visitor } from '../../html/tree.ts'
import { TextMeasure } from './features/text-measure.ts'

/** A run of text without a break: a line of the page, or a paragraph. */
export interface Block {
  /** The element that makes the block, as an index into the outline; -1 for text outside of all elements. */
  readonly at: number
  readonly texts: readonly Text[]
  /** The elements that hold these texts, as indices into the outline. */
  readonly places: readonly number[]
  readonly measure: TextMeasure
  readonly linkLetters: number
  readonly links: number
}

/** The blocks of a page, and which of them each element of the outline holds: `first[i]` to `end[i] - 1`. */
export interface Blocks {
  readonly all: readonly Block[]
  readonly first: Int32Array
  readonly end: Int32Array
}

/** No page that is meant for reading has more blocks. */
const maxBlocks = 3000

interface Growing {
  at: number
  texts: Text[]
  places: number[]
  measure: TextMeasure
  linkLetters: number
  links: number
}

/** Whether an element breaks the line of the text around it. */
function isBreak(element: Element): boolean {
  return blockTags.has(element.name) || element.name.includes('-')
}

/** Flags that an element passes on to its children. */
const inLink = 1
const breaksHere = 2

/** Cuts the text that it visits into blocks. */
class Cutting implements Visitor {
  readonly blocks: Growing[] = []
  readonly first: Int32Array
  readonly end: Int32Array
  #open: Growing | undefined
  #count = 0
  /** Line breaks since the last text. */
  #breaks = 0
  /** The innermost element, the element that makes blocks there, and its flags. */
  #at = -1
  #owner = -1
  #flags = 0
  /** A stack of those three for the elements around, three numbers each. */
  readonly #outer: number[] = []

  constructor(most: number) {
    this.first = new Int32Array(most)
    this.end = new Int32Array(most)
  }

  enter(element: Element): void {
    const { name } = element
    const parts = isBreak(element)
    if (parts || name === 'hr' || (name === 'br' && ++this.#breaks > 1)) this.#open = undefined
    if (name === 'br') this.#open?.measure.endWord()
    if (name === 'a' && this.#open !== undefined) this.#open.links++
    this.#outer.push(this.#at, this.#owner, this.#flags)
    this.#at = this.#count++
    this.first[this.#at] = this.blocks.length
    if (parts) this.#owner = this.#at
    this.#flags = (this.#flags & inLink) | (name === 'a' ? inLink : 0) | (parts ? breaksHere : 0)
  }

  text(node: Text): boolean {
    if (isBlank(node.data)) {
      this.#open?.measure.endWord()
      return true
    }
    this.#breaks = 0
    const link = (this.#flags & inLink) !== 0
    if (this.#open === undefined) this.blocks.push((this.#open = this.#opened(node, link)))
    else addText(this.#open, node, { at: this.#at, link })
    return this.blocks.length <= maxBlocks
  }

  leave(): void {
    this.end[this.#at] = this.blocks.length
    if (this.#flags & breaksHere) this.#open = undefined
    this.#flags = this.#outer.pop() ?? 0
    this.#owner = this.#outer.pop() ?? -1
    this.#at = this.#outer.pop() ?? -1
  }

  #opened(node: Text, link: boolean): Growing {
    const measure = new TextMeasure()
    measure.add(node.data)
    return { at: this.#owner, texts: [node], places: [this.#at], measure, linkLetters: link ? measure.letters : 0, links: link ? 1 : 0 }
  }
}

/**
 * Splits the text below a root into blocks; elements are numbered as `outline` numbers them. Undefined when there are too
 * many blocks. Iterative.
 */
export function blocksOf(root: ParentNode, removed: ReadonlySet<ChildNode>): Blocks | undefined {
  const cutting = new Cutting(elements(root).length)
  lead(cutting, root, removed)
  const { blocks, first, end } = cutting
  if (blocks.length > maxBlocks) return undefined
  for (const block of blocks) block.measure.endWord()
  return { all: blocks, first, end }
}

function addText(block: Growing, node: Text, { link, at }: { readonly link: boolean; readonly at: number }): void {
  const before = block.measure.letters
  block.measure.add(node.data)
  block.texts.push(node)
  block.places.push(at)
  if (link) block.linkLetters += block.measure.letters - before
}

function isBlank(data: string): boolean {
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i)
    if (code > 32 && code !== 160 && code !== 0x200b && code !== 0xfeff) return false
  }
  return true
}
