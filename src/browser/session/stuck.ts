import type { CDPSession, Page } from 'playwright-core'
import { within } from '../within.ts'

/** A page and our protocol session to it; a page that is busy from its start may never get one. */
export interface Guarded {
  readonly page: Page
  readonly line: Promise<CDPSession>
  /** Whether a navigation of it waits for its site. */
  readonly underway: () => boolean
}

/** How long a page may take to answer. */
const answerMs = 1_000
/** How long a page may wait for its site while a client waits for the page. */
const arriveMs = 5_000
const stopMs = 500
const closeMs = 1_000

const shownUrl = (page: Page): string => page.url().slice(0, 200)

/**
 * Frees pages whose scripts do not end. A stuck page also blocks other clients: a driver that connects waits for it. So it
 * does for a page that waits for its site, which is stopped only where a driver is about to connect.
 */
export function stuckPages(): (all: readonly Guarded[], connecting: boolean) => Promise<readonly string[]> {
  // A page that is stuck again is not stopped again: it may use a timer and answer in between.
  const stopped = new WeakSet<Page>()

  const answers = (line: Promise<CDPSession>, ms: number): Promise<boolean> => within(line.then((cdp) => cdp.send('Runtime.evaluate', { expression: '1' })), ms)

  async function close({ page, line }: Guarded): Promise<string> {
    const url = shownUrl(page)
    // The browser does this even if the page does not respond; its process ends.
    line.then((cdp) => cdp.send('Page.crash')).catch(() => undefined)
    await within(page.close(), closeMs)
    return `The page ${url} did not answer any more and was closed.`
  }

  async function free(one: Guarded, connecting: boolean): Promise<string | null> {
    const { page, line } = one
    const waits = one.underway()
    if (page.isClosed() || (waits && !connecting) || (await answers(line, waits ? arriveMs : answerMs))) return null
    if (one.underway()) {
      if (!connecting) return null
      line.then((cdp) => cdp.send('Page.stopLoading')).catch(() => undefined)
      if (await answers(line, stopMs)) return `The page ${shownUrl(page)} was going to another that did not come, and stays.`
    }
    if (stopped.has(page)) return close(one)
    stopped.add(page)
    line.then((cdp) => cdp.send('Runtime.terminateExecution')).catch(() => undefined)
    return (await answers(line, stopMs)) ? `A script of the page ${shownUrl(page)} did not end and was stopped.` : close(one)
  }

  return async (all, connecting) => (await Promise.all(all.map((one) => free(one, connecting)))).filter((said) => said !== null)
}
