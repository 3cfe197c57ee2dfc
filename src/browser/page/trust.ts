import type { Session } from '../page-session.ts'

/** Remembers which documents had an unverified certificate. The driver does not tell once it was told to ignore errors. */
export interface Trust {
  /** Starts watching. */
  watch(): void
  verified(url: string): boolean
}

export function trust(cdp: Session): Trust {
  const doubtful = new Set<string>()
  return {
    watch() {
      cdp.on('Network.responseReceived', ({ type, response }) => {
        if (type === 'Document' && response.url.startsWith('https:') && response.securityState?.startsWith('insecure') === true) doubtful.add(response.url)
      })
    },
    verified: (url) => !doubtful.has(url),
  }
}
