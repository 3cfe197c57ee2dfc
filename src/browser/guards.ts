import type { BrowserContext, Page } from 'playwright-core'
import { ServiceError } from '../domain/errors.ts'
import { intercept, type Pattern } from './protocol/interception.ts'
import { sessionOf } from './open-page.ts'
import type { Session } from './protocol/page-session.ts'
import { rememberCredentials, type SiteAnswer, type Visitor } from './protocol/proxy-auth.ts'
import type { DocumentAnswer, Fault } from './session/faults.ts'
import { wireOf } from './protocol/wire.ts'

/** Watches a page and its popups: what they may not do at all, and how much of everything else. */
export interface Guard {
  /** Rejects when the page crashed or keeps flooding; never resolves. */
  readonly failed: Promise<never>
}

/** Why a page was given up. */
export class PageFailure extends Error {
  readonly kind: 'crashed' | 'flooding' | 'forbidden address' | 'unreachable address'
  constructor(kind: PageFailure['kind']) {
    super(`page ${kind}`)
    this.kind = kind
  }
}

const maxPopups = 2
/**
 * Numbers of events after which a page's scripts are stopped, and after which the page is given up. Opening a window takes
 * the browser long, and a loop that does so cannot be stopped.
 */
const floods = { console: [2_000, 8_000], dialog: [50, 200], popup: [20, 40], download: [20, 80] } as const // for their pairs to be told from lists
type FloodKind = keyof typeof floods

const openSchemes = /^(https?|about|data|blob):/
/** What the browser shows for a document that it cannot or may not load. */
const errorPage = 'chrome-error://chromewebdata/'

/** What the screen of a page asks others. */
export interface ScreenTerms {
  /** Answers sites' requests for credentials. */
  readonly site?: SiteAnswer
  /** Why a document did not come, in the browser's words; null when it did. Not asked: documents stay as the proxy answers them. */
  readonly fault?: (answer: DocumentAnswer) => Fault | null
}

/**
 * Intercepts each document before it is requested: refuses local and internal schemes, and sends our credentials when the
 * proxy asks for them, which is once per context. Only documents are intercepted; the driver's own method would intercept
 * every request and disable the cache.
 */
export async function screen(cdp: Session, context: BrowserContext, { site, fault }: ScreenTerms = {}): Promise<void> {
  const documents: Pattern = { urlPattern: '*', resourceType: 'Document' }
  await intercept(cdp, context, {
    patterns: fault === undefined ? [documents] : [documents, { ...documents, requestStage: 'Response' }],
    site,
    decide(paused) {
      const { requestId, request, responseStatusCode, responseErrorReason } = paused
      const answered = responseStatusCode !== undefined || responseErrorReason !== undefined
      const errorReason = answered ? (fault?.(paused) ?? null) : openSchemes.test(request.url) ? null : 'BlockedByClient'
      // The page may be closed before the answer arrives.
      if (errorReason !== null) cdp.send('Fetch.failRequest', { requestId, errorReason }).catch(() => undefined)
      return errorReason !== null
    },
  })
}

/** Lets the driver receive script events of the context's pages. */
export async function hear(cdp: Session, context: BrowserContext): Promise<void> {
  const { targetInfo } = await cdp.send('Target.getTargetInfo')
  await wireOf(context.browser()).hear(targetInfo.browserContextId ?? '')
}

/** The terms on which a page is guarded. */
export interface GuardTerms {
  readonly credentials: Visitor | null
  /** Whether the page must not notice that the browser is automated: then floods of console messages are not counted. */
  readonly quiet: boolean
}

/** Guards a page that was just opened in a context. */
export async function guard(page: Page, context: BrowserContext, { credentials, quiet }: GuardTerms): Promise<Guard> {
  rememberCredentials(context, credentials)
  const cdp = await sessionOf(page)
  const counts: Record<FloodKind, number> = { console: 0, dialog: 0, popup: 0, download: 0 }
  const popups = new Set<Page>()
  let fail: (why: PageFailure) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (fail = reject))
  // The rejection may come when nobody waits any more.
  failed.catch(() => undefined)

  const count = (kind: FloodKind): void => {
    const seen = ++counts[kind]
    const [stopped, givenUp] = floods[kind]
    if (seen === stopped) cdp.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined)
    if (seen === givenUp) fail(new PageFailure('flooding'))
  }
  const onPopup = (popup: Page): void => {
    if (popup === page || popup.isClosed()) return
    watch(popup)
    popups.add(popup)
    popup.once('close', () => popups.delete(popup))
    if (popups.size > maxPopups) popup.close().catch(() => undefined)
  }
  const watch = (one: Page): void => {
    one.on('dialog', (dialog) => {
      count('dialog')
      // A page that asks whether it may be left may be.
      const answer = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()
      answer.catch(() => undefined)
    })
    one.on('console', () => count('console'))
    one.on('download', () => count('download'))
    one.on('popup', (popup) => {
      if (one !== page) count('popup')
      onPopup(popup)
    })
    one.on('framenavigated', (frame) => {
      const url = frame.url()
      if (url === errorPage) {
        // An empty frame or window is no reason to give up the page.
        if (frame === page.mainFrame()) fail(new PageFailure('unreachable address'))
      } else if (url !== '' && !openSchemes.test(url)) fail(new PageFailure('forbidden address'))
    })
  }

  // The driver tells of a window only once it is ready, and of those of a loop only after it.
  cdp.on('Page.windowOpen', () => count('popup'))
  page.on('crash', () => fail(new PageFailure('crashed')))
  watch(page)
  const goto = page.goto.bind(page)
  // Addresses that we are asked to open are refused with a clear error before the browser is asked.
  page.goto = async (url, options) => {
    if (!openSchemes.test(url)) throw new ServiceError('FORBIDDEN', 'Only addresses of the web can be opened.')
    return goto(url, options)
  }
  await Promise.all([screen(cdp, context), quiet ? null : wireOf(context.browser()).hear(cdp.contextId)])
  return { failed }
}
