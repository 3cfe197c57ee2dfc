import { outerOf, scrollRoot } from '../page/scroll-area.ts'
import { complaint, until } from './elements.ts'
import { inGround } from './frames.ts'
import { matches } from './scripts.ts'
import { ActionError, type ActionHandler, calm } from './stage.ts'

/**
 * Scrolls an element or its nearest scrollable ancestor. Without a selector it scrolls the page or, if that does not
 * scroll, whatever scrolls in the middle of the window.
 */
const scrolling = String.raw`(selector, sign, amount) => {
  const root = ${scrollRoot}
  const scrolls = (one) => one.scrollHeight > one.clientHeight + 1 && (one === Reflect.get(Document.prototype, 'scrollingElement', document) || /auto|scroll|overlay/.test(getComputedStyle(one).overflowY))
  const around = (one) => {
    for (let at = one; at; at = (${outerOf})(at)) if (scrolls(at)) return at
    return null
  }
  // A script may have emptied the page: like one that is short, it stays where it is.
  if (root === null && selector === null) return 'ready'
  let target = root
  if (selector !== null) {
    let found
    try {
      found = (${matches})(selector)[0]
    } catch {
      return 'invalid'
    }
    if (found === undefined) return 'none'
    target = around(found) ?? found
  } else if (!scrolls(root)) {
    target = around(Reflect.apply(Document.prototype.elementFromPoint, document, [innerWidth / 2, innerHeight / 2])) ?? root
  }
  const step = amount ?? (target === root ? innerHeight : target.clientHeight)
  target.scrollBy({ top: sign * step, behavior: 'instant' })
  return 'ready'
}`

const waitMs = 5_000

/** Scrolls up or down. */
export const scroll: ActionHandler<'scroll'> = async ({ direction, selector, amount }, stage) => {
  type State = 'ready' | 'none' | 'invalid'
  const scrolled = (): Promise<State> => inGround(stage, selector ?? '', (ground) => ground.ask<State>(`(${scrolling})(${ground.selector === '' ? 'null' : JSON.stringify(ground.selector)}, ${direction === 'up' ? -1 : 1}, ${amount ?? 'null'})`))
  const state = await until(stage, scrolled, { isEnough: (seen) => seen !== 'none', limitMs: waitMs })
  if (state !== 'ready') throw new ActionError(complaint(selector ?? '', { state: state ?? 'none' }))
  await calm(stage)
}
