import { attribute, type ChildNode, type Document, type Element, isElement, type ParentNode, walk } from './tree.ts'

/** Prefix of the ids of late parts. */
export const latePart = 'S:'

/** Most late parts that are moved: no page has more, and each costs a look at its siblings. */
const maxParts = 100

/**
 * Moves parts that a server sent late to their places, as the page's own script would: React sends `<div hidden id="S:1">`
 * for the place `<template id="B:1">`. Parts without a place become visible where they are.
 */
export function settleStreams(document: Document): void {
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
    if (place && !contains(part, place)) move(part, place)
  }
}

function contains(outer: Element, inner: ChildNode): boolean {
  for (let at: ParentNode | null = inner.parent; at; at = isElement(at) ? at.parent : null) {
    if (at === outer) return true
  }
  return false
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
