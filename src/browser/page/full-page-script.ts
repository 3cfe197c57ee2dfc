import { noteAppended } from './appended-script.ts'
import { pause } from './pause-script.ts'
import { scrollRoot } from './scroll-area.ts'
import { variable } from './variable.ts'

const [shownLooks, heldMotions] = [variable('shown'), variable('held')]

/** No more of a page's elements are looked at. */
const mostElements = 20_000

const all = `const all = () => Array.prototype.slice.call(Reflect.apply(Document.prototype.querySelectorAll, document, ['body *']), 0, ${mostElements})
  const boxOf = (element) => Reflect.apply(Element.prototype.getBoundingClientRect, element, [])
  const inWindow = ({ top, bottom }) => top < innerHeight && bottom > 0`

/**
 * Scrolls through the page window by window and back, for at most `maxMs`. Notes how elements look in the window that
 * are transparent before: many pages show them there alone. Runs in the isolated world.
 */
export const scrollScript = (maxMs: number, mostHeight: number): string => `(async () => {
  (${noteAppended})()
  ${all}
  const end = performance.now() + ${Math.round(maxMs)}
  const root = ${scrollRoot}
  const top = scrollY
  const faint = new Set(all().filter((one) => Number(getComputedStyle(one).opacity) < 1))
  const shown = new Map()
  const note = () => {
    for (const one of faint) {
      if (!inWindow(boxOf(one))) continue
      for (const motion of Reflect.apply(Element.prototype.getAnimations, one, [])) if (Number.isFinite(Number(motion.effect?.getComputedTiming().endTime))) motion.finish()
      const { opacity, transform } = getComputedStyle(one)
      if (Number(opacity) > Number(shown.get(one)?.opacity ?? 0)) shown.set(one, { opacity, transform })
    }
  }
  for (let y = 0; y < (root?.scrollHeight ?? 0) && y < ${mostHeight} && performance.now() < end; y += innerHeight) {
    scrollTo({ top: y, behavior: 'instant' })
    await ${pause}(60)
    note()
  }
  scrollTo({ top, behavior: 'instant' })
  await ${pause}(60)
  ${shownLooks} = shown
})()`

/**
 * Makes a picture of that height show elements that fade away out of the window as they were in it, and bars of the window
 * at the edges of the page. The page's own styles stay as they are. Runs in the isolated world, as does what undoes it.
 */
export const arrangeScript = (height: number): string => `(() => {
  ${all}
  const held = (${heldMotions} ??= [])
  const hold = (element, frame) => held.push(Reflect.apply(Element.prototype.animate, element, [frame, { duration: 0, fill: 'forwards', composite: 'translate' in frame ? 'add' : 'replace' }]))
  for (const [element, look] of ${shownLooks} ?? []) {
    if (element.isConnected && !inWindow(boxOf(element)) && Number(getComputedStyle(element).opacity) < Number(look.opacity)) hold(element, look)
  }
  const below = ${Math.floor(height)} - scrollY - innerHeight
  if (below <= 0 && scrollY === 0) return
  const moves = []
  for (const element of all()) {
    const { position, bottom } = getComputedStyle(element)
    if (position === 'sticky' && bottom !== 'auto') moves.push([element, { bottom: 'auto' }])
    if (position !== 'fixed' || moves.some(([other]) => Reflect.apply(Node.prototype.contains, other, [element]))) continue
    const box = boxOf(element)
    // What is larger is no bar: it lies over or behind the page.
    if (box.height === 0 || box.height > innerHeight / 2 || !inWindow(box)) continue
    if (box.top >= innerHeight / 2) moves.push([element, { translate: '0 ' + below + 'px' }])
    else if (box.bottom <= innerHeight / 2) moves.push([element, { translate: '0 ' + -scrollY + 'px' }])
  }
  for (const [element, frame] of moves) hold(element, frame)
})()`

/** Undoes that. */
export const leaveScript = `(() => {
  for (const one of ${heldMotions} ?? []) one.cancel()
  ${heldMotions} = []
})()`
