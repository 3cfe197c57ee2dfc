import type { Frame, Page } from 'playwright-core'
import type { Shot, ShotOrder } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import { deadline } from '../../lib/deadline.ts'
import { sleep } from '../../lib/sleep.ts'
import type { Session } from '../protocol/page-session.ts'
import { drawing } from './drawing.ts'
import { arrangeScript, leaveScript, scrollScript } from './full-page-script.ts'
import { pause } from './pause-script.ts'
import type { Tab } from './tab.ts'
import { tallWindow } from './tall-window.ts'
import { unlessGone } from './world.ts'

// R21: beyond this the encoder fails or exhausts the browser's memory.
const maxSide = 16_384
// A picture of 16,384 by 7,680 pixels takes 500 MB while it is made.
const maxPixels = 120_000_000

/** One for the process: its browsers share the memory of the machine. */
const drawn = drawing()

interface Limits {
  readonly limitMs: number
  readonly signal: AbortSignal
}

/**
 * A screenshot of the window or of the full page, with animations finished, the caret hidden, and, for the full page, lazy
 * pictures loaded and bars of the window at its edges. Rejects with the signal's reason, and with `GoneError` when another
 * document replaces the page meanwhile.
 */
export async function screenshot(tab: Tab, order: ShotOrder, limits: Limits): Promise<Shot> {
  const end = performance.now() + limits.limitMs
  const rest = (): Limits => ({ limitMs: Math.max(1, end - performance.now()), signal: limits.signal })
  const type = order.quality === undefined ? 'image/png' : 'image/jpeg'
  if (!order.fullPage) return { bytes: await still(tab, order, undefined, rest()), type, clipped: false }
  await tab.world.evaluate(scrollScript(Math.min(4_000, limits.limitMs / 3), maxSide), limits.limitMs)
  const scale = await tab.world.evaluate<number>('devicePixelRatio', limits.limitMs)
  const width = tab.page.viewportSize()?.width ?? 0
  const tall = await tallWindow(tab, mostHeight(width, scale), { ...limits, limitMs: Math.min(4_000, rest().limitMs / 3) })
  try {
    const { clip, clipped } = await wholePage(tab.cdp, scale)
    // If this fails, the picture shows the page less well, which is still useful.
    await tab.world.evaluate(arrangeScript(clip.height), rest().limitMs).catch(() => undefined)
    return { bytes: await still(tab, order, clip, rest()), type, clipped: clipped || tall?.cut === true }
  } finally {
    await tab.world.evaluate(leaveScript, Math.min(1_000, rest().limitMs)).catch(() => undefined)
    await tall?.restore()
  }
}

/** Takes the picture once the pictures on the page have arrived. */
async function still(tab: Tab, order: ShotOrder, clip: Clip | undefined, limits: Limits): Promise<Uint8Array> {
  const end = performance.now() + limits.limitMs
  await picturesQuiet(tab.page, tab.traffic.images, Math.min(2_000, limits.limitMs / 3), limits.signal)
  await unlessGone(tab.cdp.send('Page.bringToFront'))
  return picture(tab, order, clip, { ...limits, limitMs: Math.max(1, end - performance.now()) })
}

/**
 * Takes the picture over the protocol, because the driver would have to listen to the page's scripts. Throws
 * `SCRAPE_TIMEOUT`.
 */
async function picture({ page, cdp, wire, world }: Tab, { quality }: ShotOrder, clip: Clip | undefined, limits: Limits): Promise<Uint8Array> {
  // If this fails, the picture shows a page in motion, which is still useful.
  await world.evaluate(stillScript, limits.limitMs).catch(() => undefined)
  const params = { ...(quality === undefined ? { format: 'png' } : { format: 'jpeg', quality }), ...(clip === undefined ? {} : { clip: { ...clip, scale: 1 }, captureBeyondViewport: true }) }
  const late = deadline(limits.signal, limits.limitMs, () => new ServiceError('SCRAPE_TIMEOUT', 'The picture of the page was not made in time.'))
  try {
    const command = (): Promise<unknown> => unlessGone(wire.command(cdp.targetId, { method: 'Page.captureScreenshot', params }))
    const { data } = (await drawn(() => despiteNavigation(page, command), late.signal)) as { readonly data: string } // what the command answers
    return Buffer.from(data, 'base64')
  } finally {
    late.dispose()
  }
}

// A picture that is under way when another document comes is mostly lost; where it is not, it comes soon.
const lostMs = 700

/** The answer of a command that the browser never answers if another document replaces the page meanwhile: it is then given again. */
async function despiteNavigation(page: Page, command: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const answer = command()
    let timer: NodeJS.Timeout | undefined
    let lose = (): void => undefined
    const lost = new Promise<null>((resolve) => {
      lose = () => resolve(null)
    })
    const onNavigated = (frame: Frame): void => {
      if (frame === page.mainFrame()) timer ??= setTimeout(lose, lostMs)
    }
    page.on('framenavigated', onNavigated)
    page.once('close', lose)
    try {
      const first = await Promise.race([answer.then((value) => ({ value })), lost])
      if (first !== null) return first.value
      if (page.isClosed()) return await answer
      answer.catch(() => undefined)
    } finally {
      clearTimeout(timer)
      page.off('framenavigated', onNavigated)
      page.off('close', lose)
    }
  }
}

/** Ends animations, hides the caret, and waits a moment for fonts. Runs in the isolated world. */
const stillScript = `(async () => {
  for (const one of Document.prototype.getAnimations.call(document)) {
    if (Number.isFinite(Number(one.effect?.getComputedTiming().endTime))) one.finish()
    else one.cancel()
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('*, *::before, *::after { caret-color: transparent !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  await Promise.race([document.fonts.ready, ${pause}(1_000)])
})()`

interface Clip {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The height that a picture of that width can have, in CSS pixels. */
const mostHeight = (width: number, scale: number): number => Math.min(Math.floor(maxSide / scale), Math.floor(maxPixels / (Math.max(1, width) * scale * scale)))

/** The page's full size, in CSS pixels, cut at what a picture can have. */
async function wholePage(cdp: Session, scale: number): Promise<{ readonly clip: Clip; readonly clipped: boolean }> {
  const { cssContentSize: size, cssLayoutViewport } = await unlessGone(cdp.send('Page.getLayoutMetrics'))
  const side = Math.floor(maxSide / scale)
  const full = { width: Math.max(size.width, cssLayoutViewport.clientWidth), height: Math.max(size.height, cssLayoutViewport.clientHeight) }
  const width = Math.min(full.width, side)
  const height = Math.min(full.height, mostHeight(width, scale))
  return { clip: { x: 0, y: 0, width, height }, clipped: width < full.width || height < full.height }
}

/** Waits until no picture was loaded for a moment. */
async function picturesQuiet(page: Page, images: () => { readonly open: number; readonly lastMs: number }, limitMs: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs
  while (performance.now() < end && !page.isClosed()) {
    const { open, lastMs } = images()
    if (open === 0 && performance.now() - lastMs > 150) return
    await sleep(50, signal)
  }
}
