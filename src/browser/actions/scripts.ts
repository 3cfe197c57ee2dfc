/**
 * The matching elements of the document and its open shadow roots, in document order. Throws `SyntaxError` as
 * `querySelectorAll` does.
 */
export const matches = String.raw`(selector) => {
  const found = [...document.querySelectorAll(selector)]
  const roots = [document]
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot === null) continue
      roots.push(element.shadowRoot)
      found.push(...element.shadowRoot.querySelectorAll(selector))
    }
  }
  return found
}`

/** Whether a person could see the element. */
export const isVisible = String.raw`(element) => {
  if (element.checkVisibility?.({ visibilityProperty: true }) === false) return false
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0
}`

/** What a click at that point of the window would hit instead of the element; null when it would hit the element. */
export const coverAt = String.raw`(element, x, y) => {
  let hit = document.elementFromPoint(x, y)
  for (let inner = hit?.shadowRoot?.elementFromPoint(x, y); inner && inner !== hit; inner = hit.shadowRoot?.elementFromPoint(x, y)) hit = inner
  for (let one = hit; one; one = one.parentNode ?? one.host) if (one === element) return null
  if (hit?.closest('label')?.control === element) return null
  const name = hit === null ? 'nothing' : '<' + hit.localName + (hit.id ? ' id="' + hit.id + '"' : '') + (hit.getAttribute('class') ? ' class="' + hit.getAttribute('class') + '"' : '') + '>'
  return name.slice(0, 200)
}`
