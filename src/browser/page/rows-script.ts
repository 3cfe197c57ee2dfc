/**
 * A function that tells whether a list of the page has only the rows in view, as long lists of applications do: it keeps
 * the height of many more of them. Runs in the isolated world; measures nothing on pages that keep no such height.
 */
export const missesRows = String.raw`() => {
  const attribute = (element, name) => Reflect.apply(Element.prototype.getAttribute, element, [name]) ?? ''
  const box = (element) => Reflect.apply(Element.prototype.getBoundingClientRect, element, [])
  const nameOf = (element) => Reflect.get(Element.prototype, 'localName', element)
  const textOf = (element) => Reflect.get(Node.prototype, 'textContent', element).trim()
  const parentOf = (element) => element && Reflect.get(Node.prototype, 'parentElement', element)
  const childrenOf = (element) => Array.from(Reflect.get(Element.prototype, 'children', element))
  const found = Reflect.apply(Document.prototype.querySelectorAll, document, ['[style*="height:"], [style*="padding"]'])
  const tall = /(?:height|padding(?:-top|-bottom)?):[^;]*\b\d{4,}(?:\.\d+)?px/
  const sized = Array.prototype.filter.call(found, (one) => tall.test(attribute(one, 'style')) && !/pin-spacer/.test(attribute(one, 'class'))).slice(0, 50)
  // Its height is that of what it shows: a frame, a picture, a text.
  const isFilled = (element) => /^(?:iframe|frame|img|video|canvas|object|embed|input|textarea)$/.test(nameOf(element)) || textOf(element) !== ''
  // Rows that are alike and stand together, in less than half of the height.
  const isShort = (list, height) => {
    const shown = childrenOf(list).map((row) => ({ name: nameOf(row) + ' ' + attribute(row, 'class'), at: box(row), text: textOf(row) })).filter(({ at, text }) => at.height > 0 && text !== '')
    const name = shown[shown.length >> 1]?.name
    const rows = shown.filter((row) => row.name === name)
    if (rows.length < 4 || rows.length * 2 < shown.length) return false
    const extent = Math.max(...rows.map(({ at }) => at.bottom)) - Math.min(...rows.map(({ at }) => at.top))
    return extent * 2 < height
  }
  return sized.some((element) => {
    const { height } = box(element)
    // Of less, one sees most at once.
    if (height < 2 * innerHeight) return false
    const own = childrenOf(element)
    // Rows may have a place of their own that is moved. Where the element is empty, they stand beside it or its row.
    const lists = own.length > 0 ? [element] : isFilled(element) ? [] : [parentOf(element), parentOf(parentOf(element))]
    return lists.some((list) => list && [list, ...(own.length > 1 ? [] : childrenOf(list))].some((one) => isShort(one, Math.max(height, box(one).height))))
  })
}`
