import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** Watches over one page and its popups: what they may not do, and how much of the rest. */
export interface Guard {
  /** Rejects when the page crashed or goes on flooding; never resolves. */
  readonly failed: Promise<never>
  /** Listens no more. */
  release(): void
}

/** Why a page was given up. */
export class PageFailure extends Error {
  readonly kind: 'crashed' | 'flooding' | 'forbidden address'
  constructor(kind: PageFailure['kind']) {
    super(`page ${kind}`)
    this.kind = kind
  }
}

const maxPopups = 2
/** Events after which a page's scripts are stopped; after four times as many the page is given up. */
const floods = { console: 2_000, dialog: 50, popup: 20, download: 20 }
type FloodKind = keyof typeof floods

const openSchemes = /^(https?|about|data|blob):/

/** Refuses documents of local and internal schemes before they are loaded. */
async function refuseSchemes(cdp: CDPSession): Promise<void> {
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    cdp.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => undefined)
  })
  await cdp.send('Fetch.enable', { patterns: ['file', 'filesystem', 'chrome', 'chrome-untrusted', 'devtools', 'view-source', 'ftp'].map((scheme) => ({ urlPattern: `${scheme}:*` })) })
}

/** Guards a page that has just been opened in a context. */
export async function guard(page: Page, context: BrowserContext): Promise<Guard> {
  const cdp = await context.newCDPSession(page)
  const counts: Record<FloodKind, number> = { console: 0, dialog: 0, popup: 0, download: 0 }
  const popups = new Set<Page>()
  let fail: (why: PageFailure) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (fail = reject))
  // Whoever is not waiting any more has no use for the news.
  failed.catch(() => undefined)

  const count = (kind: FloodKind): void => {
    const seen = ++counts[kind]
    if (seen === floods[kind]) cdp.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined)
    if (seen === floods[kind] * 4) fail(new PageFailure('flooding'))
  }
  const onPopup = (popup: Page): void => {
    if (popup === page || popup.isClosed()) return
    count('popup')
    watch(popup)
    popups.add(popup)
    popup.once('close', () => popups.delete(popup))
    if (popups.size > maxPopups) popup.close().catch(() => undefined)
  }
  const watch = (one: Page): void => {
    one.on('dialog', (dialog) => {
      count('dialog')
      dialog.dismiss().catch(() => undefined)
    })
    one.on('console', () => count('console'))
    one.on('download', () => count('download'))
    one.on('popup', onPopup)
    one.on('framenavigated', (frame) => {
      if (frame.url() !== '' && !openSchemes.test(frame.url())) fail(new PageFailure('forbidden address'))
    })
  }

  page.on('crash', () => fail(new PageFailure('crashed')))
  watch(page)
  await refuseSchemes(cdp)
  return {
    failed,
    release: () => void cdp.detach().catch(() => undefined),
  }
}
