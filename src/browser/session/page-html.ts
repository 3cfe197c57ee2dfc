import type { Page } from 'playwright-core'
import type { Call } from '../../domain/call.ts'
import type { ActionScrape } from '../../domain/pages/actions.ts'
import { performActions } from '../actions/perform.ts'
import { tabFor } from './tab-for.ts'

const maxBytes = 20 * 1024 ** 2

/** The HTML of a session's page as it is now, taken as the action `scrape` takes it. Throws what that throws. */
export async function pageHtml(page: Page, limitMs: number, call: Pick<Call, 'signal'>): Promise<ActionScrape> {
  const end = performance.now() + limitMs
  const { scrapes } = await performActions(await tabFor(page), [{ type: 'scrape' }], { left: () => end - performance.now(), waitMs: 0, maxBytes }, call)
  return scrapes[0] ?? { url: page.url(), html: '' }
}
