import type { BrowserContext } from 'playwright-core'
import { answerProxy, type SiteAnswer } from './proxy-auth.ts'
import type { Session } from './page-session.ts'

/** A request that waits for a decision, or its answer. */
export interface Paused {
  readonly requestId: string
  readonly resourceType: string
  readonly frameId: string
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  readonly responseStatusCode?: number
  readonly responseErrorReason?: string
}

type Kind = 'Image' | 'Font' | 'Media' | 'Script' | 'XHR' | 'Fetch' | 'Document' | 'Stylesheet' | 'Ping'

/** What is to be paused. */
export interface Pattern {
  readonly urlPattern: string
  readonly resourceType?: Kind
  readonly requestStage?: 'Response'
}

/** Decides about a paused request and tells the browser; false when that is up to others. */
type Decide = (paused: Paused) => boolean

interface Interception {
  readonly patterns: Pattern[]
  readonly deciders: Decide[]
  readonly auth: { readonly handleAuthRequests: boolean }
}

const known = new WeakMap<Session, Interception>()

/**
 * Intercepts requests of a session. Called again, it adds to what is intercepted: each request is paused once, and goes on when nobody
 * decides about it.
 */
export async function intercept(cdp: Session, context: BrowserContext, { patterns, decide, site }: { readonly patterns: readonly Pattern[]; readonly decide: Decide; readonly site?: SiteAnswer | undefined }): Promise<void> {
  const all = known.get(cdp) ?? begin(cdp, context, site)
  all.patterns.push(...patterns)
  all.deciders.push(decide)
  await cdp.send('Fetch.enable', { patterns: all.patterns, ...all.auth })
}

function begin(cdp: Session, context: BrowserContext, site: SiteAnswer | undefined): Interception {
  const all: Interception = { patterns: [], deciders: [], auth: answerProxy(cdp, context, site) }
  known.set(cdp, all)
  cdp.on('Fetch.requestPaused', (paused) => {
    if (all.deciders.some((decide) => decide(paused))) return
    // The page may be closed before the answer arrives.
    cdp.send('Fetch.continueRequest', { requestId: paused.requestId }).catch(() => undefined)
  })
  return all
}
