import { untilAborted } from '../../lib/deadline.ts'
import { sleep } from '../../lib/sleep.ts'
import { within } from '../within.ts'
import { scrollArea, scrollRoot } from './scroll-area.ts'
import type { Tab } from './tab.ts'
import { variable } from './variable.ts'
import { GoneError } from './world.ts'

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
const restoreMs = 1_000

const area = variable('area')

/**
 * Makes the window as tall as a page needs that scrolls within itself, since the height of its document is that of the
 * window; up to `maxHeight` CSS pixels. Null for other pages. Rejects with the signal's reason, and with `GoneError` when
 * another document replaces the page meanwhile; the window then has its size back.
 */
export async function tallWindow({ page, world }: Tab, maxHeight: number, { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal }): Promise<TallWindow | null> {
  const before = page.viewportSize()
  const stillHidden = async (): Promise<number> => {
    const left = await world.evaluate<number | null>(`${area} === undefined ? null : ${hiddenScript}`, limitMs)
    if (left === null) throw new GoneError('document gone')
    return left
  }
  const resized = async (height: number): Promise<void> => untilAborted(page.setViewportSize({ width: before?.width ?? 0, height }), signal)
  let below = before === null ? 0 : await world.evaluate<number>(hiddenScript, limitMs)
  if (before === null || below === 0) return null
  const end = performance.now() + limitMs
  let { height } = before
  // How many pixels the area grows with each of the window; learned from the first round.
  let share = 1
  try {
    for (let round = 0; round < mostRounds && below > 0 && height < maxHeight && performance.now() < end; round++) {
      const taller = Math.min(maxHeight, height + Math.ceil(below / share))
      await resized(taller)
      await sleep(settleMs, signal)
      const left = await stillHidden()
      share = (below - left) / (taller - height)
      ;[height, below] = [taller, left]
      if (share < leastShare) break
    }
  } catch (error) {
    // The window of a page that is too busy to be measured does not change either.
    await within(resized(before.height), restoreMs)
    throw error
  }
  if (share < leastShare) await resized(before.height)
  return { cut: below > 0, restore: () => resized(before.height) }
}

/**
 * How many pixels lie out of sight in the area that scrolls in place of the page; 0 without one. Runs in the isolated
 * world, and remembers the area there.
 */
const hiddenScript = `(() => {
  const area = ${area}?.isConnected ? ${area} : (${scrollArea})()
  if (area === null || area === ${scrollRoot}) return 0
  ${area} = area
  return Math.max(0, area.scrollHeight - area.clientHeight - 1)
})()`
