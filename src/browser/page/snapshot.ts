import { withTimeout } from '../../lib/with-timeout.ts'
import type { Session } from '../page-session.ts'
import { withForeignFrames } from './foreign-frames.ts'
import { closedRoots, hostsScript, type Serialised, type SnapshotBudget, snapshotScript } from './snapshot-script.ts'
import type { Tab } from './tab.ts'
import { GoneError, StuckError, unlessStuck } from './world.ts'

/** How much of a page is taken (R20, R21). */
export interface SnapshotLimits {
  readonly maxNodes: number
  readonly maxBytes: number
  /** Characters of text and attributes. */
  readonly maxText: number
}

// The rest of the time is for transferring the result.
const walkShare = 0.6
// More than pages hide, and longer than it takes to find: beyond that, hidden elements are determined from the HTML.
const maxUnseen = 5_000
const unseenMs = 1_500
// A page of more frames shows the same thing in many of them, or nothing that is read.
const maxFrames = 20

// A page of a million elements is laid out for seconds before it answers anything.
const rootsMs = 1_500
// For nested components: how many levels of closed roots are opened, and how many elements are inspected per level.
const maxLayers = 3
const maxHosts = 150

/**
 * The rendered document as HTML: shadow trees in place of their hosts, frames in place, with the values of forms. Taken in the isolated world. Rejects with `StuckError` when the page's thread stays busy.
 */
export async function snapshot(tab: Tab, limits: SnapshotLimits, limitMs: number): Promise<Serialised> {
  const end = performance.now() + limitMs
  for (let tries = 0; ; tries++) {
    try {
      const opened = await openClosedRoots(tab, Math.min(rootsMs, limitMs / 3))
      const left = Math.max(1, end - performance.now())
      const budget: SnapshotBudget = { maxNodes: limits.maxNodes, maxChars: limits.maxBytes, maxText: limits.maxText, ms: left * walkShare, maxUnseen, unseenMs: Math.min(unseenMs, left * walkShare * 0.3), maxFrames }
      const taken = await tab.world.evaluate<Serialised>(snapshotScript(budget), left)
      const whole = await withForeignFrames(tab, taken, budget, end - performance.now())
      return opened ? whole : { ...whole, truncated: true }
    } catch (error) {
      // The page navigated meanwhile.
      if (error instanceof GoneError && tries < 3 && performance.now() < end && !tab.page.isClosed()) continue
      throw error
    }
  }
}

/**
 * Passes the page's closed shadow roots to the isolated world: scripts cannot reach them, the protocol can. Returns false
 * when the page was too busy.
 */
async function openClosedRoots({ cdp, world }: Tab, limitMs: number): Promise<boolean> {
  try {
    for (let layer = 0; layer < maxLayers; layer++) {
      const hosts = await world.handle(hostsScript(maxHosts), limitMs)
      const opened = hosts === undefined ? 0 : await unlessStuck(openRootsOf(cdp, hosts, await world.context()), limitMs)
      if (opened === 0) return true
    }
    return true
  } catch (error) {
    // It may become free for the rest, which matters more.
    if (error instanceof StuckError) return false
    throw error
  }
}

async function openRootsOf(cdp: Session, hosts: string, executionContextId: number): Promise<number> {
  const { result } = await cdp.send('Runtime.getProperties', { objectId: hosts, ownProperties: true })
  const elements = result.flatMap(({ name, value }) => (/^\d+$/.test(name) && value?.objectId !== undefined ? [value.objectId] : []))
  const opened = await Promise.all(elements.map((objectId) => openRootOf(cdp, objectId, executionContextId)))
  await cdp.send('Runtime.releaseObject', { objectId: hosts })
  return opened.filter(Boolean).length
}

async function openRootOf(cdp: Session, host: string, executionContextId: number): Promise<boolean> {
  const { node } = await cdp.send('DOM.describeNode', { objectId: host, depth: 0, pierce: true })
  const closed = node.shadowRoots?.find((root) => root.shadowRootType === 'closed')
  if (closed === undefined) return false
  const { object } = await cdp.send('DOM.resolveNode', { backendNodeId: closed.backendNodeId, executionContextId })
  if (object.objectId === undefined) return false
  const keep = `function (root) { globalThis.${closedRoots}.set(this, root) }`
  await cdp.send('Runtime.callFunctionOn', { objectId: host, functionDeclaration: keep, arguments: [{ objectId: object.objectId }] })
  return true
}

/** Stops a script that never ends, so that what it has made of the page can be read. */
export async function stopScripts(cdp: Session): Promise<void> {
  await withTimeout(cdp.send('Runtime.terminateExecution'), 1_000, () => undefined)
}
