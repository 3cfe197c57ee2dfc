/**
 * Finds the elements that a visitor does not see, as the snapshot passes them in order: not rendered, invisible, off the
 * page, or too small. Elements that only wait to be faded in, or that are folded in place, count as seen. `look` returns
 * how an element's content is hidden, to be passed with its children: -2 not rendered, -1 not hidden, otherwise the index
 * of the find. `found` is null once there are too many, or when it took too long.
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
  // Never rendered, or not on their own.
  const apart = new Set(['head', 'script', 'style', 'link', 'meta', 'title', 'base', 'template', 'noscript', 'option', 'optgroup', 'datalist', 'source', 'track', 'param', 'area', 'rp', 'br', 'wbr', 'audio'])
  const out = new Set(['absolute', 'fixed'])
  // Scripts may remove everything.
  const root = Reflect.get(Document.prototype, 'documentElement', document)
  const rightToLeft = root !== null && getComputedStyle(root).direction === 'rtl'

  let found = []
  let looks = 0
  const note = (element, at) => {
    // The source of a formula is hidden from the eye, but it is the only text of the formula.
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
      // An element without attributes is only moved away together with its parent.
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
