import type { CDPSession, Page } from 'playwright-core'
import { type Wire, wireOf } from '../wire.ts'
import { data } from './data.ts'
import { type Traffic, traffic } from './traffic.ts'
import { type Trust, trust } from './trust.ts'
import { isolatedWorld, type World } from './world.ts'

/**
 * An open page with the ways to access it: the driver's, a protocol session, an isolated script world, and the wire that
 * the driver uses.
 */
export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
  readonly world: World
  readonly traffic: Traffic
  readonly trust: Trust
  readonly wire: Wire
}

/** Opens the other ways into a fresh page. They end with the page. */
export async function tabOf(page: Page): Promise<Tab> {
  const cdp = await page.context().newCDPSession(page)
  const [world, seen] = await Promise.all([isolatedWorld(cdp), data(cdp)])
  return { page, cdp, world, traffic: traffic(page, seen), trust: trust(cdp), wire: wireOf(page.context().browser()) }
}
