import { imageSource } from './images.ts'
import { isNonContent } from './non-content.ts'
import { append, type ChildNode, Document, Element, isElement, isText, type ParentNode, Text } from './tree.ts'

/** Replaced by their content: these elements mean nothing outside the page. */
const transparent: ReadonlySet<string> = new Set(['html', 'body', 'noscript'])

/**
 * Copies the roots without what is in `removed`. Lazily loaded images get their real address. Roots inside other roots are
 * copied once. Iterative, linear.
 */
export function copy(roots: readonly (Document | Element)[], removed: ReadonlySet<ChildNode>): Document {
  const document = new Document([])
  for (const root of roots) {
    if (isElement(root)) copyTree(root, document, removed)
    else for (const child of root.children) copyTree(child, document, removed)
  }
  return document
}

function copyTree(start: ChildNode, into: ParentNode, removed: ReadonlySet<ChildNode>): void {
  /** Nodes to copy, and for each the parent of its copy. */
  const waiting: ChildNode[] = [start]
  const targets: ParentNode[] = [into]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const parent = targets.pop() ?? into
    if (removed.has(node)) continue
    if (isText(node)) append(new Text(node.data), parent)
    if (!isElement(node) || isNonContent(node)) continue
    let target: ParentNode = parent
    if (!transparent.has(node.name)) {
      const element = new Element(node.name, attributesOf(node))
      append(element, parent)
      target = element
    }
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i]
      if (child === undefined) continue
      waiting.push(child)
      targets.push(target)
    }
  }
}

function attributesOf(element: Element): Record<string, string> {
  if (element.name !== 'img') return element.attribs
  const real = imageSource(element)
  return real === undefined || real === element.attribs['src'] ? element.attribs : { ...element.attribs, src: real }
}
