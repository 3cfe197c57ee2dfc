import type { BrowserContext, CDPSession } from 'playwright-core'
import type { ServiceError } from '../domain/errors.ts'
import { urlOf } from '../lib/url-of.ts'
import type { Grant } from '../net/index.ts'

/** Who a context is at the proxy. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** A request that is to say who it comes from, as `Fetch.authRequired` puts it. */
export interface Challenge {
  readonly requestId: string
  readonly authChallenge: { readonly source?: 'Server' | 'Proxy' }
}

export type ChallengeAnswer = { readonly response: 'Default' | 'CancelAuth' } | ({ readonly response: 'ProvideCredentials' } & Credentials)

/** Answers for a site; null where nobody does. */
export type SiteAnswer = (challenge: Challenge) => Promise<ChallengeAnswer> | null

/** Credentials, and what became of the connections that were asked for with them. */
export type Visitor = Credentials & Pick<Grant, 'failureOf'>

const known = new WeakMap<BrowserContext, Visitor>()

/** Keeps in mind who a context is at the proxy. */
export function rememberCredentials(context: BrowserContext, credentials: Visitor | null): void {
  if (credentials !== null) known.set(context, credentials)
}

/** Why the proxy last got no connection for the context to where that address leads, which browsers tell nobody; null where it got one. */
export function whyUnreached(context: BrowserContext, address: string): ServiceError | null {
  const url = urlOf(address)
  if (url === null) return null
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  return known.get(context)?.failureOf(url.hostname, port) ?? null
}

/**
 * Names the context's credentials when the proxy wants them, which is once per context; answers what `Fetch.enable` needs for that. Every
 * session that holds up requests must do so: Chromium asks one of them, and takes its silence for a refusal. What sites ask is for `site`.
 */
export function answerProxy(cdp: CDPSession, context: BrowserContext, site: SiteAnswer = () => null): { readonly handleAuthRequests: boolean } {
  const visitor = known.get(context)
  if (visitor === undefined) return { handleAuthRequests: false }
  const { username, password } = visitor
  const asked = new Set<string>()
  cdp.on('Fetch.authRequired', async (challenge) => {
    const { requestId, authChallenge } = challenge
    const first = authChallenge.source === 'Proxy' && !asked.has(requestId)
    asked.add(requestId)
    const ours: ChallengeAnswer = first ? { response: 'ProvideCredentials', username, password } : { response: 'CancelAuth' }
    const authChallengeResponse = (authChallenge.source === 'Proxy' ? null : await site(challenge)) ?? ours
    // The page may be gone before the answer reaches it.
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  })
  return { handleAuthRequests: true }
}
