import { type AnyNode, type ChildNode, type Element, hasChildren } from 'domhandler'
import { isText } from '../html/tree.ts'

/**
 * Visits the nodes under `root` in document order until `visit` returns `stop`; `over` skips the children of a node. No
 * recursion.
 */
export function walk(root: AnyNode, visit: (node: ChildNode) => 'into' | 'over' | 'stop'): void {
  if (hasChildren(root)) walkAll(root.children, visit)
}

/** `walk` for several nodes. */
export function walkAll(nodes: readonly ChildNode[], visit: (node: ChildNode) => 'into' | 'over' | 'stop'): void {
  const levels: { readonly nodes: readonly ChildNode[]; next: number }[] = [{ nodes, next: 0 }]
  for (let level = levels[0]; level; level = levels.at(-1)) {
    const node = level.nodes[level.next++]
    if (!node) {
      levels.pop()
      continue
    }
    const answer = visit(node)
    if (answer === 'stop') return
    if (answer === 'into' && hasChildren(node)) levels.push({ nodes: node.children, next: 0 })
  }
}

/** The text under a node, white space collapsed and trimmed, cut after about `limit` characters. */
export function textOf(root: AnyNode, skip: ReadonlySet<AnyNode>, limit = 1000): string {
  let text = ''
  let nodes = 0
  walk(root, (node) => {
    if (skip.has(node)) return 'over'
    if (isText(node)) text += node.data.slice(0, limit)
    return text.length > limit || ++nodes > limit ? 'stop' : 'into'
  })
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim()
}

/** The first text under a node that is not white space, trimmed; '' when the first hundred nodes have none. */
export function firstText(root: AnyNode, skip: ReadonlySet<AnyNode>): string {
  let text = ''
  let nodes = 0
  walk(root, (node) => {
    if (skip.has(node)) return 'over'
    if (isText(node)) text = node.data.slice(0, 1000).trim()
    return text !== '' || ++nodes > 100 ? 'stop' : 'into'
  })
  return text
}

/** An attribute as an integer, clamped to `min` and `max`; `otherwise` when it is not an integer. */
export function numberOf(value: string | undefined, bounds: { min: number; max: number; otherwise: number }): number {
  const found = value === undefined ? null : /^\s*([-+]?\d{1,12})/.exec(value)
  return found ? Math.min(bounds.max, Math.max(bounds.min, Number(found[1]))) : bounds.otherwise
}

/**
 * The class attribute in lower case with a space at each end, so that ` name ` matches a whole class; '' without classes.
 */
export function classesOf(element: Element): string {
  const value = element.attribs['class']
  return value ? ` ${value.slice(0, 2000).toLowerCase()} ` : ''
}
