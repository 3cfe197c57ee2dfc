import { attribute, type ChildNode, type Document, type Element, isElement, lead, type ParentNode, type Visitor, walkElements } from './tree.ts'

/** Elements that may have a shadow tree, besides custom elements (DOM standard, valid shadow host name). */
const hostNames: ReadonlySet<string> = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '))
/** Levels of nesting that nested slots may add; beyond that, the host's children follow the shadow tree instead. */
const maxAdded = 128

/** A declarative shadow tree. */
interface Shadow {
  readonly template: Element
  readonly host: Element
  /** The first slot of each name. */
  readonly slots: Map<string, Element>
  /** The depth of the deepest slot, and whether it fits into the allowed levels. */
  deepest: number
  fits: boolean
}

const isHost = (node: ParentNode | null): node is Element => node !== null && isElement(node) && (hostNames.has(node.name) || node.name.includes('-'))

/**
 * Renders the declarative shadow trees of a page (`<template shadowrootmode>`, HTML standard 4.12.3) as browsers do: the
 * shadow tree replaces the children of its host, which move into the slots, or disappear without a slot. Returns the number
 * of levels this adds. Linear.
 */
export function settleShadows(document: Document): number {
  const { shadows, inert } = shadowsOf(document)
  if (shadows.size === 0) return 0
  const finding = new Finding(shadows)
  lead(finding, document, inert)
  for (const shadow of shadows.values()) show(shadow)
  unwrap(finding.slots)
  return finding.added
}

/** The shadow trees by host, and all other templates. */
function shadowsOf(document: Document): { readonly shadows: ReadonlyMap<Element, Shadow>; readonly inert: ReadonlySet<ChildNode> } {
  const shadows = new Map<Element, Shadow>()
  const inert = new Set<ChildNode>()
  walkElements(document, (template) => {
    if (template.name !== 'template') return
    const mode = attribute(template, 'shadowrootmode')?.toLowerCase()
    const host = template.parent
    if ((mode === 'open' || mode === 'closed') && isHost(host) && !shadows.has(host)) {
      shadows.set(host, { template, host, slots: new Map(), deepest: 0, fits: true })
      return
    }
    inert.add(template)
    return false
  })
  return { shadows, inert }
}

/** Finds the slots of each shadow tree, and how deep the page becomes. */
class Finding implements Visitor {
  readonly slots = new Set<Element>()
  added = 0
  readonly #shadows: ReadonlyMap<Element, Shadow>
  readonly #open: Element[] = []
  /**
   * The shadow trees around the current element, with their depths; and the hosts around it, with the levels that hosts
   * inside them add.
   */
  readonly #trees: { readonly shadow: Shadow; readonly depth: number }[] = []
  readonly #hosts: { readonly shadow: Shadow; inner: number }[] = []

  constructor(shadows: ReadonlyMap<Element, Shadow>) {
    this.#shadows = shadows
  }

  text(): true {
    return true
  }

  enter(element: Element): void {
    const shadow = this.#shadows.get(element)
    if (shadow !== undefined) this.#hosts.push({ shadow, inner: 0 })
    this.#open.push(element)
    const tree = this.#trees.at(-1)
    if (element.name === 'slot' && tree !== undefined) {
      this.slots.add(element)
      const name = attribute(element, 'name') ?? ''
      if (!tree.shadow.slots.has(name)) tree.shadow.slots.set(name, element)
      tree.shadow.deepest = Math.max(tree.shadow.deepest, this.#open.length - tree.depth)
    }
    const host = element.parent
    const own = host !== null && isElement(host) ? this.#shadows.get(host) : undefined
    if (own?.template === element) this.#trees.push({ shadow: own, depth: this.#open.length })
  }

  leave(): void {
    const element = this.#open.pop()
    if (this.#trees.at(-1)?.shadow.template === element) this.#trees.pop()
    if (this.#hosts.at(-1)?.shadow.host !== element) return
    const left = this.#hosts.pop()
    if (left === undefined) return
    const { shadow, inner } = left
    shadow.fits = inner + shadow.deepest <= maxAdded
    const added = shadow.fits ? inner + shadow.deepest : inner
    const outer = this.#hosts.at(-1)
    if (outer !== undefined) outer.inner = Math.max(outer.inner, added)
    this.added = Math.max(this.added, added)
  }
}

function show({ template, host, slots, fits }: Shadow): void {
  const light = host.children.filter((child) => child !== template)
  if (!fits) return setChildren(host, [...template.children, ...light])
  const assigned = new Map<Element, ChildNode[]>()
  for (const node of light) {
    const slot = slots.get(isElement(node) ? (attribute(node, 'slot') ?? '') : '')
    if (slot === undefined) continue
    const nodes = assigned.get(slot)
    if (nodes === undefined) assigned.set(slot, [node])
    else nodes.push(node)
  }
  setChildren(host, template.children)
  for (const [slot, nodes] of assigned) setChildren(slot, nodes)
}

/** Replaces slots by their children. */
function unwrap(slots: ReadonlySet<Element>): void {
  const isSlot = (node: ChildNode | ParentNode | null): boolean => node !== null && isElement(node) && slots.has(node)
  const parents = new Set<Element>()
  for (const { parent } of slots) if (parent !== null && isElement(parent) && !isSlot(parent)) parents.add(parent)
  for (const parent of parents) {
    const children: ChildNode[] = []
    const waiting = parent.children.toReversed()
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (!isElement(node) || !isSlot(node)) children.push(node)
      else for (const child of node.children.toReversed()) waiting.push(child)
    }
    setChildren(parent, children)
  }
}

function setChildren(parent: Element, nodes: readonly ChildNode[]): void {
  parent.children = [...nodes]
  nodes.forEach((node, i) => {
    node.parent = parent
    node.prev = nodes[i - 1] ?? null
    node.next = nodes[i + 1] ?? null
  })
}
