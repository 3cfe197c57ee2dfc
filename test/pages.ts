import { existsSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import type { ContextTerms } from '../src/browser/index.ts'

const places = [process.env['TRAWL_CHROMIUM_PATH'] ?? '', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/** The Chromium of this machine; undefined where there is none, unless CI wants one. */
export function chromiumPath(): string | undefined {
  const found = places.find((path) => path !== '' && existsSync(path))
  if (found === undefined && (process.env['CI'] === 'true' || process.env['CI'] === '1')) throw new Error('CI needs a Chromium: install chromium-headless-shell or set TRAWL_CHROMIUM_PATH.')
  return found
}

/** Lends pages of one bare browser, without a pool and without a gate: for tests of what happens inside a page. */
export interface TestPages {
  readonly browser: Browser
  use<T>(terms: ContextTerms, work: (page: Page) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** `adPort`: where `ad.doubleclick.net` is found. */
export async function testPages(path: string, adPort = 9): Promise<TestPages> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: path, args: ['--disable-blink-features=AutomationControlled', '--accept-lang=en-US,en', `--host-resolver-rules=MAP ad.doubleclick.net:80 127.0.0.1:${adPort}`] })
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
