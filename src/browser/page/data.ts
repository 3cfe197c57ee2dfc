import type { Request } from 'playwright-core'
import type { Session } from '../protocol/page-session.ts'

/** Data of answers to scripts. */
export interface Data {
  /** Whether some of an answer came, and then nothing more for seconds. */
  fallenSilent(request: Request, now: number): boolean
}

/**
 * The browser reports no end of an answer that no script reads and no cache keeps, whatever the site sent: when no more came for this
 * long, it is taken for complete.
 */
const silentMs = 3_000

/** Most answers that are followed at a time: a page in a session may ask for hours. */
const most = 1_000
const kinds: ReadonlySet<string> = new Set(['Fetch', 'XHR'])

/** Follows the data of answers by their addresses, as the driver tells nothing of data. */
export async function data(cdp: Session): Promise<Data> {
  const open = new Map<string, string>()
  const lastMs = new Map<string, number>()
  const forget = ({ requestId }: { readonly requestId: string }): void => {
    lastMs.delete(open.get(requestId) ?? '')
    open.delete(requestId)
  }
  cdp.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (kinds.has(type) && open.size < most) open.set(requestId, response.url)
  })
  cdp.on('Network.dataReceived', ({ requestId }) => {
    const address = open.get(requestId)
    if (address !== undefined) lastMs.set(address, performance.now())
  })
  cdp.on('Network.loadingFinished', forget)
  cdp.on('Network.loadingFailed', forget)
  await cdp.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 })
  return { fallenSilent: (request, now) => now - (lastMs.get(request.url()) ?? now) > silentMs }
}
