import { lastOf } from '../../../lib/last-of.ts'
import { blockTags } from '../../tag-sets.ts'
import { type ChildNode, type Element, isElement, isText, type ParentNode, type Text } from '../../tree.ts'
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
  readonly first: readonly number[]
  readonly end: readonly number[]
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

interface Level {
  readonly children: readonly ChildNode[]
  next: number
  readonly at: number
  /** The element that makes the block here. */
  readonly owner: number
  readonly link: boolean
  readonly breaks: boolean
}

/** Whether an element parts the text around it. */
function isBreak(element: Element): boolean {
  return blockTags.has(element.name) || element.name.includes('-')
}

/** Splits the text below a root into blocks; elements are counted as `outline` counts them. Undefined when there are too many. Iterative. */
export function blocksOf(root: ParentNode, removed: ReadonlySet<ChildNode>): Blocks | undefined {
  const blocks: Growing[] = []
  let open: Growing | undefined
  const first: number[] = []
  const end: number[] = []
  let breaks = 0
  const stack: Level[] = [{ children: root.children, next: 0, at: -1, owner: -1, link: false, breaks: true }]
  for (let level = stack[0]; level; level = lastOf(stack)) {
    const node = level.children[level.next++]
    if (!node) {
      stack.pop()
      if (level.at >= 0) end[level.at] = blocks.length
      if (level.breaks) open = undefined
    } else if (removed.has(node)) {
      continue
    } else if (isText(node)) {
      if (isBlank(node.data)) {
        open?.measure.endWord()
        continue
      }
      breaks = 0
      if (open === undefined) blocks.push((open = { at: level.owner, texts: [], places: [], measure: new TextMeasure(), linkLetters: 0, links: 0 }))
      addText(open, node, level)
      if (blocks.length > maxBlocks) return undefined
    } else if (isElement(node)) {
      const at = first.length
      const parts = isBreak(node)
      if (parts || node.name === 'hr' || (node.name === 'br' && ++breaks > 1)) open = undefined
      if (node.name === 'br') open?.measure.endWord()
      if (node.name === 'a' && open !== undefined) open.links++
      first.push(blocks.length)
      stack.push({ children: node.children, next: 0, at, owner: parts ? at : level.owner, link: level.link || node.name === 'a', breaks: parts })
    }
  }
  for (const block of blocks) block.measure.endWord()
  return { all: blocks, first, end }
}

function addText(block: Growing, node: Text, level: Level): void {
  const before = block.measure.letters
  if (level.link && block.texts.length === 0) block.links++
  block.measure.add(node.data)
  block.texts.push(node)
  block.places.push(level.at)
  const letters = block.measure.letters - before
  if (level.link) block.linkLetters += letters
}

function isBlank(data: string): boolean {
  for (let i = 0; i < data.length; i++) {
    const code = data.charCodeAt(i)
    if (code > 32 && code !== 160 && code !== 0x200b && code !== 0xfeff) return false
  }
  return true
}
