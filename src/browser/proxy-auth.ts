import type { BrowserContext, CDPSession } from 'playwright-core'

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

const known = new WeakMap<BrowserContext, Credentials>()

/** Keeps in mind who a context is at the proxy. */
export function rememberCredentials(context: BrowserContext, credentials: Credentials | null): void {
  if (credentials !== null) known.set(context, credentials)
}

/**
 * Names the context's credentials when the proxy wants them, which is once per context; answers what `Fetch.enable` needs for that. Every
 * session that holds up requests must do so: Chromium asks one of them, and takes its silence for a refusal. What sites ask is for `site`.
 */
export function answerProxy(cdp: CDPSession, context: BrowserContext, site: SiteAnswer = () => null): { readonly handleAuthRequests: boolean } {
  const credentials = known.get(context)
  if (credentials === undefined) return { handleAuthRequests: false }
  const asked = new Set<string>()
  cdp.on('Fetch.authRequired', async (challenge) => {
    const { requestId, authChallenge } = challenge
    const first = authChallenge.source === 'Proxy' && !asked.has(requestId)
    asked.add(requestId)
    const ours: ChallengeAnswer = first ? { response: 'ProvideCredentials', ...credentials } : { response: 'CancelAuth' }
    const authChallengeResponse = (authChallenge.source === 'Proxy' ? null : await site(challenge)) ?? ours
    // The page may be gone before the answer reaches it.
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  })
  return { handleAuthRequests: true }
}
