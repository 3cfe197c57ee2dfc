import type { CDPSession } from 'playwright-core'

/** Which documents came under a certificate that did not verify. The driver does not say once it has been told to go on regardless. */
export interface Trust {
  /** Looks from now on. */
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
