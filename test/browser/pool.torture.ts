import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { browserCall, findOptions, testPool, value } from './pool.ts'

const pages: Readonly<Record<string, string>> = {
  '/good': '<h1>good</h1>',
  '/loop': '<h1>loop</h1><script>setTimeout(() => { for (;;); }, 30)</script>',
  '/memory': '<h1>memory</h1><script>const a = []; setInterval(() => a.push(new Uint8Array(4e7).fill(1)), 5)</script>',
  '/dialogs': '<h1>dialogs</h1><script>setInterval(() => alert(1), 1); onbeforeunload = () => "stay"</script>',
  '/popups': '<h1>popups</h1><script>setInterval(() => open("/good"), 1)</script>',
  '/console': '<h1>console</h1><script>for (;;) console.log("x".repeat(1000))</script>',
  '/leave': '<h1>leave</h1><script>onbeforeunload = e => { e.preventDefault(); for (;;); }; onunload = () => { for (;;); }</script>',
}

let origin = ''

beforeAll(async () => {
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    open.add(response.setHeader('Content-Type', 'text/html'))
    // Paths without a page never finish their answer.
    if (pages[request.url ?? ''] === undefined) response.write('<h1>half')
    else response.end(pages[request.url ?? ''])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server's address
  afterAll(() => {
    for (const response of open) response.destroy()
    server.close()
  })
})

const site = () => origin.slice('http://'.length)

/** Does what a scrape does: opens the page, waits a little, reads it. */
const read = (path: string) => async (page: Page) => {
  await page.goto(origin + path, { timeout: 0 })
  await page.waitForTimeout(300)
  return String(await value(page, 'document.querySelector("h1").innerText'))
}

const crash = async (page: Page, context: BrowserContext) => {
  await page.goto(`${origin}/good`)
  const session = await context.newCDPSession(page)
  await session.send('Page.crash')
  return 'survived'
}

const outcome = (work: Promise<string>): Promise<string> => work.catch((error: { code?: string; message: string }) => error.code ?? error.message)

/** The process groups of the browsers with a folder below `parent`. */
function groupsIn(parent: string): string[] {
  const base = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  const notes = existsSync(base) ? readdirSync(base).map((name) => join(base, name, 'pid')) : []
  return notes.flatMap((note) => (existsSync(note) ? [readFileSync(note, 'latin1').trim()] : []))
}

/** The processes that run in one of the groups. */
function runningIn(groups: readonly string[]): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'latin1') : ''
      const [state, , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state !== 'Z' && groups.includes(group)
    } catch {
      // Ended in the meantime.
      return false
    }
  })
}

/** Records the groups of all browsers that start and end below `parent`. */
function watchGroups(parent: string): () => string[] {
  const seen = new Set<string>()
  const look = (): void => groupsIn(parent).forEach((group) => seen.add(group))
  const timer = setInterval(look, 50)
  onTestFinished(() => clearInterval(timer))
  return () => (look(), [...seen])
}

const descriptors = () => readdirSync('/proc/self/fd').length

