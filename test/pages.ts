import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type ContextTerms, findChromium } from '../src/browser/index.ts'

/** The Chromium that the service would use on this machine; the one of the npm package where no other is. Rejects where there is none. */
async function chromiumHere(): Promise<{ readonly path: string; readonly env: Readonly<Record<string, string>> }> {
  const search = { path: process.env['TRAWL_CHROMIUM_PATH'] || null, cdpUrl: null, cacheDir: join(tmpdir(), 'trawl-test-chromium'), searchPath: (process.env['PATH'] ?? '').split(':'), home: tmpdir() }
  const { found, passedOver } = await findChromium(search)
  if (found === null || found.kind === 'remote') throw new Error(`These tests need a Chromium. ${passedOver.join('; ')}`)
  return found
}

/** Lends pages of one bare browser, without a pool and without a gate: for tests of what happens inside a page. */
export interface TestPages {
  readonly browser: Browser
  use<T>(terms: ContextTerms, work: (page: Page) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** `adPort`: where `ad.doubleclick.net` is found. */
export async function testPages(adPort = 9): Promise<TestPages> {
  const { path, env } = await chromiumHere()
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: path, env: { PATH: process.env['PATH'] ?? '', ...env }, args: ['--disable-blink-features=AutomationControlled', '--accept-lang=en-US,en', `--host-resolver-rules=MAP ad.doubleclick.net:80 127.0.0.1:${adPort}`] })
  return {
    browser,
    async use(terms, work) {
      const context = await browser.newContext({ ...terms.context, acceptDownloads: false, serviceWorkers: 'block' })
      try {
        return await work(await context.newPage())
      } finally {
        await context.close()
      }
    },
    close: () => browser.close(),
  }
}
