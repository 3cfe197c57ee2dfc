import type { CDPSession, Page } from 'playwright-core'
import { type Wire, wireOf } from '../wire.ts'
import { type Traffic, traffic } from './traffic.ts'
import { type Trust, trust } from './trust.ts'
import { isolatedWorld, type World } from './world.ts'

/** One open page with the three ways in which we look at it: the driver's, the protocol's, and a script world of our own. */
export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
  readonly world: World
  readonly traffic: Traffic
  readonly trust: Trust
  /** Where the driver hears nothing of the page's scripts: the way to make it do without; else null. */
  readonly wire: Wire | null
}

/** Opens the second and third way into a fresh page, `quiet` where its scripts are not heard. They end with the page. */
export async function tabOf(page: Page, quiet: boolean): Promise<Tab> {
  const cdp = await page.context().newCDPSession(page)
  return { page, cdp, world: await isolatedWorld(cdp), traffic: traffic(page), trust: trust(cdp), wire: quiet ? wireOf(page.context().browser()) : null }
}
