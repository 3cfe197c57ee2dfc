import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { contextTerms, visit } from '../../src/browser/index.ts'
import { killNow } from '../../src/browser/chromium/processes.ts'
import { startSite, type Site } from '../site/index.ts'
import { chromiumHere } from '../pages.ts'
import { bareClient, part } from './cdp-client.ts'
import { browserCall, findOptions, testPool } from './pool.ts'
import { testSessions } from './sessions.ts'

interface Elsewhere {
  readonly address: string
  stop(): Promise<void>
}

/** A Chromium that somebody else runs, as `TRAWL_CDP_URL` names it. */
async function startElsewhere(): Promise<Elsewhere> {
  const { path, env } = await chromiumHere()
  const folder = await mkdtemp(join(tmpdir(), 'trawl-elsewhere-'))
  const child = spawn(path, ['--headless', '--no-sandbox', '--disable-dev-shm-usage', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'], { env: { PATH: '/usr/bin:/bin', HOME: folder, ...env }, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = async (): Promise<void> => {
    // With all its processes: the program that distributions install may be a script that starts Chromium.
    if (child.pid !== undefined) killNow(-child.pid)
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const port = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1]
      if (port !== undefined) resolve({ address: `http://127.0.0.1:${port}`, stop })
    })
    child.once('close', () => reject(new Error(said)))
  })
}

describe('a browser that runs elsewhere', () => {
  let site: Site
  let elsewhere: Elsewhere
  beforeAll(async () => {
    ;[site, elsewhere] = await Promise.all([startSite(), startElsewhere()])
  })
  afterAll(() => Promise.all([site.close(), elsewhere.stop()]))

  async function titleOf(pool: Awaited<ReturnType<typeof testPool>>['pool'], quiet: boolean): Promise<string | undefined> {
    const order = { url: site.url('/walls/driver'), headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true }
    const terms = contextTerms(order)
    const visited = await pool.use({ context: terms.context, quiet }, (page, _, call) => visit(page, { order, terms }, { clock: Date, maxBytes: 1e6 }, call), browserCall())
    return visited.kind === 'captured' ? /<title>(.*?)</.exec(Buffer.from(visited.capture.body).toString())?.[1] : undefined
  }

  it('provides both tiers, connects through the tunnel, and leaves its other pages open', async () => {
    const { pool } = await testPool({ allow: [`127.0.0.1:${site.port}`], options: { find: { ...findOptions, cdpUrl: elsewhere.address } } })
    expect([await titleOf(pool, false), await titleOf(pool, true)]).toEqual(['Just a moment...', 'Tide tables'])
    await expect(pool.use({ context: {} }, (page) => page.goto('http://127.0.0.1:8999/').then((answer) => answer?.status()), browserCall())).resolves.toBe(403)
    await pool.stop()
    const visitor = await chromium.connectOverCDP(elsewhere.address)
    onTestFinished(() => visitor.close())
    expect(visitor.contexts().map((context) => context.pages().map((page) => page.url()))).toEqual([['about:blank']])
  })

  it('is named when it does not answer', async () => {
    const { pool } = await testPool({ allow: [], options: { find: { ...findOptions, cdpUrl: 'http://127.0.0.1:9' } } })
    await expect(pool.use({ context: {} }, async () => 1, browserCall())).rejects.toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED', message: expect.stringContaining('TRAWL_CDP_URL') })
  })

  it('serves sessions, which see nothing of its other pages and leave them as they were', async () => {
    const all = await testSessions([`127.0.0.1:${site.port}`], {}, { find: { ...findOptions, cdpUrl: elsewhere.address } })
    onTestFinished(() => all.stop())
    const session = await all.sessions.open({ languages: ['en-US'] }, browserCall())
    const client = await bareClient(session)
    const urls = async (): Promise<readonly string[]> => part<readonly { readonly url: string; readonly type: string }[]>(await client.ask('Target.getTargets', {}, null), 'targetInfos').flatMap(({ url, type }) => (type === 'page' ? [url] : []))
    await client.ask('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, null)
    await client.ask('Runtime.runIfWaitingForDebugger')
    await (await session.page()).goto(site.url('/walls/driver'))
    expect(await urls()).toEqual([site.url('/walls/driver')])
    const theirs = await chromium.connectOverCDP(elsewhere.address)
    const page = await theirs.contexts()[0]?.newPage()
    await page?.goto('data:text/html,<title>theirs')
    expect([await page?.title(), await urls()]).toEqual(['theirs', [site.url('/walls/driver')]])
    await session.close()
    expect(await page?.title()).toBe('theirs')
    await page?.close()
    await theirs.close()
  })
})
