import type { Session } from '../protocol/page-session.ts'
import { closedRoots, hostsScript } from './snapshot-script.ts'
import type { Tab } from './tab.ts'
import { StuckError, unlessStuck } from './world.ts'

// For nested components: how many levels of closed roots are opened, and how many elements are inspected per level.
const maxLayers = 3
const maxHosts = 150

/**
 * Passes the page's closed shadow roots to an isolated world: scripts cannot reach them, the protocol can. Returns false
 * when the page was too busy.
 */
export async function openClosedRoots({ cdp, world }: Pick<Tab, 'cdp' | 'world'>, limitMs: number): Promise<boolean> {
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
  const keep = `function (root) { ${closedRoots}.set(this, root) }`
  await cdp.send('Runtime.callFunctionOn', { objectId: host, functionDeclaration: keep, arguments: [{ objectId: object.objectId }] })
  return true
}
