import type { BrowserContext } from 'playwright-core'
import type { ServiceError } from '../../domain/errors.ts'
import { endpointOf } from '../../lib/endpoint-of.ts'
import { urlOf } from '../../lib/url-of.ts'
import type { Grant } from '../../net/index.ts'
import type { Session } from './page-session.ts'

/** The credentials of a context at the proxy. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/** A request for credentials, as in `Fetch.authRequired`. */
export interface Challenge {
  readonly requestId: string
  readonly authChallenge: { readonly source?: 'Server' | 'Proxy' }
}

export type ChallengeAnswer = { readonly response: 'Default' | 'CancelAuth' } | ({ readonly response: 'ProvideCredentials' } & Credentials)

/** Answers a site's request for credentials; null when nobody does. */
export type SiteAnswer = (challenge: Challenge) => Promise<ChallengeAnswer> | null

/** Credentials, and the fate of the connections made with them. */
export type Visitor = Credentials & Pick<Grant, 'failureOf'>

const known = new WeakMap<BrowserContext, Visitor>()

/** Stores the credentials of a context for the proxy. */
export function rememberCredentials(context: BrowserContext, credentials: Visitor | null): void {
  if (credentials !== null) known.set(context, credentials)
}

/** Why the proxy could not connect a context to the host of an address, which browsers do not tell; null when it could. */
export function whyUnreached(context: BrowserContext, address: string): ServiceError | null {
  const url = urlOf(address)
  return url === null ? null : (known.get(context)?.failureOf(url.hostname, endpointOf(url).port) ?? null)
}

/**
 * Sends the context's credentials when the proxy asks, which is once per context; returns the parameters for
 * `Fetch.enable`. Every session that intercepts requests must do so: Chromium asks only one of them, and takes its silence
 * for a refusal. Requests of sites go to `site`.
 */
export function answerProxy(cdp: Session, context: BrowserContext, site: SiteAnswer = () => null): { readonly handleAuthRequests: boolean } {
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
    // The page may be closed before the answer arrives.
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  })
  return { handleAuthRequests: true }
}
