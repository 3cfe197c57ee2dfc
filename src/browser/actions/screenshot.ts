import { pause } from '../page/pause-script.ts'
import { screenshot as picture } from '../page/screenshot.ts'
import { type ActionHandler, ask, inTime, onceThere, spend, type Stage } from './stage.ts'

/** Takes a screenshot, in a window of another size if one is given. */
export const screenshot: ActionHandler<'screenshot'> = async ({ fullPage, quality, viewport }, stage) => {
  const { tab, left, signal, results } = stage
  const before = viewport === undefined ? null : tab.page.viewportSize()
  if (viewport !== undefined) await resize(stage, viewport)
  try {
    const shot = await onceThere(stage, () => picture(tab, { fullPage, quality }, { limitMs: Math.max(500, left()), signal }))
    spend(stage, shot.bytes.length)
    results.screenshots.push(shot)
  } finally {
    if (before !== null) await resize(stage, before)
  }
}

async function resize(stage: Stage, size: { readonly width: number; readonly height: number }): Promise<void> {
  await inTime(stage, stage.tab.page.setViewportSize(size))
  // Responsive pages load other parts at another size now.
  await onceThere(stage, () => ask(stage, `${pause}(100)`))
}
