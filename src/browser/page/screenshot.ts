import type { CDPSession, Page } from 'playwright-core'
import type { Shot, ShotOrder } from '../../domain/capture.ts'
import { sleep } from '../../lib/sleep.ts'
import type { Tab } from './tab.ts'

// R21: beyond this the encoder fails or eats the memory of the browser.
const maxSide = 16_384
// A picture of 16,384 by 7,680 pixels takes 500 MB while it is made.
const maxPixels = 120_000_000

/**
 * A picture of the page, or of all of it: animations ended, the caret hidden, lazy pictures fetched by scrolling once through the page.
 * Rejects with the signal's reason.
 */
export async function screenshot({ page, cdp, world, traffic }: Tab, order: ShotOrder, limits: { readonly limitMs: number; readonly signal: AbortSignal }): Promise<Shot> {
  const end = performance.now() + limits.limitMs
  if (order.fullPage) await world.evaluate(scrollScript(Math.min(4_000, limits.limitMs / 3)), limits.limitMs)
  await picturesQuiet(page, traffic.images, Math.min(2_000, Math.max(0, end - performance.now()) / 3), limits.signal)
  await cdp.send('Page.bringToFront')
  const { clip, clipped } = order.fullPage ? await wholePage(cdp, await world.evaluate<number>('devicePixelRatio', limits.limitMs)) : { clip: undefined, clipped: false }
  const bytes = await page.screenshot({
    animations: 'disabled',
    caret: 'hide',
    timeout: Math.max(1, end - performance.now()),
    ...(order.quality === undefined ? { type: 'png' } : { type: 'jpeg', quality: order.quality }),
    ...(clip === undefined ? {} : { clip, fullPage: true }),
  })
  return { bytes, type: order.quality === undefined ? 'image/png' : 'image/jpeg', clipped }
}

interface Clip {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The page's own size as far as a picture may reach, in the pixels of the page. */
async function wholePage(cdp: CDPSession, scale: number): Promise<{ readonly clip: Clip; readonly clipped: boolean }> {
  const { cssContentSize: size, cssLayoutViewport } = await cdp.send('Page.getLayoutMetrics')
  const side = Math.floor(maxSide / scale)
  const full = { width: Math.max(size.width, cssLayoutViewport.clientWidth), height: Math.max(size.height, cssLayoutViewport.clientHeight) }
  const width = Math.min(full.width, side)
  const height = Math.min(full.height, side, Math.floor(maxPixels / (width * scale * scale)))
  return { clip: { x: 0, y: 0, width, height }, clipped: width < full.width || height < full.height }
}

/** Waits until no picture has been fetched for a moment. */
async function picturesQuiet(page: Page, images: () => { readonly open: number; readonly lastMs: number }, limitMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs
  while (performance.now() < end && !page.isClosed()) {
    const { open, lastMs } = images()
    if (open === 0 && performance.now() - lastMs > 150) return
    await sleep(50, signal)
  }
}

/** Scrolls through the page window by window and back, no longer than `maxMs`. Runs in the isolated world. */
function scrollScript(maxMs: number): string {
  return `(async () => {
    const end = performance.now() + ${Math.round(maxMs)}
    const root = document.scrollingElement ?? document.documentElement
    const top = scrollY
    for (let y = 0; y < root.scrollHeight && y < ${maxSide} && performance.now() < end; y += innerHeight) {
      scrollTo({ top: y, behavior: 'instant' })
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    scrollTo({ top, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, 60))
  })()`
}
