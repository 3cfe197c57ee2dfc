import type { CDPSession, Page } from 'playwright-core'

const lines = new WeakMap<Page, Promise<CDPSession>>()

/** A line to a tab beside the driver's, which lasts as long as the tab does. Opened in advance: a busy page accepts no new one. */
export function lineTo(page: Page): Promise<CDPSession> {
  const known = lines.get(page)
  if (known !== undefined) return known
  const made = page.context().newCDPSession(page)
  // Whoever needs it waits for it; without it, the page stays as it is.
  made.catch(() => undefined)
  lines.set(page, made)
  return made
}
