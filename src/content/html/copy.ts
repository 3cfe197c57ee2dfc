import { counted } from './counted.ts'
import { imageSource } from './images.ts'
import { isNonContent } from './non-content.ts'
import { append, type ChildNode, classOf, Document, type Element, isElement, isText, noAttributes, PageElement, PageText, type ParentNode } from './tree.ts'

/** What is written in another way than it stands. */
export interface Rewritten {
  /** Elements that become a block with a line. */
  readonly choices?: ReadonlyMap<ChildNode, string> | undefined
  /** The element that becomes a heading of the first rank. */
  readonly title?: Element | undefined
}

/** A number as far as a script has counted, and most characters of one. */
const aCount = /^\s*\d[\d.,]*\s*$/
const longestCount = 20
/** What is called a counter, by whole words: a country, a discount and a countdown are none. */
const counter = /(?:^|[\s_-])(?:counts?(?![_-]?down)|countup|countto|counterup|odometer|(?!encounter)[a-z\d]*counter)(?:$|[\s_-])/i

/** Replaced by their content: these elements mean nothing outside the page. */
const transparent: ReadonlySet<string> = new Set(['html', 'body', 'noscript'])

/**
 * Copies the roots without what is in `removed`. Lazily loaded images get their real address. Roots inside other roots are
 * copied once. Iterative, linear.
 */
export function copy(roots: readonly (Document | Element)[], removed: ReadonlySet<ChildNode>, rewritten: Rewritten = {}): Document {
  const document = new Document([])
  for (const root of roots) {
    if (isElement(root)) copyTree(root, document, removed, rewritten)
    else for (const child of root.children) copyTree(child, document, removed, rewritten)
  }
  return document
}

function copyTree(start: ChildNode, into: ParentNode, removed: ReadonlySet<ChildNode>, { choices, title }: Rewritten): void {
  /** Nodes to copy, and for each the parent of its copy. */
  const waiting: ChildNode[] = [start]
  const targets: ParentNode[] = [into]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const parent = targets.pop() ?? into
    if (removed.has(node)) continue
    const line = choices?.get(node)
    if (line !== undefined) {
      const block = new PageElement('div', noAttributes)
      append(block, parent)
      append(new PageText(line), block)
      continue
    }
    if (isText(node)) {
      const of = node.data.length < longestCount && aCount.test(node.data) ? node.parent : null
      append(new PageText(of !== null && isElement(of) && counter.test(classOf(of)) ? counted(node, of) : node.data), parent)
    }
    if (!isElement(node) || isNonContent(node)) continue
    let target: ParentNode = parent
    if (!transparent.has(node.name)) {
      const element = new PageElement(node.name, node === title ? withAttributes(node, { role: 'heading', 'aria-level': '1' }) : attributesOf(node))
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
  return real === undefined || real === element.attribs['src'] ? element.attribs : withAttributes(element, { src: real })
}

const withAttributes = ({ attribs }: Element, others: Record<string, string>): Record<string, string> => Object.assign(Object.create(null), attribs, others)
