import { type AnyNode, type ChildNode, Document, Element, type ParentNode, Text } from 'domhandler'

export type { ChildNode, ParentNode }
export { Document, Element, Text }

/** What nodes call themselves, which is cheaper to compare than their classes. */
const typeOf = (name: string): Element['type'] => new Element(name, {}).type
const [ofTag, ofScript, ofStyle, ofText] = [typeOf('p'), typeOf('script'), typeOf('style'), new Text('').type]

/** Whether a node is an element. */
export function isElement(node: AnyNode): node is Element {
  return node.type === ofTag || node.type === ofScript || node.type === ofStyle
}

/** Whether a node is text. */
export function isText(node: AnyNode): node is Text {
  return node.type === ofText
}

/** The attributes of all elements that have none. Attributes inherit nothing: a name such as `constructor` is there only if the page says so. */
export const noAttributes: Record<string, string> = Object.freeze(Object.create(null))

/**
 * Makes an element in one call and with half the fields: the library's classes are four in one another, and have room for what
 * only other parsers know. All else of it is inherited from them.
 */
export const PageElement = function (this: Element, name: string, attribs: Record<string, string>): void {
  this.parent = null
  this.prev = null
  this.next = null
  this.children = []
  this.name = name
  this.attribs = attribs
  this.type = name === 'script' ? ofScript : name === 'style' ? ofStyle : ofTag
} as unknown as new (name: string, attribs: Record<string, string>) => Element // with the prototype that follows
PageElement.prototype = Element.prototype

/** The same for a text. */
export const PageText = function (this: Text, data: string): void {
  this.parent = null
  this.prev = null
  this.next = null
  this.data = data
  this.type = ofText
} as unknown as new (data: string) => Text // with the prototype that follows
PageText.prototype = Text.prototype

/** Adds a node behind the last child of a parent. */
export function append(node: Element | Text, parent: ParentNode): void {
  const last = parent.children.at(-1)
  node.parent = parent
  if (last) {
    node.prev = last
    last.next = node
    parent.children.push(node)
    // Most elements have one node, and a growing array allocates room for seventeen.
  } else parent.children = [node]
}

/** The value of an attribute. */
export const attribute = (element: Element, name: string): string | undefined => (element.attribs === noAttributes ? undefined : element.attribs[name])

/** The first 200 characters of the classes of an element: more are no names, but an attempt to cost time. */
export const classOf = (element: Element): string => (attribute(element, 'class') ?? '').slice(0, 200)

/** The first 300 characters of the classes and the id of an element. */
export const namesOf = (element: Element | undefined): string => (element === undefined ? '' : `${attribute(element, 'class') ?? ''} ${attribute(element, 'id') ?? ''}`.slice(0, 300))

/** The node after `node` and its content, in document order, inside `root`. */
function after(node: ChildNode, root: ParentNode): ChildNode | null {
  let at: ChildNode | ParentNode | null = node
  while (at && at !== root) {
    if ('next' in at && at.next) return at.next
    at = at.parent
  }
  return null
}

/** A tree as lists in document order; for each node and each element, the index after its content. */
interface Listed {
  readonly nodes: readonly ChildNode[]
  readonly ends: readonly number[]
  readonly elements: readonly Element[]
  readonly elementEnds: readonly number[]
  /** The elements by name, once anybody asks. */
  byName: ReadonlyMap<string, readonly Element[]> | null
}

/**
 * A property rather than a `WeakMap`: the young-generation collector treats the values of a weak map as alive, and these
 * values hold their own key, so that each page would live until the next full collection.
 */
const listed = Symbol('listed')
interface Settled {
  [listed]?: Listed
}
const listOf = (root: ParentNode & Settled): Listed | undefined => root[listed]

/** Caches the lists of a tree, which makes walks cheap. Call it once the tree will not change any more. */
export function settle(document: Document): void {
  Object.assign<Document, Settled>(document, { [listed]: list(document) })
}

function listBelow(root: ParentNode): Listed {
  return listOf(root) ?? list(root)
}

function list(root: ParentNode): Listed {
  const [nodes, ends, elements, elementEnds]: [ChildNode[], number[], Element[], number[]] = [[], [], [], []]
  /** Indices of the open elements in both lists. */
  const open: number[] = []
  const openElements: number[] = []
  for (let node: ChildNode | null = root.children[0] ?? null; node; ) {
    const at = nodes.length
    nodes.push(node)
    ends.push(at + 1)
    if (isElement(node)) {
      elements.push(node)
      elementEnds.push(elements.length)
      if (node.children[0]) {
        open.push(at)
        openElements.push(elements.length - 1)
        node = node.children[0]
        continue
      }
    }
    let last: ChildNode | ParentNode | null = node
    while (last && last !== root && !('next' in last && last.next)) {
      last = last.parent
      const closed = open.pop()
      if (closed === undefined) break
      ends[closed] = nodes.length
      elementEnds[openElements.pop() ?? 0] = elements.length
    }
    node = last && last !== root && 'next' in last ? last.next : null
  }
  return { nodes, ends, elements, elementEnds, byName: null }
}

