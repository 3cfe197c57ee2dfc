import { untilAborted } from '../../lib/deadline.ts'
import { sleep } from '../../lib/sleep.ts'
import { scrollArea } from './scroll-area.ts'
import type { Tab } from './tab.ts'

/** A window that was made taller, and whether a part of the page still does not show in it. */
export interface TallWindow {
  readonly cut: boolean
  restore(): Promise<void>
}

const mostRounds = 3
// An area that grows by less has a height of its own.
const leastShare = 0.1
// Responsive pages load other parts at another size.
const settleMs = 150

/**
 * Makes the window as tall as a page needs that scrolls within itself, since the height of its document is that of the
 * window; up to `maxHeight` CSS pixels. Null for other pages. Rejects with the signal's reason.
 */
export async function tallWindow({ page, world }: Tab, maxHeight: number, { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal }): Promise<TallWindow | null> {
  const before = page.viewportSize()
  const hidden = (): Promise<number> => world.evaluate<number>(hiddenScript, limitMs)
  const resized = async (height: number): Promise<void> => untilAborted(page.setViewportSize({ width: before?.width ?? 0, height }), signal)
  let below = before === null ? 0 : await hidden()
  if (before === null || below === 0) return null
  const end = performance.now() + limitMs
  let { height } = before
  // How many pixels the area grows with each of the window; learned from the first round.
  let share = 1
  for (let round = 0; round < mostRounds && below > 0 && height < maxHeight && performance.now() < end; round++) {
    const taller = Math.min(maxHeight, height + Math.ceil(below / share))
    await resized(taller)
    await sleep(settleMs, signal)
    const left = await hidden()
    share = (below - left) / (taller - height)
    ;[height, below] = [taller, left]
    if (share < leastShare) break
  }
  if (share < leastShare) await resized(before.height)
  return { cut: below > 0, restore: () => resized(before.height) }
}

/**
 * How many pixels lie out of sight in the area that scrolls in place of the page; 0 without one. Runs in the isolated
 * world, and remembers the area there.
 */
const hiddenScript = `(() => {
  const area = globalThis.__area?.isConnected ? globalThis.__area : (${scrollArea})()
  if (area === null || area === (document.scrollingElement ?? document.documentElement)) return 0
  globalThis.__area = area
  return Math.max(0, area.scrollHeight - area.clientHeight - 1)
})()`
