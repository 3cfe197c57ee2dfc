import type { CDPSession, Page } from 'playwright-core'
import { within } from '../within.ts'

/** A page and our protocol session to it; a page that is busy from its start may never get one. */
export interface Guarded {
  readonly page: Page
  readonly line: Promise<CDPSession>
}

/** How long a page may take to answer. */
const answerMs = 1_000
const stopMs = 500
const closeMs = 1_000

const shownUrl = (page: Page): string => page.url().slice(0, 200)

/** Frees pages whose scripts do not end. A stuck page also blocks other clients: a driver that connects waits for it. */
export function stuckPages(): (all: readonly Guarded[]) => Promise<readonly string[]> {
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

  async function free(one: Guarded): Promise<string | null> {
    const { page, line } = one
    if (page.isClosed() || (await answers(line, answerMs))) return null
    if (stopped.has(page)) return close(one)
    stopped.add(page)
    line.then((cdp) => cdp.send('Runtime.terminateExecution')).catch(() => undefined)
    return (await answers(line, stopMs)) ? `A script of the page ${shownUrl(page)} did not end and was stopped.` : close(one)
  }

  return async (all) => (await Promise.all(all.map(free))).filter((said) => said !== null)
}
