import type { AnyNode, Element } from 'domhandler'
import { isElement } from '../html/tree.ts'
import { classesOf, textOf, walk } from './dom.ts'

/** Classes of a line that was added or removed: Shiki (VitePress), Expressive Code (Starlight). */
const added = / (?:diff add|add diff|ins) /
const removed = / (?:diff remove|remove diff|del) /
/** Nodes of a block among which such a line is looked for. */
const maxNodes = 20_000

/** The sign that a style sheet draws before a line of code: `+`, `-`, or a space. */
export function signOf(line: Element): string {
  const classes = classesOf(line)
  return added.test(classes) ? '+' : removed.test(classes) ? '-' : ' '
}

/** Whether a code block shows what changes between two versions, with signs that are not in its text. */
export function isDiff(block: Element, skip: ReadonlySet<AnyNode>, isLine: (element: Element) => boolean): boolean {
  let found = false
  let nodes = 0
  walk(block, (node) => {
    if (skip.has(node)) return 'over'
    if (found || ++nodes > maxNodes) return 'stop'
    if (!isElement(node) || !isLine(node)) return 'into'
    const sign = signOf(node)
    found = sign !== ' ' && !textOf(node, skip, 40).startsWith(sign)
    return found ? 'stop' : 'over'
  })
  return found
}
