import { closedRoots } from '../page/snapshot-script.ts'

/** The shadow root of an element: an open one, or a closed one that was opened for our world. */
const rootOf = `((element) => element.shadowRoot ?? globalThis.${closedRoots}?.get(element) ?? null)`

/** The matching elements of the document and its shadow roots, by an expression for the function that gives the root of an element. */
export const matchesBy = (root: string): string => String.raw`(selector) => {
  const found = [...document.querySelectorAll(selector)]
  const roots = [document]
  for (const from of roots) {
    for (const element of from.querySelectorAll('*')) {
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
  if (element.checkVisibility?.({ visibilityProperty: true }) === false) return false
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0
}`

/** What a click at that point of the window would hit instead of the element; null when it would hit the element. */
export const coverAt = String.raw`(element, x, y) => {
  const rootOf = (one) => (one === null ? null : ${rootOf}(one))
  let hit = document.elementFromPoint(x, y)
  for (let inner = rootOf(hit)?.elementFromPoint(x, y); inner && inner !== hit; inner = rootOf(hit)?.elementFromPoint(x, y)) hit = inner
  for (let one = hit; one; one = one.parentNode ?? one.host) if (one === element) return null
  if (hit?.closest('label')?.control === element) return null
  const name = hit === null ? 'nothing' : '<' + hit.localName + (hit.id ? ' id="' + hit.id + '"' : '') + (hit.getAttribute('class') ? ' class="' + hit.getAttribute('class') + '"' : '') + '>'
  return name.slice(0, 200)
}`
