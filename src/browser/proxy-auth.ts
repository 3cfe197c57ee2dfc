import type { BrowserContext, CDPSession } from 'playwright-core'

/** Who a context is at the proxy. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

const known = new WeakMap<BrowserContext, Credentials>()

/** Keeps in mind who a context is at the proxy. */
export function rememberCredentials(context: BrowserContext, credentials: Credentials | null): void {
  if (credentials !== null) known.set(context, credentials)
}

/**
 * Names the context's credentials when the proxy wants them, which is once per context; answers what `Fetch.enable` needs for that. Every
 * session that holds up requests must do so: older Chromium asks the one that came last, and takes its silence for a refusal.
 */
export function answerProxy(cdp: CDPSession, context: BrowserContext): { readonly handleAuthRequests: boolean } {
  const credentials = known.get(context)
  if (credentials === undefined) return { handleAuthRequests: false }
  const asked = new Set<string>()
  cdp.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const first = authChallenge.source === 'Proxy' && !asked.has(requestId)
    asked.add(requestId)
    const authChallengeResponse = first ? { response: 'ProvideCredentials' as const, ...credentials } : { response: 'CancelAuth' as const } // literals, for the protocol
    // The page may be gone before the answer reaches it.
    cdp.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined)
  })
  return { handleAuthRequests: true }
}
