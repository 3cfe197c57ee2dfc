import type { BrowserContext, Page } from 'playwright-core'
import { openPage, sessionOf } from '../open-page.ts'
import { GoneError, isolatedWorld, type World } from '../page/world.ts'

/** A page of our own that shows nothing of any site, to access what belongs to an origin rather than a document. */
export interface Blank {
  /** Evaluates an expression in an empty document of the origin. */
  at<T>(origin: string, expression: string, limitMs: number): Promise<T>
  close(): Promise<void>
}

/** Opens it. None of its requests leaves the browser. */
export async function blank(context: BrowserContext): Promise<Blank> {
  const page = await openPage(context)
  try {
    const cdp = await sessionOf(page)
    cdp.on('Fetch.requestPaused', ({ requestId }) => {
      cdp.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: [{ name: 'content-type', value: 'text/html' }], body: '' }).catch(() => undefined)
    })
    await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
    return lent(page, isolatedWorld(cdp))
  } catch (error) {
    await page.close().catch(() => undefined)
    throw error
  }
}

const tries = 3

function lent(page: Page, world: World): Blank {
  return {
    async at<T>(origin: string, expression: string, limitMs: number): Promise<T> {
      const end = performance.now() + limitMs
      const left = (): number => Math.max(1, end - performance.now())
      await page.goto(`${origin}/`, { waitUntil: 'commit', timeout: left() })
      for (let tried = 1; ; tried++) {
        try {
          return await world.evaluate<T>(expression, left())
        } catch (error) {
          // The event about the new document came after its first use.
          if (!(error instanceof GoneError) || tried === tries) throw error
        }
      }
    },
    close: () => page.close(),
  }
}