describe('a pool under torture', () => {
  it('serves pages of clients before pages of jobs', async () => {
    const { pool } = await testPool({ allow: [site()], options: { concurrency: 1 } })
    const served: string[] = []
    const visit = async (name: string, background?: true): Promise<void> => {
      await pool.use({ context: {} }, read('/good'), { ...browserCall(), ...(background && { background }) })
      served.push(name)
    }
    await Promise.all([visit('the first'), visit('of a job', true), visit('of a client')])
    expect(served).toEqual(['the first', 'of a client', 'of a job'])
  }, 30_000)

  it.each([
    ['basic', { context: {} }],
    ['enhanced', { context: {}, quiet: true }],
  ])('answers every page in time and leaves nothing behind, in the %s tier', async (_tier, terms) => {
    const { pool, parent } = await testPool({ allow: [site()], options: { limits: { rendererBytes: 400 * 1024 ** 2 } } })
    // Loads the driver, so that its own files are not counted.
    await pool.use({ context: {} }, read('/good'), browserCall())
    const before = descriptors()
    const groups = watchGroups(parent)
    const kinds: readonly (readonly [string, (page: Page, context: BrowserContext) => Promise<string>, readonly string[]])[] = [
      ['good', read('/good'), ['good']],
      ['half', read('/half'), ['SCRAPE_TIMEOUT']],
      ['loop', read('/loop'), ['SCRAPE_TIMEOUT']],
      ['memory', async (page) => (await read('/memory')(page), new Promise(() => {})), ['SCRAPE_SITE_ERROR', 'SCRAPE_TIMEOUT']],
      ['dialogs', read('/dialogs'), ['dialogs', 'SCRAPE_TIMEOUT']],
      ['popups', read('/popups'), ['popups', 'SCRAPE_TIMEOUT', 'SCRAPE_SITE_ERROR']],
      ['console', read('/console'), ['SCRAPE_SITE_ERROR', 'SCRAPE_TIMEOUT']],
      ['leave', read('/leave'), ['leave']],
      ['crash', crash, ['SCRAPE_SITE_ERROR']],
      ['good', read('/good'), ['good']],
    ]
    // Innocent pages have time enough even on the busiest machine, and must be served. The others may find all slots
    // still being cleared.
    const patient = new Set(['good', 'leave', 'crash'])
    const queue = Array.from({ length: 60 }, (_, i) => kinds[i % kinds.length])
    const wrong: unknown[] = []
    const one = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [name, work, expected] = next
        const ms = patient.has(name) ? 12_000 : 2_000
        const began = performance.now()
        const answer = await outcome(pool.use(terms, work, browserCall(ms)))
        const took = Math.round(performance.now() - began)
        const right = expected.includes(answer) || (!patient.has(name) && answer === 'CONCURRENCY_QUEUE_TIMEOUT')
        if (!right || took > ms + 4_000) wrong.push({ name, answer, took })
      }
    }
    await Promise.all(Array.from({ length: 4 }, one))
    expect(wrong).toEqual([])
    expect(runningIn(groups()).length).toBeGreaterThan(2)
    await pool.stop()
    expect(runningIn(groups())).toEqual([])
    expect(await leftIn(parent)).toEqual([])
    await expect.poll(descriptors).toBeLessThanOrEqual(before)
  }, 120_000)

  it('does not let innocent pages fail because another one crashes the browser', async () => {
    const { pool } = await testPool({ allow: [site()] })
    await pool.use({ context: {} }, read('/good'), browserCall())
    const fatal = async (_: Page, context: BrowserContext) => {
      const session = await context.browser()?.newBrowserCDPSession()
      await session?.send('Browser.crash').catch(() => undefined)
      return new Promise<string>(() => {})
    }
    const answers = await Promise.all([fatal, read('/good'), read('/good')].map((work) => outcome(pool.use({ context: {} }, work, browserCall(8_000)))))
    expect(answers).toEqual(['SCRAPE_SITE_ERROR', 'good', 'good'])
  })

  it('grants slots in turn, and reports when none was free in time', async () => {
    const { pool } = await testPool({ allow: [site()], options: { concurrency: 1 } })
    const long = outcome(pool.use({ context: {} }, read('/half'), browserCall(3_000)))
    expect(await outcome(pool.use({ context: {} }, read('/good'), browserCall(500)))).toBe('CONCURRENCY_QUEUE_TIMEOUT')
    expect(await long).toBe('SCRAPE_TIMEOUT')
    expect(await outcome(pool.use({ context: {} }, read('/good'), browserCall()))).toBe('good')
  })

  it('starts a new browser after the maximum number of pages, and ends the idle one', async () => {
    const { pool, said, parent } = await testPool({ allow: [site()], options: { limits: { pages: 3, idleMs: 200 } } })
    const groups = watchGroups(parent)
    for (let i = 0; i < 7; i++) await pool.use({ context: {} }, async (page) => page.url(), browserCall())
    expect(said.filter((event) => event === 'browser-started')).toHaveLength(3)
    await expect.poll(() => runningIn(groups()), { timeout: 5_000 }).toEqual([])
    expect(pool.state()).toEqual({ browsers: 0, running: 0, waiting: 0, sandbox: true })
  })

  it('shares a context between the pages of one key, and nothing between others', async () => {
    const { pool } = await testPool({ allow: [site()] })
    const write = async (page: Page) => {
      await page.goto(`${origin}/good`)
      return page.evaluate('document.cookie += "a=1"; document.cookie')
    }
    const look = async (page: Page) => {
      await page.goto(`${origin}/good`)
      return page.evaluate('document.cookie')
    }
    const terms = { context: {}, shared: 'crawl' }
    expect([await pool.use(terms, write, browserCall()), await pool.use(terms, look, browserCall()), await pool.use({ context: {} }, look, browserCall())]).toEqual(['a=1', 'a=1', ''])
  })

  it('has a mouse, shows no sign of automation, and grants no permission', async () => {
    const { pool } = await testPool({ allow: [site()] })
    const seen = await pool.use({ context: {} }, async (page) => {
      await page.goto(`${origin}/good`)
      return page.evaluate('[matchMedia("(hover: hover) and (pointer: fine)").matches, navigator.webdriver, Notification.permission]')
    }, browserCall())
    expect(seen).toEqual([true, false, 'denied'])
  })

  it('answers those who wait when it stops', async () => {
    const { pool, parent } = await testPool({ allow: [site()], options: { concurrency: 1 } })
    await pool.use({ context: {} }, read('/good'), browserCall())
    const groups = groupsIn(parent)
    const answers = ['/half', '/good'].map((path) => outcome(pool.use({ context: {} }, read(path), browserCall())))
    await pool.stop()
    expect(await Promise.all(answers)).toEqual(['SHUTTING_DOWN', 'SHUTTING_DOWN'])
    expect([groups.length, runningIn(groups), await leftIn(parent)]).toEqual([1, [], []])
  })

  it('names the setting that is wrong when its Chromium does not start', async () => {
    const { pool } = await testPool({ allow: [], options: { find: { ...findOptions, path: '/nonexistent/chromium' } } })
    await expect(pool.use({ context: {} }, read('/good'), browserCall())).rejects.toMatchObject({ code: 'BROWSER_NOT_CONFIGURED', message: expect.stringContaining('TRAWL_CHROMIUM_PATH') })
  })

  it('reports the last output of a Chromium that prints its version but does not start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-broken-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o755)
    const path = join(folder, 'chromium')
    await writeFile(path, '#!/bin/sh\n[ "$1" = --version ] && echo "Chromium 150.0.0.0" && exit\necho "the harbour is closed" >&2\nexit 3\n', { mode: 0o755 })
    const heard: unknown[] = []
    const { pool, parent } = await testPool({ allow: [], options: { find: { ...findOptions, path }, say: (event, fields) => void heard.push([event, fields?.['reason']]) } })
    await expect(pool.use({ context: {} }, read('/good'), browserCall())).rejects.toMatchObject({ code: 'SCRAPE_ALL_ENGINES_FAILED' })
    expect([...new Set(heard.map(String))]).toEqual(['browser-start-failed,Chromium ended with 3: the harbour is closed'])
    expect(await leftIn(parent)).toEqual([])
  })

  it('leaves no process when its own is killed, and removes the folder at the next start', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'trawl-killed-'))
    await chmod(parent, 0o711)
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    const compiled = fileURLToPath(new URL('../../dist', import.meta.url))
    const child = spawn(process.execPath, [fileURLToPath(new URL('parent.mjs', import.meta.url)), parent, compiled, basename(findOptions.cacheDir)], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const groups = groupsIn(parent)
    expect(runningIn(groups).length).toBeGreaterThan(3)
    child.kill('SIGKILL')
    await expect.poll(() => runningIn(groups), { timeout: 3_000 }).toEqual([])
    expect(await leftIn(parent)).toHaveLength(1)
    const { pool } = await testPool({ allow: [site()], options: { parent } })
    await pool.use({ context: {} }, read('/good'), browserCall())
    await pool.stop()
    expect(await leftIn(parent)).toEqual([])
  })
})

/** The browser folders that still exist. */
async function leftIn(parent: string): Promise<string[]> {
  const base = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  return existsSync(base) ? readdir(base) : []
}
