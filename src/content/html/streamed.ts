import { lastOf } from '../../lib/last-of.ts'
import { attribute, type ChildNode, type Document, type Element, isElement, type ParentNode, walk } from './tree.ts'

/** Prefix of the ids of late parts. */
export const latePart = 'S:'

/** Most late parts that are moved: no page has more, and each costs a look at its siblings. */
const maxParts = 100
/** Most marks that are open at a time. */
const maxOpen = 1000

/**
 * What stands in for late parts. React marks it by comments: `<!--$?--><template id="B:1"></template>Loading<!--/$-->`; the
 * same marks may be around other parts, also inside.
 */
export class StandIns {
  /** The last node of what stands in for a late part, by the place of the part. */
  readonly ends = new Map<ChildNode, ChildNode>()
  readonly #open: { readonly parent: ParentNode; readonly before: number }[] = []

  /** Reads a comment that follows the last child of an element. Answers whether a stand-in ends there. */
  read(comment: string, parent: ParentNode): boolean {
    if (/^(?:\$[?~!]?|&)$/.test(comment) && this.#open.length < maxOpen) this.#open.push({ parent, before: parent.children.length })
    if (comment !== '/$' && comment !== '/&') return false
    const mark = this.#open.pop()
    const place = mark?.parent === parent ? parent.children[mark.before] : undefined
    const last = lastOf(parent.children)
    if (!last || !place || !isElement(place) || place.name !== 'template' || place === last) return false
    this.ends.set(place, last)
    return true
  }
}

/**
 * Moves parts that a server sent late to their places, as the page's own script would: React sends `<div hidden id="S:1">`
 * for the place `<template id="B:1">`. What stands in for them goes. Parts without a place become visible where they are.
 */
export function settleStreams(document: Document, { ends }: StandIns): void {
  const parts: Element[] = []
  const places = new Map<string, Element>()
  walk(document, (node) => {
    if (!isElement(node)) return
    const id = attribute(node, 'id')
    if (id === undefined || id.length > 12) return
    if (node.name === 'div' && /^S:[0-9a-f]+$/.test(id) && attribute(node, 'hidden') !== undefined) parts.push(node)
    else if (node.name === 'template' && /^[BP]:[0-9a-f]+$/.test(id)) places.set(id.slice(2), node)
  })
  for (const part of parts.slice(0, maxParts)) {
    delete part.attribs['hidden']
    const place = places.get((attribute(part, 'id') ?? '').slice(2))
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