/** Visits every element below `root` in document order; `visit` returns false to skip the children. */
export function walkElements(root: ParentNode, visit: (element: Element) => boolean | void): void {
  const list = listOf(root)
  if (!list) return walk(root, (node) => (isElement(node) ? visit(node) : undefined))
  const { elements, elementEnds } = list
  for (let i = 0; i < elements.length; ) {
    const element = elements[i]
    i = element && visit(element) === false ? (elementEnds[i] ?? i + 1) : i + 1
  }
}

/**
 * Visits the nodes below `root` in document order, `most` of them at most; `visit` returns false to skip the children.
 * Iterative.
 */
export function walk(root: ParentNode, visit: (node: ChildNode) => boolean | void, most = Number.POSITIVE_INFINITY): void {
  const list = listOf(root)
  let seen = 0
  if (list) {
    const { nodes, ends } = list
    for (let i = 0; i < nodes.length && seen < most; seen++) {
      const node = nodes[i]
      i = node && visit(node) === false ? (ends[i] ?? i + 1) : i + 1
    }
    return
  }
  let node: ChildNode | null = root.children[0] ?? null
  for (; node && seen < most; seen++) {
    const deeper: boolean = visit(node) !== false
    const first: ChildNode | undefined = deeper && isElement(node) ? node.children[0] : undefined
    node = first ?? node.next ?? after(node, root)
  }
}

/** Receives the nodes of a tree. `text` returns false to stop. */
export interface Visitor {
  text(node: Text): boolean
  enter(element: Element): void
  /** Leaves the element that was entered last and not left yet. */
  leave(): void
}

/** Takes a visitor over everything below `root` except what is in `removed`, in document order. Iterative. */
export function lead(visitor: Visitor, root: ParentNode, removed: ReadonlySet<ChildNode>): void {
  const { nodes, ends } = listBelow(root)
  /** Where the innermost entered element ends, and those around it. */
  let end = nodes.length
  const outer: number[] = []
  for (let i = 0; i < nodes.length; ) {
    for (; end <= i; end = outer.pop() ?? nodes.length) visitor.leave()
    const node = nodes[i]
    const behind = ends[i] ?? i + 1
    if (node === undefined || removed.has(node)) {
      i = behind
      continue
    }
    if (isText(node)) {
      if (!visitor.text(node)) return
    } else if (isElement(node)) {
      outer.push(end)
      end = behind
      visitor.enter(node)
    }
    i++
  }
  for (; outer.length > 0; outer.pop()) visitor.leave()
}

const none: readonly Element[] = []

/** The elements below `root` with that name, in document order. */
export function named(root: ParentNode, name: string): readonly Element[] {
  const list = listBelow(root)
  list.byName ??= byName(list.elements)
  return list.byName.get(name) ?? none
}

function byName(elements: readonly Element[]): ReadonlyMap<string, readonly Element[]> {
  const groups = new Map<string, Element[]>()
  for (const element of elements) {
    const group = groups.get(element.name)
    if (group === undefined) groups.set(element.name, [element])
    else group.push(element)
  }
  return groups
}

/** Every element below `root`, in document order. */
export const elements = (root: ParentNode): readonly Element[] => listBelow(root).elements

/** The text below `root` as written: at most `limit` characters, from the first `most` nodes. */
export function textOf(root: ParentNode, limit = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY): string {
  const parts: string[] = []
  let length = 0
  let node: ChildNode | null = root.children[0] ?? null
  for (let seen = 0; node && length < limit && seen < most; seen++) {
    if (isText(node)) {
      parts.push(node.data)
      length += node.data.length
    }
    const first: ChildNode | undefined = isElement(node) ? node.children[0] : undefined
    node = first ?? node.next ?? after(node, root)
  }
  return parts.join('').slice(0, limit)
}

/** White space other than single spaces, which most texts do not have. */
const ragged = /[^\S ]| {2}/

/** A text with each run of white space as one space. */
function collapsed(text: string): string {
  return ragged.test(text) ? text.replace(/\s+/g, ' ') : text
}

/** The element right behind another one; undefined where a text stands between them. */
export function elementBehind(element: Element): Element | undefined {
  let node: ChildNode | null = element.next
  while (node !== null && !isElement(node)) {
    if (isText(node) && node.data.trim() !== '') return undefined
    node = node.next
  }
  return node ?? undefined
}

/** A text in one line: white space collapsed and trimmed. */
export function oneLine(text: string): string {
  return collapsed(text).trim()
}

/** The first `limit` characters of the text below `root` in one line. Much of the text as written may be white space. */
export function openingOf(root: ParentNode, limit: number): string {
  for (let most = limit; ; most *= 4) {
    const written = textOf(root, most)
    const line = oneLine(written)
    if (line.length >= limit || written.length < most) return line.slice(0, limit)
  }
}
