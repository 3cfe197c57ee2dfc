import { outerOf } from '../page/scroll-area.ts'
import { closedRoots } from '../page/snapshot-script.ts'

/** The shadow root of an element: an open one, or a closed one that was opened for our world. */
const rootOf = `((element) => Reflect.get(Element.prototype, 'shadowRoot', element) ?? ${closedRoots}?.get(element) ?? null)`

/** The matching elements of the document and its shadow roots, by an expression for the function that gives the root of an element. */
export const matchesBy = (root: string): string => String.raw`(selector) => {
  // Elements of a document can be named as its methods.
  const all = (from, what) => (from === document ? Reflect.apply(Document.prototype.querySelectorAll, from, [what]) : from.querySelectorAll(what))
  const found = [...all(document, selector)]
  const roots = [document]
  for (const from of roots) {
    for (const element of all(from, '*')) {
      const root = ${root}(element)
      if (root === null) continue
      roots.push(root)
      found.push(...root.querySelectorAll(selector))
    }
  }
  return found
}`

/**
 * The matching elements of the document and its shadow roots, in document order. Throws `SyntaxError` as `querySelectorAll`
 * does.
 */
export const matches = matchesBy(rootOf)

/** Whether a person could see the element. */
export const isVisible = String.raw`(element) => {
  if (!Reflect.apply(Element.prototype.checkVisibility, element, [{ visibilityProperty: true }])) return false
  const { width, height } = Reflect.apply(Element.prototype.getBoundingClientRect, element, [])
  return width > 0 && height > 0
}`

/** What a click at that point of the window would hit instead of the element; null when it would hit the element. */
export const coverAt = String.raw`(element, x, y) => {
  const rootOf = (one) => (one === null ? null : ${rootOf}(one))
  let hit = Reflect.apply(Document.prototype.elementFromPoint, document, [x, y])
  for (let inner = rootOf(hit)?.elementFromPoint(x, y); inner && inner !== hit; inner = rootOf(hit)?.elementFromPoint(x, y)) hit = inner
  for (let one = hit; one; one = (${outerOf})(one)) if (one === element) return null
  if (hit === null) return 'nothing'
  if (Reflect.apply(Element.prototype.closest, hit, ['label'])?.control === element) return null
  const said = (key) => {
    const value = Reflect.apply(Element.prototype.getAttribute, hit, [key])
    return value ? ' ' + key + '="' + value + '"' : ''
  }
  const name = '<' + Reflect.get(Element.prototype, 'localName', hit) + said('id') + said('class') + '>'
  return name.slice(0, 200)
}`
