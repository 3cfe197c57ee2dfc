import { apartByName } from '../../domain/pages/frames-apart.ts'
import { findAppended, noteAppended } from './appended-script.ts'
import { getterScript } from './getter-script.ts'
import { pause } from './pause-script.ts'
import { scrollArea, scrollRoot } from './scroll-area.ts'
import type { Tab } from './tab.ts'
import { variable } from './variable.ts'
import { settle } from './wait.ts'
import { GoneError, StuckError } from './world.ts'

// What a page loads in steps mostly ends by then; an endless list would go on.
const mostRounds = 4
// A page that has more windows of them is a list.
const most = 40
const leastMs = 300
// Larger pages are full of what they have.
const mostElements = 20_000

/**
 * Lets the parts of a page load that wait until a visitor scrolls to them: where space is kept for something below the
 * window, scrolls through the page and back, and waits until it is complete; not on to other articles. Does nothing to other
 * pages.
 */
export async function loadBelow(tab: Tab, limitMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs
  const left = (): number => end - performance.now()
  try {
    for (let round = 0; round < mostRounds && left() > leastMs; round++) {
      const scrolled = await tab.world.evaluate<boolean>(scrollScript(left() / 2), left())
      if (!scrolled) return
      await settle(tab, Math.max(1, left()), signal)
    }
  } catch (error) {
    // What is there already is better than none.
    if (error instanceof GoneError || error instanceof StuckError) return
    throw error
  }
}

const waitingState = variable('waiting')

const scrollScript = (ms: number): string => `(${scroll})(${JSON.stringify({ ms, most, mostElements, apart: apartByName })}, (${scrollArea})(), ${noteAppended}, ${findAppended})`

// Only what a visitor does, too: nothing of the page is changed, and what its scripts see is that it was scrolled.
const scroll = String.raw`async ({ ms, most, mostElements, apart }, area, noteAppended, findAppended) => {
  if (area === null || findAppended() !== null) return false
  const end = performance.now() + ms
  ${getterScript}
  const nodeType = getter(Node.prototype, 'nodeType')
  const firstChild = getter(Node.prototype, 'firstChild')
  const nextSibling = getter(Node.prototype, 'nextSibling')
  const data = getter(CharacterData.prototype, 'data')
  const localName = getter(Element.prototype, 'localName')
  const shadowRoot = getter(Element.prototype, 'shadowRoot')
  const attribute = (element, name) => Reflect.apply(Element.prototype.getAttribute, element, [name]) ?? ''
  const box = (element) => Reflect.apply(Element.prototype.getBoundingClientRect, element, [])

  const unseen = new Set(['script', 'style', 'template', 'noscript', 'link', 'meta', 'title', 'br', 'wbr', 'source', 'track', 'area', 'map'])
  const full = new Set(['img', 'picture', 'video', 'audio', 'canvas', 'svg', 'iframe', 'frame', 'object', 'embed', 'input', 'button', 'select', 'textarea', 'math', 'hr', 'progress', 'meter'])
  const isAdvertisement = new RegExp(apart + '|(?:^|[\\s_-])(?:gpt|dfp|sponsor\\w*|advert\\w*)(?:[\\s_-]|$)', 'i')
  const isLazy = /lazy|skeleton|shimmer|spinner|placeholder|sentinel|infinite|load-?more|in-?view/i
  const isGap = /spacer|divider|separator|gap\b/i
  const root = ${scrollRoot}
  const fold = area === root ? innerHeight : Math.min(innerHeight, box(area).bottom)
  let steps = 0
  const waiting = []
  const note = (element, names) => {
    const { top, height, width } = box(element)
    if (height >= 40 && getComputedStyle(element).backgroundImage.includes('url(')) return true
    const large = height >= 150 && width >= innerWidth * 0.4 && !isGap.test(names)
    if (top < fold || (!large && !isLazy.test(names))) return false
    if (!Reflect.apply(Element.prototype.checkVisibility, element, [{ visibilityProperty: true }]) || getComputedStyle(element).position === 'fixed') return false
    waiting.push(element)
    return false
  }
  // A short text that ends as if more came stands in for that.
  const says = (text) => text !== '' && (text.length > 43 || !/(?:\.\.\.|…)$/.test(text))
  // Whether an element holds anything; notes those below the window that do not.
  const holds = (element, depth) => {
    const name = localName(element)
    if (unseen.has(name)) return false
    const names = attribute(element, 'id') + ' ' + attribute(element, 'class')
    if (++steps > mostElements || depth > 200 || full.has(name) || isAdvertisement.test(names.slice(0, 500))) return true
    let any = false
    for (const root of [shadowRoot(element), element]) for (let child = root && firstChild(root); child; child = nextSibling(child)) {
      const type = nodeType(child)
      if (type === 3) any ||= says(data(child).trim())
      if (type === 1) any = holds(child, depth + 1) || any
    }
    return any || note(element, names)
  }
  if (area.scrollHeight - area.clientHeight < 50) return false
  holds(area === Reflect.get(Document.prototype, 'documentElement', document) ? (Reflect.get(Document.prototype, 'body', document) ?? area) : area, 0)
  const state = waiting.length + ' ' + area.scrollHeight
  if (waiting.length === 0 || steps > mostElements || ${waitingState} === state) return false
  ${waitingState} = state
  noteAppended()

  // Two frames: after the first, the page hears what is in its window.
  const frame = () => Promise.race([${pause}(100), new Promise((resolve) => requestAnimationFrame(resolve))])
  const before = area.scrollTop
  let shown = 0
  for (const element of waiting) {
    const { top } = box(element)
    if (top < fold) continue
    if (++shown > most || performance.now() > end) break
    // Its upper edge in the middle: some only count as seen when half of them is.
    area.scrollTo({ top: area.scrollTop + top - fold / 2, behavior: 'instant' })
    await frame()
    await frame()
  }
  area.scrollTo({ top: before, behavior: 'instant' })
  await frame()
  return true
}`
