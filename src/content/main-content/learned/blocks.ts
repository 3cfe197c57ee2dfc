import { blockTags } from '../../tag-sets.ts'
import { type ChildNode, type Element, isElement, isText, listBelow, type ParentNode, type Text } from '../../tree.ts'
import { TextMeasure } from './text-measure.ts'

/** A run of text without a break: what one line of the page, or one paragraph, says. */
export interface Block {
  /** The element that makes the block, as a place in the outline; -1 for text outside of all. */
  readonly at: number
  readonly texts: readonly Text[]
  /** The elements that hold these texts, as places in the outline. */
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

/** More blocks than a page has that somebody reads. */
export const maxBlocks = 3000

interface Growing {
  at: number
  texts: Text[]
  places: number[]
  measure: TextMeasure
  linkLetters: number
  links: number
}

/** Whether an element parts the text around it. */
function isBreak(element: Element): boolean {
  return blockTags.has(element.name) || element.name.includes('-')
}

/** What the text at hand stands in. */
interface Standing {
  /** The innermost element, and the one that makes the block here. */
  at: number
  owner: number
  link: boolean
  breaks: boolean
}

/** Splits the text below a root into blocks; elements are counted as `outline` counts them. Undefined when there are too many. Iterative. */
export function blocksOf(root: ParentNode, removed: ReadonlySet<ChildNode>): Blocks | undefined {
  const { nodes, ends, elements } = listBelow(root)
  const blocks: Growing[] = []
  let open: Growing | undefined
  const first = new Int32Array(elements.length)
  const end = new Int32Array(elements.length)
  let count = 0
  let breaks = 0
  const here: Standing = { at: -1, owner: -1, link: false, breaks: true }
  let behindHere = nodes.length
  /** The same of the elements that are open around the innermost one. */
  const outer: number[] = []
  const leave = (): void => {
    end[here.at] = blocks.length
    if (here.breaks) open = undefined
    const flags = outer.pop() ?? 0
    behindHere = outer.pop() ?? nodes.length
    here.owner = outer.pop() ?? -1
    here.at = outer.pop() ?? -1
    here.link = (flags & 1) !== 0
    here.breaks = (flags & 2) !== 0
  }
  for (let i = 0; i < nodes.length; ) {
    while (i >= behindHere && here.at >= 0) leave()
    const node = nodes[i]
    const behind = ends[i] ?? i + 1
    if (node === undefined || removed.has(node)) {
      i = behind
      continue
    }
    i++
    if (isText(node)) {
      if (isBlank(node.data)) {
        open?.measure.endWord()
        continue
      }
      breaks = 0
      if (open === undefined) blocks.push((open = opened(node, here)))
      else addText(open, node, here)
      if (blocks.length > maxBlocks) return undefined
    } else if (isElement(node)) {
      const { name } = node
      const parts = isBreak(node)
      if (parts || name === 'hr' || (name === 'br' && ++breaks > 1)) open = undefined
      if (name === 'br') open?.measure.endWord()
      if (name === 'a' && open !== undefined) open.links++
      outer.push(here.at, here.owner, behindHere, (here.link ? 1 : 0) | (here.breaks ? 2 : 0))
      here.at = count
      first[count++] = blocks.length
      if (parts) here.owner = here.at
      here.link ||= name === 'a'
      here.breaks = parts
      behindHere = behind
    }
  }
  while (here.at >= 0) leave()
  for (const block of blocks) block.measure.endWord()
  return { all: blocks, first, end }
}

function opened(node: Text, { owner, at, link }: Standing): Growing {
  const measure = new TextMeasure()
  measure.add(node.data)
  return { at: owner, texts: [node], places: [at], measure, linkLetters: link ? measure.letters : 0, links: link ? 1 : 0 }
}

function addText(block: Growing, node: Text, { link, at }: Standing): void {
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
