import type { Response } from 'playwright-core'
import { ServiceError } from '../../domain/errors.ts'
import { tlsFaults, untrusted } from '../../domain/fetching/tls-faults.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { whyUnreached } from '../protocol/proxy-auth.ts'
import type { Tab } from './tab.ts'

/** The outcome of a navigation. */
export type Arrival =
  | { readonly kind: 'document' }
  /** The address leads to a file, or to nothing that a browser shows. */
  | { readonly kind: 'file'; readonly url: string }
  /** The site answered with an error status and without a page. */
  | { readonly kind: 'bare' }

/**
 * Navigates to an address, until its document has begun. Throws `SCRAPE_TIMEOUT`, `SCRAPE_SSL_ERROR`, `SCRAPE_SITE_ERROR`,
 * and what the page's egress guard threw.
 */
export async function navigate({ page, traffic }: Tab, url: string, limits: { readonly limitMs: number; readonly signal: AbortSignal }): Promise<Arrival> {
  try {
    await untilAborted(page.goto(url, { waitUntil: 'commit', timeout: Math.max(1, limits.limitMs) }), limits.signal)
  } catch (error) {
    limits.signal.throwIfAborted()
    const main = traffic.main()
    const reason = reasonOf(error)
    if (reason === 'ERR_HTTP_RESPONSE_CODE_FAILURE' && main !== null) return { kind: 'bare' }
    if (traffic.downloading() || (main !== null && (reason === 'ERR_ABORTED' || reason === 'download'))) return { kind: 'file', url: main?.url() ?? url }
    throw (unreached.test(reason) ? whyUnreached(page.context(), url) : null) ?? failure(reason, error)
  }
  return { kind: 'document' }
}

/** Whether the document is not HTML, so that its bytes say more than the browser's view of them. */
export function isFile(response: Response | null, sniffed: string): boolean {
  const given = response?.headers()['content-type'] ?? ''
  const type = (given === '' ? sniffed : given).toLowerCase()
  return type !== '' && !/^\s*(?:text\/html|application\/xhtml\+xml)\b/.test(type)
}

const gone: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'content-type'])

/** The main document's headers, adapted to a body that is HTML in UTF-8. */
export async function headersOf(response: Response): Promise<readonly (readonly [string, string])[]> {
  const list = await response.headersArray()
  const kept = list.map(({ name, value }) => [name.toLowerCase(), value] as const).filter(([name]) => !gone.has(name))
  return [...kept, ['content-type', 'text/html; charset=utf-8']]
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : ''
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout'
  if (/Download is starting/i.test(text)) return 'download'
  return /net::(ERR_\w+)/.exec(text)?.[1] ?? 'other'
}

/** What the browser says when the proxy did not reach the site: of pages of sessions, more than that there is a proxy. */
const unreached = /^ERR_(?:TUNNEL_CONNECTION_FAILED|BLOCKED_BY_CLIENT|NAME_NOT_RESOLVED|CONNECTION_(?:REFUSED|FAILED)|ADDRESS_UNREACHABLE|TIMED_OUT)$/

type Failure = readonly [pattern: RegExp, code: 'SCRAPE_TIMEOUT' | 'SCRAPE_DNS_RESOLUTION_ERROR' | 'SCRAPE_SITE_ERROR', message?: string]

const failures: readonly Failure[] = [
  [/^timeout$|^ERR_TIMED_OUT$/, 'SCRAPE_TIMEOUT'],
  [/^ERR_(?:BAD_SSL_CLIENT_AUTH_CERT|SSL_CLIENT_AUTH_)/, 'SCRAPE_SITE_ERROR', tlsFaults.visitorCertificate],
  // With TLS 1.3 a site refuses its visitor after the handshake (RFC 8446 §4.4.2.4), and the browser may see that it closed before it sees why.
  [/^ERR_SOCKET_NOT_CONNECTED$/, 'SCRAPE_SITE_ERROR', tlsFaults.closedAtOnce],
  [/^ERR_SSL_/, 'SCRAPE_SITE_ERROR', tlsFaults.handshake],
  [/^ERR_NAME_(?:NOT_RESOLVED|RESOLUTION_FAILED)$/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [/^ERR_TOO_MANY_REDIRECTS$/, 'SCRAPE_SITE_ERROR', 'The page redirects in a circle.'],
  [/^ERR_(?:TUNNEL_CONNECTION_FAILED|PROXY_)/, 'SCRAPE_SITE_ERROR', 'The site cannot be reached, or its address is not allowed.'],
]

function failure(reason: string, cause: unknown): ServiceError {
  if (/^ERR_(?:CERT_|SSL_(?:SERVER_CERT|PINNED))/.test(reason)) return untrusted(reason)
  const [, code, message] = failures.find(([pattern]) => pattern.test(reason)) ?? [null, 'SCRAPE_SITE_ERROR', 'The site did not answer as a web server should.']
  return new ServiceError(code, message, { cause })
}
