import type { CDPSession } from 'playwright-core'

/** Remembers which documents had an unverified certificate. The driver does not tell once it was told to ignore errors. */
export interface Trust {
  /** Starts watching. */
  watch(): Promise<void>
  verified(url: string): boolean
}

export function trust(cdp: CDPSession): Trust {
  const doubtful = new Set<string>()
  return {
    async watch() {
      cdp.on('Network.responseReceived', ({ type, response }) => {
        if (type === 'Document' && response.url.startsWith('https:') && response.securityState?.startsWith('insecure') === true) doubtful.add(response.url)
      })
      await cdp.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 })
    },
    verified: (url) => !doubtful.has(url),
  }
}
