import { attribute, type Element } from '../../../html/tree.ts'
import { isIdle } from './records/facts.ts'
import type { Frame } from '../frame.ts'
import { isIn, lineOf } from './lines.ts'

/** Boxes around what opens a text, and most letters of it. */
const mostBoxes = 4
const longest = 300

const edges: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'form'])

/**
 * Keeps what opens a kept text: the summary of details, the title of a part that unfolds (`aria-controls`,
 * `aria-expanded`). The trees take short ones for controls.
 */
export function keepOpeners(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, rules, seen } = frame
  for (let i = 0; i < o.elements.length; i++) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    // What hardly any element passes is asked first.
    if (end - first !== 1 || kept[first] === 1 || kept[end] !== 1 || seen[first] === 1 || rules.verdict[i] !== 0 || (o.text[i] ?? 0) > longest) continue
    const [element, block] = [o.elements[i], blocks.all[first]]
    if (element === undefined || block === undefined || !opens(element)) continue
    if (isDirectlyBelow(frame, i, end) && !isIdle(lineOf(block)) && !isIn(frame, block, edges)) kept[first] = 1
  }
}

/** Whether an element opens what stands below it; menus open beside the text, and tabs are named with their panels. */
function opens(element: Element): boolean {
  if (element.name === 'summary') return true
  if (attribute(element, 'aria-expanded') === undefined && attribute(element, 'aria-controls') === undefined) return false
  return attribute(element, 'aria-haspopup') === undefined && attribute(element, 'role') !== 'tab'
}

/** Whether a block stands in the element after one, or after the boxes that hold nothing else. */
function isDirectlyBelow({ outline: o, blocks }: Frame, i: number, block: number): boolean {
  for (let at = i, boxes = 0; at >= 0 && boxes <= mostBoxes; at = o.parent[at] ?? -1, boxes++) {
    if (blocks.first[at] !== block - 1) return false
    const next = o.end[at] ?? 0
    if (o.elements[next] !== undefined && o.parent[next] === o.parent[at] && blocks.first[next] === block && (blocks.end[next] ?? 0) > block) return true
    if (blocks.end[at] !== block) return false
  }
  return false
}
