import type { BrowserContext, Page } from 'playwright-core'
import type { PageSession } from './page-session.ts'
import { wireOf } from './wire.ts'

const targets = new WeakMap<Page, string>()

/** Stores the id of a page's target, so that nobody needs to ask for it. */
export function rememberTarget(page: Page, targetId: string): void {
  targets.set(page, targetId)
}

/** Opens a page, and stores the id of its target. */
export async function openPage(context: BrowserContext): Promise<Page> {
  const { opened, targetId } = await wireOf(context.browser()).opening(() => context.newPage())
  if (targetId !== null) rememberTarget(opened, targetId)
  return opened
}

/** The driver's session of a page. Rejects when the page has gone. */
export async function sessionOf(page: Page): Promise<PageSession> {
  const targetId = targets.get(page) ?? (await askedTarget(page))
  rememberTarget(page, targetId)
  return wireOf(page.context().browser()).session(targetId)
}

/** The id of the target of a page that somebody else has opened: the driver does not tell it, but a session of the page does. */
async function askedTarget(page: Page): Promise<string> {
  const cdp = await page.context().newCDPSession(page)
  const { targetInfo } = await cdp.send('Target.getTargetInfo')
  cdp.detach().catch(() => undefined)
  return targetInfo.targetId
}
