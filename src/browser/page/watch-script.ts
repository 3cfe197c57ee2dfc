import { getterScript } from './getter-script.ts'
import { pause } from './pause-script.ts'
import { outerOf } from './scroll-area.ts'
import { variable } from './variable.ts'

/** What a look at the page says about its completeness. */
export interface Look {
  readonly ready: 'loading' | 'interactive' | 'complete'
  /** Characters of text outside scripts, counted up to `enoughText`. */
  readonly text: number
  /** Whether something visible looks like content that is being loaded. */
  readonly busy: boolean
  /** Whether a large empty part in the window says that it waits for its content. */
  readonly gap: boolean
  /** Whether a page with little text draws in most of the window what it shows. */
  readonly drawn: boolean
  /** The first words of the page, and the short visible texts that end as if more came; empty when there is enough text. */
  readonly words: readonly string[]
  /** Milliseconds since the last relevant change. */
  readonly quietMs: number
  /** Whether the document will redirect to another within three seconds. */
  readonly leaving: boolean
  /** Whether this is a challenge that tests its visitor and then continues by itself. */
  readonly challenge: boolean
  readonly contentType: string
  /** Whether anything can still change it: scripts, frames, which may have some, or a redirect. */
  readonly live: boolean
}

/** A page with fewer characters of text is taken for a shell. */
export const littleText = 250
/** Counting stops here: more makes no difference. */
const enoughText = 2_000

/**
 * Runs in the isolated world: waits until the document has not changed for `quietMs`, at most `maxMs`, and looks. The
 * observer stays for the next call. Elements that keep changing (clocks, tickers, carousels) stop counting after a dozen
 * changes.
 */
export function lookScript(quietMs: number, maxMs: number): string {
  return `(${look})(${quietMs}, ${maxMs}, ${enoughText}, ${littleText})`
}

const look = String.raw`async (quietMs, maxMs, enough, little) => {
  ${getterScript}
  const bodyOf = getter(Document.prototype, 'body')
  const rootOf = getter(Document.prototype, 'documentElement')
  const nodeType = getter(Node.prototype, 'nodeType')
  const nextSibling = getter(Node.prototype, 'nextSibling')
  const firstChild = getter(Node.prototype, 'firstChild')
  const textOf = getter(Node.prototype, 'textContent')
  const localName = getter(Element.prototype, 'localName')
  const shadowRoot = getter(Element.prototype, 'shadowRoot')
  const hitAt = (x, y) => Document.prototype.elementFromPoint.call(document, x, y)
  const watch = ${variable('__watch')} ??= start()
  function start() {
    const state = { last: performance.now(), seen: new WeakMap() }
    new MutationObserver((records) => {
      for (const { target } of records) {
        const times = (state.seen.get(target) ?? 0) + 1
        state.seen.set(target, times)
        if (times <= 12 || target === bodyOf(document)) state.last = performance.now()
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
    return state
  }
  const begin = performance.now()
  for (;;) {
    const now = performance.now()
    const rest = quietMs - (now - Math.max(watch.last, begin))
    if (rest <= 0 || now - begin >= maxMs) break
    await ${pause}(Math.min(rest, maxMs - (now - begin)) + 1)
  }
  const skipped = new Set(['script', 'style', 'noscript', 'template', 'svg', 'head'])
  let text = 0
  let steps = 0
  let drawn = false
  let words = ['']
  const isShown = (element) => element !== null && Element.prototype.checkVisibility.call(element, { visibilityProperty: true, opacityProperty: true })
  const isLarge = (element) => {
    const { width, height } = Element.prototype.getBoundingClientRect.call(element)
    return width * height > 0.5 * innerWidth * innerHeight && isShown(element)
  }
  // Not a backdrop: of what is in the middle of the window, it is a part.
  const isInFront = (element) => {
    const hit = hitAt(innerWidth / 2, innerHeight / 2)
    if (hit === null || hit === rootOf(document) || localName(hit) === 'body') return false
    let at = element
    while (at && at !== hit) at = (${outerOf})(at)
    return at === hit
  }
  const root = bodyOf(document) ?? rootOf(document)
  const todo = root ? [root] : []
  while (todo.length > 0 && text < enough && steps < 20000) {
    const node = todo.pop()
    const next = nextSibling(node)
    if (node !== root && next) todo.push(next)
    steps++
    const type = nodeType(node)
    if (type === 3) {
      const said = node.data.trim()
      text += said.length
      if (words[0].length < 300) words[0] += said.slice(0, 300) + ' '
      if (words.length < 10 && said.length < 60 && /(?:\.\.\.|…)$/.test(said) && isShown(node.parentElement)) words.push(said)
    }
    if (type !== 1 || skipped.has(localName(node))) continue
    if (!drawn && localName(node) === 'canvas') drawn = isLarge(node) && isInFront(node)
    const shadow = shadowRoot(node)
    const inner = firstChild(node)
    if (inner) todo.push(inner)
    if (shadow && shadow.firstChild) todo.push(shadow.firstChild)
  }
  const signs = '[aria-busy="true" i], [class*="skeleton" i], [class*="spinner" i], [class*="shimmer" i], [class*="loader" i], [class*="loading" i], progress:not([value])'
  const query = (selector) => Document.prototype.querySelectorAll.call(document, selector)
  let busy = false
  const found = query(signs)
  for (let i = 0; i < found.length && i < 20 && !busy; i++) {
    const box = Element.prototype.getBoundingClientRect.call(found[i])
    busy = box.width > 0 && box.height > 0 && box.width < 4 * innerWidth && !['body', 'html', 'img'].includes(localName(found[i])) && getComputedStyle(found[i]).visibility === 'visible'
  }
  // What a picture or a text covers stands for nothing.
  const isGap = (one) => {
    const { top, bottom, left, width, height } = Element.prototype.getBoundingClientRect.call(one)
    if (height < 100 || width < innerWidth * 0.3 || top >= innerHeight || bottom <= 0) return false
    if (!Element.prototype.matches.call(one, '[aria-busy="true" i], [class*="skeleton" i], [class*="shimmer" i]') || !isShown(one)) return false
    if (textOf(one).trim() !== '' || Element.prototype.querySelector.call(one, 'img[src], video, canvas, iframe, input') !== null) return false
    return Node.prototype.contains.call(one, hitAt(left + width / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2))
  }
  const gap = busy && Array.prototype.slice.call(found, 0, 20).some(isGap)
  const refresh = query('meta[http-equiv="refresh" i]')[0]
  const match = refresh && /^\s*(\d+(?:\.\d*)?)\s*[;,]?\s*url\s*=/i.exec(refresh.getAttribute('content') ?? '')
  const title = query('title')[0]?.textContent ?? ''
  const challenge = text < 1500 && (query('#challenge-form, #challenge-running, #cf-challenge-running, script[src*="/cdn-cgi/challenge-platform/"], script[src*="/_Incapsula_Resource"], script[src*="challenges.cloudflare.com"], #sec-cpt-if, script[src*="/.well-known/ddos-guard/"]').length > 0)
    && /just a moment|checking your browser|one moment|attention|verifying|verify|security|ddos|bitte warten|un instant|please wait/i.test(title)
  const live = query('script:not([type*="json" i]), iframe, frame, meta[http-equiv="refresh" i]').length > 0
  const ready = Reflect.get(Document.prototype, 'readyState', document)
  return { ready, text, busy, gap, drawn: drawn && text < little, words: text < little ? words : [], quietMs: performance.now() - watch.last, live, leaving: Boolean(match) && Number(match[1]) <= 3, challenge, contentType: Reflect.get(Document.prototype, 'contentType', document) }
}`
