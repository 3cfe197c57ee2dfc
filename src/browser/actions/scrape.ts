import { snapshot, stopScripts } from '../page/snapshot.ts'
import { GoneError, StuckError } from '../page/world.ts'
import { ActionError, type ActionHandler, spend, type Stage } from './stage.ts'

const maxNodes = 1_000_000
const maxText = 20 * 1024 ** 2

// A script that is busy for longer is taken for one that never ends, as in the other actions.
const busyMs = 5_000

async function stopEndlessScript({ tab, left }: Stage): Promise<void> {
  try {
    await tab.world.evaluate('0', Math.max(1, Math.min(busyMs, left() / 2)))
  } catch (error) {
    if (error instanceof StuckError) await stopScripts(tab.cdp)
    else if (!(error instanceof GoneError)) throw error
  }
}

/** Takes the HTML of the page in its present state. */
export const scrape: ActionHandler<'scrape'> = async (_action, stage) => {
  const { tab, left, results, maxBytes } = stage
  try {
    await stopEndlessScript(stage)
    const { html, url, truncated } = await snapshot(tab, { maxNodes, maxText, maxBytes }, Math.max(500, left()))
    spend(stage, Buffer.byteLength(html))
    results.scrapes.push({ url, html, ...(truncated ? { cut: true } : {}) })
  } catch (error) {
    if (error instanceof StuckError) throw new ActionError('The page keeps the browser too busy to be read.', { cause: error })
    throw error
  }
}
