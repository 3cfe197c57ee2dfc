import { type Element, isElement, type ParentNode, walkElements } from './tree.ts'

/** Which elements are looked for: those with this name, or all that pass. */
type Wanted = string | ((element: Element) => boolean)

/** Whether an element holds one that is wanted. */
export function holds(root: ParentNode, wanted: Wanted): boolean {
  let found = false
  walkElements(root, (inner) => {
    found ||= typeof wanted === 'string' ? inner.name === wanted : wanted(inner)
    return found ? false : undefined
  })
  return found
}

/** The innermost element around another one that is wanted, of the `most` innermost; undefined where none is. */
export function around({ parent }: Element, wanted: Wanted, most = Number.POSITIVE_INFINITY): Element | undefined {
  let at = parent
  for (let up = 0; up < most && at !== null && isElement(at); up++, at = at.parent) if (typeof wanted === 'string' ? at.name === wanted : wanted(at)) return at
  return undefined
}
