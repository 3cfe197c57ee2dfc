import { framePath } from '../../lib/frame-path.ts'
import { sleep } from '../../lib/sleep.ts'
import { openClosedRoots } from '../page/closed-roots.ts'
import { pause } from '../page/pause-script.ts'
import { variable } from '../page/variable.ts'
import { GoneError } from '../page/world.ts'
import { type Ground, inGround } from './frames.ts'
import { coverAt, isVisible, matches } from './scripts.ts'
import { ActionError, type Stage } from './stage.ts'

/** Where an element is, or why it cannot be clicked. `index` is its position among the elements that match. */
export type Sight = { readonly state: 'ready'; readonly x: number; readonly y: number } | { readonly state: 'none' | 'hidden' | 'disabled' | 'moving' | 'left' } | { readonly state: 'covered'; readonly by: string } | { readonly state: 'invalid' }

/** Where our world of a document keeps the elements that are to be clicked one after the other. */
export const chosenElements = variable('chosen')

/** Scrolls an element into view, and checks whether a click in its middle would hit it. */
const sight = String.raw`async (selector, index) => {
  let found
  try {
    found = (${matches})(selector)
  } catch {
    return { state: 'invalid' }
  }
  const visible = ${isVisible}
  const chosen = ${chosenElements}
  if (index !== null && chosen === undefined) return { state: 'left' }
  const own = (name, ...given) => Reflect.apply(Element.prototype[name], element, given)
  // Where a click has drawn all of them anew, others stand in their places; if fewer, those in front have gone, as they were clicked.
  const isDrawnAnew = () => chosen.every((one) => !Reflect.get(Node.prototype, 'isConnected', one))
  const at = (list) => (list.length <= chosen.length && isDrawnAnew() ? list[index - chosen.length + list.length] : chosen[index])
  const element = index === null ? (found.find(visible) ?? found[0]) : at(found)
  if (element === undefined) return { state: 'none' }
  if (!visible(element)) return { state: 'hidden' }
  if (own('matches', ':disabled')) return { state: 'disabled' }
  own('scrollIntoView', { block: 'center', inline: 'center', behavior: 'instant' })
  const place = () => {
    const rect = [...own('getClientRects')].find(({ width, height }) => width > 0 && height > 0) ?? own('getBoundingClientRect')
    const middle = (from, to, most) => (Math.max(0, from) + Math.min(most, to)) / 2
    return { x: middle(rect.left, rect.right, innerWidth), y: middle(rect.top, rect.bottom, innerHeight) }
  }
  const before = place()
  await ${pause}(40)
  const { x, y } = place()
  if (x !== before.x || y !== before.y) return { state: 'moving' }
  const by = (${coverAt})(element, x, y)
  return by === null ? { state: 'ready', x, y } : { state: 'covered', by }
}`

/** How long to wait for an element that is to be acted on. */
const elementMs = 5_000
const pollMs = 100
/** Looking for closed shadow roots costs more than a look. */
const looksPerOpening = 10
const openingMs = 1_500

const named = (selector: string): string => JSON.stringify(selector)

function missing(path: string): string {
  const { frames, selector } = framePath(path)
  if (frames.length === 0) return `No element matches ${named(path)}.`
  return `No element matches ${named(selector)} in the frame ${frames.map(named).join(', in it ')}, or there is no such frame.`
}

/** The sentence that says why an element cannot be acted on. */
export function complaint(selector: string, seen: Sight): string {
  const why = {
    ready: () => '',
    invalid: () => `${named(selector)} is not a valid CSS selector.`,
    none: () => missing(selector),
    hidden: () => `The element that matches ${named(selector)} is not visible.`,
    disabled: () => `The element that matches ${named(selector)} is disabled.`,
    moving: () => `The element that matches ${named(selector)} does not stop moving.`,
    left: () => '',
    covered: () => `The element that matches ${named(selector)} is covered by ${seen.state === 'covered' ? seen.by : ''}.`,
  }
  return why[seen.state]()
}

/**
 * Repeats a look at the page until its answer is good enough or `limitMs` have passed; returns the last answer. A look that
 * fails because the document went away is repeated. What is not found may be in a closed shadow root: they are opened.
 */
export async function until<T>(stage: Stage, look: () => Promise<T>, { isEnough, limitMs }: { readonly isEnough: (answer: T) => boolean; readonly limitMs: number }): Promise<T | null> {
  const end = performance.now() + Math.min(limitMs, stage.left())
  let last: T | null = null
  for (let looks = 0; ; looks++) {
    try {
      last = await look()
      if (isEnough(last)) return last
      if (looks % looksPerOpening === 0) await openClosedRoots(stage.tab, Math.max(1, Math.min(openingMs, end - performance.now())))
    } catch (error) {
      if (!(error instanceof GoneError)) throw error
    }
    if (performance.now() + pollMs >= end) return last
    await sleep(pollMs, stage.signal)
  }
}

const worthWaiting: ReadonlySet<Sight['state']> = new Set(['none', 'hidden', 'disabled', 'moving', 'covered'])
const worthWaitingAmongMany: ReadonlySet<Sight['state']> = new Set(['moving', 'covered'])

async function seenIn(ground: Ground, index: number | null): Promise<Sight> {
  const seen = await ground.ask<Sight>(`(${sight})(${JSON.stringify(ground.selector)}, ${index})`)
  if (seen.state !== 'ready') return seen
  const place = await ground.outside(seen)
  return 'by' in place ? { state: 'covered', ...place } : { state: 'ready', ...place }
}

/** How it stands with an element, as soon as it can be clicked, or after a while: with the first visible one that matches, or with that of an index among the chosen ones, which is not waited for where it is not there. */
export async function seek(stage: Stage, selector: string, index: number | null = null): Promise<Sight> {
  const waits = index === null ? worthWaiting : worthWaitingAmongMany
  const look = async (): Promise<Sight> => {
    const seen = await inGround(stage, selector, (ground) => seenIn(ground, index))
    return typeof seen === 'string' ? { state: seen } : seen
  }
  const seen = await until<Sight>(stage, look, { isEnough: ({ state }) => !waits.has(state), limitMs: elementMs })
  return seen ?? { state: 'none' }
}

/**
 * Clicks in the middle of an element. Throws `ActionError` when it does not become visible, still and uncovered in time.
 */
export async function clickOn(stage: Stage, selector: string): Promise<void> {
  const seen = await seek(stage, selector)
  if (seen.state !== 'ready') throw new ActionError(complaint(selector, seen))
  await clickAt(stage, seen)
}

/** Clicks like a mouse. */
export async function clickAt({ tab }: Stage, { x, y }: { readonly x: number; readonly y: number }): Promise<void> {
  await tab.page.mouse.click(x, y)
}
