import type { Page } from 'playwright-core'
import { type Tab, tabOf } from '../page/tab.ts'

// Listeners stay as long as the page: one tab for all that use it.
const tabs = new WeakMap<Page, Promise<Tab>>()

/** The tab of a page of a session, made by the first call for it. */
export function tabFor(page: Page): Promise<Tab> {
  const known = tabs.get(page)
  if (known !== undefined) return known
  const made = tabOf(page)
  tabs.set(page, made)
  made.catch(() => tabs.delete(page))
  return made
}
