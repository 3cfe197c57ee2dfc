import type { Page } from 'playwright-core'
import { sessionOf } from '../open-page.ts'
import type { PageSession } from '../protocol/page-session.ts'
import { type Wire, wireOf } from '../protocol/wire.ts'
import { data } from './data.ts'
import { type Traffic, traffic } from './traffic.ts'
import { type Trust, trust } from './trust.ts'
import { isolatedWorld, type World } from './world.ts'

/**
 * An open page with the ways to access it: the driver's, its protocol session, an isolated script world, and the wire that
 * the driver uses.
 */
export interface Tab {
  readonly page: Page
  readonly cdp: PageSession
  readonly world: World
  readonly traffic: Traffic
  readonly trust: Trust
  readonly wire: Wire
}

/** Opens the other ways into a fresh page. They end with the page. */
export async function tabOf(page: Page): Promise<Tab> {
  const cdp = await sessionOf(page)
  return { page, cdp, world: isolatedWorld(cdp), traffic: traffic(page, await data(cdp)), trust: trust(cdp), wire: wireOf(page.context().browser()) }
}
