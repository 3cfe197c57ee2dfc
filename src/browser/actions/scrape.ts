import { snapshot } from '../page/snapshot.ts'
import { StuckError } from '../page/world.ts'
import { ActionError, type ActionHandler, spend } from './stage.ts'

const maxNodes = 1_000_000
const maxText = 20 * 1024 ** 2

/** Takes the HTML of the page in its present state. */
export const scrape: ActionHandler<'scrape'> = async (_action, stage) => {
  const { tab, left, results, maxBytes } = stage
  try {
    const { html, url } = await snapshot(tab, { maxNodes, maxText, maxBytes }, Math.max(500, left()))
    spend(stage, Buffer.byteLength(html))
    results.scrapes.push({ url, html })
  } catch (error) {
    if (error instanceof StuckError) throw new ActionError('The page keeps the browser too busy to be read.', { cause: error })
    throw error
  }
}
