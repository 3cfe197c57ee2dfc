import type { BrowserContext } from 'playwright-core'
import { type ServiceError, Unreachable } from '../../domain/errors.ts'
import { whyUnreached } from '../protocol/proxy-auth.ts'

/** What the browser has for a document that it asked for: a response, or the reason why there is none. */
export interface DocumentAnswer {
  readonly request: { readonly url: string }
  readonly responseErrorReason?: string
}

/** Why a document did not come, in the words of the protocol. */
export type Fault = 'BlockedByClient' | 'NameNotResolved' | 'ConnectionRefused' | 'TimedOut' | 'AddressUnreachable' | 'ConnectionFailed' | 'ConnectionClosed'

/** What the guard says of failed connections, by the part of its message that tells it. */
const ofConnections: readonly (readonly [part: string, fault: Fault])[] = [
  ['ECONNREFUSED', 'ConnectionRefused'],
  ['UNREACH', 'AddressUnreachable'],
  ['in time', 'TimedOut'],
  ['ETIMEDOUT', 'TimedOut'],
]

function faultOf({ code, cause }: ServiceError): Fault {
  if (code === 'FORBIDDEN') return 'BlockedByClient'
  // Names that cannot exist are refused before anybody is asked.
  if (code === 'SCRAPE_DNS_RESOLUTION_ERROR' || code === 'BAD_REQUEST') return 'NameNotResolved'
  const message = cause instanceof Unreachable ? cause.message : ''
  return ofConnections.find(([part]) => message.includes(part))?.[1] ?? 'ConnectionFailed'
}

/**
 * Why a document did not come; null when it did. The proxy between browser and site can only hang up, or say that it could
 * not connect, so that code of a session would learn nothing but that there was a proxy.
 */
export function documentFault(context: BrowserContext, { request, responseErrorReason = '' }: DocumentAnswer): Fault | null {
  const plain = request.url.startsWith('http:')
  // The protocol has no more than these words for what the proxy knows better; failures with another name are others.
  if (responseErrorReason !== 'Failed' && !(plain && responseErrorReason === 'ConnectionClosed')) return null
  const why = whyUnreached(context, request.url)
  if (why !== null) return faultOf(why)
  return plain ? 'ConnectionClosed' : null
}
