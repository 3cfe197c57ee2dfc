import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type ContextTerms, findChromium } from '../src/browser/index.ts'
import { startChromium } from '../src/browser/chromium/launch.ts'
import { wireOf } from '../src/browser/protocol/wire.ts'

/**
 * The Chromium that the service would use on this machine, or else the one from the npm package. Rejects when there is
 * none.
 */
export async function chromiumHere(): Promise<{ readonly path: string; readonly env: Readonly<Record<string, string>> }> {
  const search = { path: process.env['TRAWL_CHROMIUM_PATH'] || null, cdpUrl: null, cacheDir: join(tmpdir(), 'trawl-test-chromium'), searchPath: (process.env['PATH'] ?? '').split(':'), home: tmpdir() }
  const { found, passedOver } = await findChromium(search)
  if (found === null || found.kind === 'remote') throw new Error(`These tests need a Chromium. ${passedOver.join('; ')}`)
  return found
}

/** Lends pages of a plain browser without pool and egress guard, to test what happens inside a page. */
export interface TestPages {
  readonly browser: Browser
  use<T>(terms: ContextTerms & { readonly quiet?: boolean }, work: (page: Page) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Starts the browser. It resolves `ad.doubleclick.net` to port `adPort` on loopback. */
export async function testPages(adPort = 9): Promise<TestPages> {
  const { path, env } = await chromiumHere()
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-pages-'))
  const args = ['--headless', '--no-sandbox', '--remote-debugging-pipe', '--no-startup-window', '--hide-scrollbars', '--disable-dev-shm-usage', `--user-data-dir=${folder}`, '--disable-blink-features=AutomationControlled', '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4', '--accept-lang=en-US,en', `--host-resolver-rules=MAP ad.doubleclick.net:80 127.0.0.1:${adPort}`]
  const { browser, gone } = await startChromium([path, ...args], { PATH: process.env['PATH'] ?? '', ...env }, folder)
  return {
    browser,
    async use({ quiet = false, ...terms }, work) {
      const context = await browser.newContext({ ...terms.context, acceptDownloads: false })
      try {
        const page = await context.newPage()
        const { targetInfo } = await (await context.newCDPSession(page)).send('Target.getTargetInfo')
        if (!quiet) await wireOf(browser)?.hear(targetInfo.browserContextId ?? '')
        return await work(page)
      } finally {
        await context.close()
      }
    },
    async close() {
      await browser.close()
      await gone
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
