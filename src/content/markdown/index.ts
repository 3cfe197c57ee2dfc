import { type AnyNode, type ChildNode, type Element, type ParentNode, hasChildren } from 'domhandler'
import { isElement, isText } from '../html/tree.ts'
import { followsField } from './fields.ts'
import { handlerOf } from './handlers.ts'
import { findNotes, withoutPoint } from './notes.ts'
import { type Handler, type MarkdownOptions, Page } from './page.ts'

export type { MarkdownOptions } from './page.ts'

interface Level {
  readonly nodes: readonly ChildNode[]
  next: number
  readonly element: Element | null
  readonly handler: Handler | undefined
}

/**
 * Writes a tree or a list of nodes as GitHub-flavoured markdown. The text ends in one newline, has no trailing white space,
 * and no two blank lines in a row outside code; '' for a tree without content. Linear in the size of the tree, no
 * recursion, never throws.
 */
export function toMarkdown(root: ParentNode | readonly ChildNode[], options: MarkdownOptions): string {
  const nodes = isList(root) ? root : root.type === 'root' ? root.children : [root]
  const page = new Page(options, findNotes(nodes, options.skip ?? new Set(), options.baseUrl))
  visit(nodes, page)
  page.boundary()
  return page.lines.toString()
}

function isList(root: ParentNode | readonly ChildNode[]): root is readonly ChildNode[] {
  return Array.isArray(root)
}

function visit(nodes: readonly ChildNode[], page: Page): void {
  const levels: Level[] = [{ nodes, next: 0, element: null, handler: undefined }]
  const { skip, notes } = page
  const isLeftOut = (node: AnyNode): boolean => (skip.size > 0 && skip.has(node)) || (notes.furniture.size > 0 && notes.furniture.has(node))
  for (let level = levels[0]; level; level = levels.at(-1)) {
    const node: AnyNode | undefined = level.nodes[level.next++]
    if (!node) {
      levels.pop()
      if (level.element) level.handler?.leave?.(level.element, page)
    } else if (isText(node)) {
      if (skip.size === 0 || !skip.has(node)) page.text(notes.furniture.size > 0 ? withoutPoint(node, notes) : node.data)
    } else if (hasChildren(node) && !isLeftOut(node)) {
      const element = isElement(node) ? node : null
      if (element && followsField(element, page.skip)) page.text(' ')
      if (element) page.beginPanel(element)
      const handler = element ? handlerOf(element, page) : undefined
      if (!element || !handler || handler.enter(element, page)) levels.push({ nodes: node.children, next: 0, element, handler })
    }
  }
}
