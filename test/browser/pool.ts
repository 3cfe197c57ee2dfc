import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { browserPool, type FindOptions, type PoolOptions } from '../../src/browser/index.ts'
import type { Call } from '../../src/domain/call.ts'
import { allowList, egress, nameResolver, ownEndpoints, tunnel } from '../../src/net/index.ts'

/** Where tests look for Chromium; the packaged one is unpacked once for all of them. */
export const findOptions: FindOptions = {
  path: null,
  cdpUrl: null,
  cacheDir: join(tmpdir(), `trawl-test-cache-${process.getuid?.() ?? 0}`),
  searchPath: ['/usr/local/bin', '/usr/bin', '/bin'],
  home: homedir(),
}

export interface TestPool {
  readonly allow: readonly string[]
  readonly servers?: readonly string[]
  readonly clock?: { now(): number }
  readonly options?: Partial<PoolOptions>
}

/**
 * A pool with its own tunnel and egress guard, which stops when the test ends. The folders of its browsers are below
 * `parent`, where the test can see them.
 */
export async function testPool({ allow, servers = [], clock = Date, options = {} }: TestPool) {
  const parent = await mkdtemp(join(tmpdir(), 'trawl-pool-'))
  // Root's browsers run as another user, who must be able to enter the folder.
  await chmod(parent, 0o711)
  const own = ownEndpoints()
  const resolver = nameResolver({ servers, clock })
  const proxy = await tunnel(egress({ resolver, own, allow: allowList(allow) }), own)
  const said: string[] = []
  const pool = browserPool({ find: findOptions, tunnel: proxy, clock: Date, say: (event) => void said.push(event), concurrency: 4, parent, ...options })
  onTestFinished(async () => {
    await pool.stop()
    await proxy.close()
    resolver.close()
    await rm(parent, { recursive: true, force: true })
  }, 30_000)
  return { pool, parent, proxy, said }
}

/**
 * The value of an expression in a page. Not evaluated by the driver, which would have to listen to the page's scripts
 * for that.
 */
export async function value(page: Page, expression: string): Promise<unknown> {
  const cdp = await page.context().newCDPSession(page)
  const { result } = await cdp.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
  return result.value
}

export function browserCall(ms = 20_000, team = 'team'): Call {
  return { id: 'call', team, signal: new AbortController().signal, deadline: Date.now() + ms, retention: 'normal', log: () => {} }
}
