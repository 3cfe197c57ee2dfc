import type { Page } from '../clean/step.ts'
import { type Document, type Element, isElement } from '../html/tree.ts'

/** An element and those around it, innermost first. */
export function pathOf(element: Element): readonly Element[] {
  const path: Element[] = []
  for (let at: Element | Document = element; isElement(at); at = at.parent as Element | Document) path.push(at) // Only a document is a parent that is no element.
  return path
}

/** Puts an element back, given with those around it, innermost first: of what was left out with it, only itself. */
export function putBack({ removed }: Page, path: readonly Element[]): void {
  let left = false
  for (let i = path.length - 1; i >= 0; i--) {
    const element = path[i]
    const around = path[i + 1]
    if (element === undefined) continue
    if (left && around !== undefined) for (const child of around.children) removed.add(child)
    left ||= removed.has(element)
    removed.delete(element)
  }
}
