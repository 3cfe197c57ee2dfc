/** What scrolls the document; null where scripts have removed everything. Elements of a page can be named as what a document has. */
export const scrollRoot = `(Reflect.get(Document.prototype, 'scrollingElement', document) ?? Reflect.get(Document.prototype, 'documentElement', document))`

/**
 * A function that gives the element around an element, out of a shadow tree, too; null for the outermost. A form, and the document, answer
 * with an element of the page that is named as what they are asked for: from there, the way out would never end.
 */
export const outerOf = String.raw`(element) => {
  const outer = Reflect.get(Node.prototype, 'parentElement', element)
  if (outer !== null) return outer
  const root = Reflect.apply(Node.prototype.getRootNode, element, [])
  return root instanceof ShadowRoot ? root.host : null
}`

/**
 * A function that finds what scrolls: the document, or the area that scrolls in its place; null where nothing does. Runs
 * in the isolated world.
 */
export const scrollArea = String.raw`() => {
  const root = ${scrollRoot}
  const body = Reflect.get(Document.prototype, 'body', document)
  if (root === null) return null
  const isStill = (one) => one === null || getComputedStyle(one).overflowY === 'hidden'
  if (root.scrollHeight > innerHeight + 1 && !isStill(root) && !isStill(body)) return root
  const [x, y] = [innerWidth / 2, innerHeight / 2]
  const shadowOf = (element) => element && Reflect.get(Element.prototype, 'shadowRoot', element)
  let at = Reflect.apply(Document.prototype.elementFromPoint, document, [x, y])
  for (let inner = shadowOf(at)?.elementFromPoint(x, y); inner && inner !== at; inner = shadowOf(at)?.elementFromPoint(x, y)) at = inner
  for (; at && at !== root && at !== body; at = (${outerOf})(at)) {
    if (at.scrollHeight - at.clientHeight > 1 && /auto|scroll|overlay/.test(getComputedStyle(at).overflowY) && at.clientWidth * at.clientHeight * 2 >= innerWidth * innerHeight) return at
  }
  return null
}`
