import type { Page } from 'playwright-core'
import { withTimeout } from '../../lib/with-timeout.ts'
import { openClosedRoots } from '../page/closed-roots.ts'
import { closedRoots } from '../page/snapshot-script.ts'
import type { Tab } from '../page/tab.ts'
import { isolatedWorld } from '../page/world.ts'
import { wireOf } from '../protocol/wire.ts'
import { tabFor } from './tab-for.ts'

type Ways = Pick<Tab, 'cdp' | 'world'>

const known = new WeakMap<Page, Ways>()

/** The driver's own session of a page and its script world there, of which the page knows nothing; null when it has none. */
async function driversWays(page: Page): Promise<Ways | null> {
  const wire = wireOf(page.context().browser())
  const { targetId } = (await tabFor(page)).cdp
  const name = wire.driversWorld(targetId)
  if (name === null) return null
  const cdp = wire.session(targetId)
  const ways = known.get(page) ?? { cdp, world: isolatedWorld(cdp, name) }
  known.set(page, ways)
  return ways
}

/** In that world, the closed roots that were opened for it look like open ones. */
const asOpen = String.raw`(() => {
  if (${closedRoots} !== undefined) return
  const opened = (${closedRoots} = new Map())
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, 'shadowRoot')
  Object.defineProperty(Element.prototype, 'shadowRoot', { get() { return Reflect.apply(get, this, []) ?? opened.get(this) ?? null } })
})()`

async function show(page: Page, limitMs: number): Promise<void> {
  const ways = await driversWays(page)
  if (ways === null) return
  await ways.world.evaluate(asOpen, limitMs)
  await openClosedRoots(ways, limitMs)
}

/** Lets the driver's snapshots and locators find what is in the closed shadow roots that a page has now, if that can be done in time; never rejects. */
export async function showClosedRoots(page: Page, limitMs: number): Promise<void> {
  // A page that is busy or goes elsewhere is told of by what is done in it.
  await withTimeout(show(page, limitMs).catch(() => undefined), limitMs, () => undefined)
}
