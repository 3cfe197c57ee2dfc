import type { BrowserContext, Page } from 'playwright-core'
import type { PageSession } from './protocol/page-session.ts'
import { wireOf } from './protocol/wire.ts'

const targets = new WeakMap<Page, string>()

/** Stores the id of a page's target, so that nobody needs to ask for it. */
export function rememberTarget(page: Page, targetId: string): void {
  targets.set(page, targetId)
}

/** Opens a page, and stores the id of its target. Pages that are opened otherwise meanwhile could be taken for one another. */
export async function openPage(context: BrowserContext): Promise<Page> {
  const { opened, targetId } = await wireOf(context.browser()).opening(() => context.newPage())
  if (targetId !== null) rememberTarget(opened, targetId)
  return opened
}

/**
 * The driver's session of a page; one of our own, whose answers have the limit of the driver's, for a page that somebody else has opened, of which the driver does not tell the target.
 * Rejects when the page has gone.
 */
export async function sessionOf(page: Page): Promise<PageSession> {
  const targetId = targets.get(page)
  if (targetId !== undefined) return wireOf(page.context().browser()).session(targetId)
  const cdp = await page.context().newCDPSession(page)
  const [{ targetInfo }] = await Promise.all([cdp.send('Target.getTargetInfo'), cdp.send('Page.enable')])
  return Object.assign(cdp, { targetId: targetInfo.targetId, contextId: targetInfo.browserContextId ?? '', within: () => cdp })
}
