/**
 * A function that finds what scrolls: the document, or the area that scrolls in its place; null where nothing does. Runs
 * in the isolated world.
 */
export const scrollArea = String.raw`() => {
  const root = document.scrollingElement ?? document.documentElement
  // Scripts may remove everything.
  if (root === null) return null
  const isStill = (one) => one === null || getComputedStyle(one).overflowY === 'hidden'
  if (root.scrollHeight > innerHeight + 1 && !isStill(root) && !isStill(document.body)) return root
  const [x, y] = [innerWidth / 2, innerHeight / 2]
  let at = document.elementFromPoint(x, y)
  for (let inner = at?.shadowRoot?.elementFromPoint(x, y); inner && inner !== at; inner = at.shadowRoot?.elementFromPoint(x, y)) at = inner
  for (; at && at !== root && at !== document.body; at = at.parentElement ?? at.getRootNode().host) {
    if (at.scrollHeight - at.clientHeight > 1 && /auto|scroll|overlay/.test(getComputedStyle(at).overflowY) && at.clientWidth * at.clientHeight * 2 >= innerWidth * innerHeight) return at
  }
  return null
}`
