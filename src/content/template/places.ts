import { isNonContent } from '../html/non-content.ts'
import { attribute, type ChildNode, type Document, type Element, isElement, isText, oneLine, textOf } from '../html/tree.ts'

/** An element, with the elements around it. */
export interface Spot {
  readonly path: string
  readonly up: Spot | null
}

/** A short text of a page, and its position. */
export interface Place {
  readonly path: string
  readonly spot: Spot
  /** The text directly before it, or the text of the element before it. */
  readonly label: string | null
  readonly text: string
}

const maxPlaces = 20_000
const maxText = 400
const maxNodes = 60
const maxLabel = 40
const maxPath = 800

/** Name and classes of an element, without classes that number it or give its state: those differ between pages. */
function stepOf(element: Element): string {
  const classes = (attribute(element, 'class') ?? '').split(/\s+/).filter((name) => /^[a-z][\w-]{0,40}$/i.test(name) && !/\d|^(?:is|has)-|active|selected|current|open|first|last|odd|even/i.test(name))
  return [element.name, ...classes.sort().slice(0, 4)].join('.')
}

const shortText = (element: Element): string | null => {
  const text = textOf(element, maxText + 1, maxNodes)
  return text.length > maxText ? null : oneLine(text)
}

/** The short texts that a person sees on a page, in document order. */
export function placesOf(document: Document, unseen: ReadonlySet<ChildNode>): readonly Place[] {
  const places: Place[] = []
  const waiting: { readonly node: ChildNode; readonly up: Spot | null; readonly before: Element | string | null }[] = []
  const push = (children: readonly ChildNode[], up: Spot | null): void => {
    let before: Element | string | null = null
    const all = children.flatMap((node) => {
      const one = { node, up, before }
      if (isElement(node)) before = node
      else if (isText(node) && node.data.trim() !== '') before = oneLine(node.data.slice(0, maxText))
      return isElement(node) ? [one] : []
    })
    for (const one of all.reverse()) waiting.push(one)
  }
  push(document.children, null)
  for (let next = waiting.pop(); next !== undefined && places.length < maxPlaces; next = waiting.pop()) {
    const { node, before } = next
    if (!isElement(node) || unseen.has(node) || isNonContent(node)) continue
    const path = `${next.up?.path ?? ''}>${stepOf(node)}`
    if (path.length > maxPath) continue
    const spot: Spot = { path, up: next.up }
    const text = shortText(node)
    const label = before === null || typeof before === 'string' ? before : unseen.has(before) ? null : shortText(before)
    if (text !== null && text !== '') places.push({ path, spot, label: label === null || label === '' || label.length > maxLabel ? null : label, text })
    push(node.children, spot)
  }
  return places
}
