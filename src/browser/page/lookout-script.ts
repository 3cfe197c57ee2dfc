/**
 * Finds the elements that a visitor does not see, one after the other as the snapshot comes by: not drawn, made invisible, or drawn where or so
 * small that nobody sees it. What only waits to be faded in keeps its place on the page and counts as seen; so does what is folded up there.
 * Answers how the content of an element is veiled, to be handed in with its children: -2 not drawn, -1 not at all, else by the find of that number.
 * `found` is null once there are too many, or it took too long.
 */
export const lookout = String.raw`({ most, ms }) => {
  const end = performance.now() + ms
  const method = (name) => {
    const own = Element.prototype[name]
    return (element, ...given) => Reflect.apply(own, element, given)
  }
  const isDrawn = method('checkVisibility')
  const boxOf = method('getBoundingClientRect')
  const query = method('querySelector')
  const isNamed = method('hasAttributes')
  const strictly = { visibilityProperty: true, opacityProperty: true }
  // Never drawn, or not by themselves.
  const apart = new Set(['head', 'script', 'style', 'link', 'meta', 'title', 'base', 'template', 'noscript', 'option', 'optgroup', 'datalist', 'source', 'track', 'param', 'area', 'rp', 'br', 'wbr', 'audio'])
  const out = new Set(['absolute', 'fixed'])
  const rightToLeft = getComputedStyle(document.documentElement).direction === 'rtl'

  let found = []
  let looks = 0
  const note = (element, at) => {
    // The source of a formula is hidden from the eye, and all that says what it is.
    if (query(element, 'math') !== null) return -1
    if (found.length >= most) return giveUp()
    return found.push(at) - 1
  }
  const giveUp = () => {
    found = null
    return -1
  }
  const isAway = (element, framed) => {
    const { width, height, right, bottom } = boxOf(element)
    const small = width <= 1 || height <= 1
    const outside = !small && !framed && ((right + scrollX <= 0 && !rightToLeft) || bottom + scrollY <= 0)
    if (!small && !outside) return false
    const { position, overflowX, overflowY } = getComputedStyle(element)
    return out.has(position) && (outside || (overflowX !== 'visible' && overflowY !== 'visible'))
  }

  const look = (element, name, { at, framed, filled, veil }) => {
    if (found === null || apart.has(name) || (!filled && name !== 'img')) return veil
    if ((++looks & 63) === 0 && performance.now() > end) return giveUp()
    const drawn = veil !== -2 && isDrawn(element, strictly)
    if (drawn && veil >= 0) found[veil] = -1
    if (drawn) {
      // What has neither a name nor a style is put out of the way with what holds it.
      if (name !== 'img' && isNamed(element) && isAway(element, framed)) note(element, at)
      return -1
    }
    const { display, visibility, opacity, position } = getComputedStyle(element)
    if (name === 'html' || name === 'body') return visibility === 'visible' ? -1 : giveUp()
    if (display === 'none') {
      note(element, at)
      return -2
    }
    if (veil === -2) return -2
    if (visibility !== 'visible') return veil >= 0 ? veil : note(element, at)
    if (veil >= 0) found[veil] = -1
    if (opacity === '0' && out.has(position)) note(element, at)
    return -1
  }
  return { look, found: () => found?.filter((at) => at >= 0) ?? null }
}`
