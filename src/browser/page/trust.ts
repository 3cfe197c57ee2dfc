import type { PageSession } from '../protocol/page-session.ts'

/** Remembers whether the page, or a redirect to it, came with a certificate that did not verify: told to ignore that, the driver is silent. */
export interface Trust {
  /** Starts watching. */
  watch(): void
  verified(): boolean
}

interface Received {
  readonly url: string
  readonly securityState?: string
}

export function trust(cdp: PageSession): Trust {
  let verified = true
  // Without encryption there is nothing to verify, though the browser calls that insecure, too.
  const note = (frameId: string | undefined, { url, securityState }: Received): void => {
    if (frameId === cdp.targetId && url.startsWith('https:') && securityState?.startsWith('insecure') === true) verified = false
  }
  return {
    watch() {
      cdp.on('Network.requestWillBeSent', ({ type, frameId, redirectResponse }) => {
        if (type === 'Document' && redirectResponse !== undefined) note(frameId, redirectResponse)
      })
      cdp.on('Network.responseReceived', ({ type, frameId, response }) => {
        if (type === 'Document') note(frameId, response)
      })
    },
    verified: () => verified,
  }
}
