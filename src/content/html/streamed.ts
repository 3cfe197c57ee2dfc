import { attribute, type ChildNode, type Document, type Element, isElement, type ParentNode, walk } from './tree.ts'

/** How ids begin on pages with late parts: of the part (React), of its place (Solid). */
export const lateId = /^(?:S:|pl-)/
/** Comments that mark where such places begin or end. */
const mark = /^(?:\$[?~!]?|&|\/[$&]|pl-[\w-]{1,60})$/
/** The longest of them, and the longest id. */
export const longestMark = 63

/** Most late parts that are moved: no page has more, and each costs a look at its siblings. */
const maxParts = 100
/** Most marks that are open at a time. */
const maxOpen = 1000

/**
 * What stands in for late parts. React marks it by comments: `<!--$?--><template id="B:1"></template>Loading<!--/$-->`; the
 * same marks may be around other parts, also inside. Solid: `<template id="pl-1"></template>Loading<!--pl-1-->`.
 */
export class StandIns {
  /** The last node of what stands in for a late part, by the place of the part. */
  readonly ends = new Map<ChildNode, ChildNode>()
  #looks = 0
  readonly #open: { readonly parent: ParentNode; readonly before: number }[] = []

  /** Reads a comment that follows the last child of an element. Answers whether a stand-in ends there. */
  read(comment: string, parent: ParentNode): boolean {
    if (!mark.test(comment)) return false
    const place = this.#placeAt(comment, parent)
    const last = parent.children.at(-1)
    if (!last || !place || !isElement(place) || place.name !== 'template' || place === last || this.ends.size >= maxParts) return false
    this.ends.set(place, last)
    return true
  }

  /** The place whose stand-in ends with a comment. */
  #placeAt(comment: string, parent: ParentNode): ChildNode | undefined {
    if (comment.startsWith('pl-')) return this.ends.size < maxParts && this.#looks++ < maxParts ? parent.children.findLast((child) => isElement(child) && attribute(child, 'id') === comment) : undefined
    if (!comment.startsWith('/')) {
      if (this.#open.length < maxOpen) this.#open.push({ parent, before: parent.children.length })
      return undefined
    }
    const begin = this.#open.pop()
    return begin?.parent === parent ? parent.children[begin.before] : undefined
  }
}

/**
 * Moves parts that a server sent late to their places, as the page's own script would: React sends `<div hidden id="S:1">`
 * for the place `<template id="B:1">`, Solid `<template id="1">` for `<template id="pl-1">`. What stands in for them goes.
 * React's parts without a place become visible where they are.
 */
export function settleStreams(document: Document, { ends }: StandIns): void {
  const parts: Element[] = []
  const templates: Element[] = []
  /** By the id of the part that belongs there. */
  const places = new Map<string, Element>()
  walk(document, (node) => {
    const id = isElement(node) ? attribute(node, 'id') : undefined
    if (!isElement(node) || id === undefined || id.length > longestMark) return
    if (node.name === 'div' && /^S:[0-9a-f]+$/.test(id) && attribute(node, 'hidden') !== undefined) parts.push(node)
    if (node.name !== 'template') return
    if (/^[BP]:[0-9a-f]+$/.test(id)) places.set(`S:${id.slice(2)}`, node)
    else if (id.startsWith('pl-')) places.set(id.slice(3), node)
    else templates.push(node)
  })
  const placeOf = (part: Element): Element | undefined => places.get(attribute(part, 'id') ?? '')
  for (const part of [...parts, ...templates.filter(placeOf)].slice(0, maxParts)) {
    delete part.attribs['hidden']
    part.name = 'div'
    const place = placeOf(part)
    if (!place || contains(part, place)) continue
    const end = ends.get(place)
    if (end) removeAfter(place, end)
    move(part, place)
  }
}

function contains(outer: Element, inner: ChildNode): boolean {
  for (let at: ParentNode | null = inner.parent; at; at = isElement(at) ? at.parent : null) {
    if (at === outer) return true
  }
  return false
}

/** Removes the siblings after a node up to another. */
function removeAfter(node: ChildNode, last: ChildNode): void {
  const siblings = node.parent?.children ?? []
  const from = siblings.indexOf(node)
  const to = siblings.indexOf(last, from)
  if (to < 0) return
  for (const gone of siblings.splice(from + 1, to - from)) gone.parent = null
  node.next = siblings[from + 1] ?? null
  if (node.next) node.next.prev = node
}

/** Replaces `place` by `part`. */
function move(part: Element, place: Element): void {
  const from = part.parent
  const to = place.parent
  if (!from || !to) return
  from.children.splice(from.children.indexOf(part), 1)
  if (part.prev) part.prev.next = part.next
  if (part.next) part.next.prev = part.prev
  to.children[to.children.indexOf(place)] = part
  part.parent = to
  part.prev = place.prev
  part.next = place.next
  if (part.prev) part.prev.next = part
  if (part.next) part.next.prev = part
}
