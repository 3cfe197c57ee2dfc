import type { Impit, ImpitResponse } from 'impit'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import { tlsFaults, untrusted } from '../domain/fetching/tls-faults.ts'
import { timeLimit, untilAborted } from '../lib/deadline.ts'
import { endpointOf } from '../lib/endpoint-of.ts'
import { type Body, lengthOf, readBody } from './body.ts'
import { browserProfile } from './browser-headers.ts'
import { contentCoding, decodable, decoded, withoutCoding } from './coding.ts'
import { nameless, siteFailure } from './failures.ts'
import { forbiddenAddress } from './egress.ts'
import { type HeaderList, headerText, headerValues } from './headers.ts'
import { type HopAnswer, type HopRequest, maxDiscarded, maxHeadBytes, siteFaults, type Transport } from './hop.ts'
import { proxyFault } from './proxy-fault.ts'
import type { Tunnel } from './tunnel.ts'

const decodedByClient = ['gzip', 'deflate', 'br', 'zstd']

/** `https:` with the TLS and HTTP/2 fingerprint of a browser, through the tunnel, which starts on first use. */
export function impersonatedHttps(startTunnel: () => Promise<Tunnel>): Transport {
  let tunnel: Promise<Tunnel> | undefined
  const clients = new Map<boolean, Promise<Impit>>()

  const clientFor = (ignoreTlsErrors: boolean): Promise<Impit> => {
    // What failed is tried again by the next request.
    tunnel ??= startTunnel().catch((error: unknown) => {
      tunnel = undefined
      throw error
    })
    const known = clients.get(ignoreTlsErrors)
    if (known !== undefined) return known
    const client = create(tunnel, ignoreTlsErrors)
    clients.set(ignoreTlsErrors, client)
    void client.catch(() => clients.delete(ignoreTlsErrors))
    return client
  }

  /** The error to report for a failure of the client. */
  async function reported(error: unknown, request: HopRequest): Promise<Error> {
    const { host, port } = endpointOf(request.url)
    return siteFailure(translated(error, request.url, (await tunnel)?.failureOf(host, port) ?? null), request.signal)
  }

  return {
    async send(request) {
      const verifying = await clientFor(false)
      try {
        return answerOf(await exchange(verifying, request), request, true)
      } catch (error) {
        if (request.signal.aborted || !(error instanceof Error && aboutCertificate.test(error.message))) throw await reported(error, request)
        if (!request.skipTlsVerification) throw untrusted(error.message)
      }
      const trusting = await clientFor(true)
      try {
        return answerOf(await exchange(trusting, request), request, false)
      } catch (error) {
        throw await reported(error, request)
      }
    },
    async close() {
      clients.clear()
      await (await tunnel)?.close()
    },
  }
}

async function create(started: Promise<Tunnel>, ignoreTlsErrors: boolean): Promise<Impit> {
  const [{ Impit }, { host, port, username, password }] = await Promise.all([import('impit'), started])
  return new Impit({
    browser: browserProfile,
    proxyUrl: `http://${username}:${password}@${host}:${port}`,
    followRedirects: false,
    ignoreTlsErrors,
  })
}

async function exchange(client: Impit, { url, headers, signal, timeLeft }: HopRequest): Promise<ImpitResponse> {
  signal.throwIfAborted()
  const pending = client.fetch(url.href, {
    headers: headers.map(([name, value]): [string, string] => [name, value]),
    // A little more than the time left: our own signal should end it, because it knows the reason.
    timeout: Math.max(1, Math.ceil(timeLeft)) + 1_000,
  })
  try {
    return await untilAborted(pending, signal)
  } catch (error) {
    // The client cannot be told to stop waiting, only to stop reading once it has an answer.
    if (signal.aborted) pending.then(leave, () => {})
    throw error
  }
}

/** Leaves a body unread: its first bytes are awaited, because a body that is cancelled before them keeps its connection. */
const leave = ({ body }: ImpitResponse): void => void readBody(body, 0).catch(() => {})

const aboutCertificate = /InvalidCertificate|NoCertificatesPresented|UnsupportedNameType/

/** Why there was no encrypted connection; null for other failures. */
function tlsFault({ message }: Error): string | null {
  if (/AlertReceived\(\s*CertificateRequired/.test(message)) return tlsFaults.visitorCertificate
  return /\b(?:AlertReceived|PeerMisbehaved|PeerIncompatible|InvalidMessage)\(/.test(message) ? tlsFaults.handshake : null
}

/**
 * Says what was wrong with a handshake, and why the tunnel made no connection: `noted` is what it has noted of the last one, null where
 * another was tried meanwhile; then its status tells.
 */
function translated(error: unknown, { hostname }: URL, noted: ServiceError | null): unknown {
  if (!(error instanceof Error)) return error
  const fault = tlsFault(error)
  if (fault !== null) return new ServiceError('SCRAPE_SITE_ERROR', fault, { cause: nameless(error) })
  if (error.name !== 'ProxyTunnelError') return error
  if (noted !== null) return noted
  if ('status' in error && error.status === 403) return forbiddenAddress()
  if ('status' in error && error.status === 503) return proxyFault(nameless(error))
  return new ServiceError('SCRAPE_SITE_ERROR', 'The site does not accept connections.', { cause: new Unreachable(nameless(error).message, { host: hostname }) })
}

function answerOf(response: ImpitResponse, { signal, until }: HopRequest, tlsVerified: boolean): HopAnswer {
  const headers: HeaderList = [...response.headers].map(([name, value]) => [name.toLowerCase(), headerText(value)])
  let coding: string | null
  try {
    checkHead(response.status, headers)
    coding = codingLeft(headers)
  } catch (error) {
    leave(response)
    throw error
  }
  return {
    status: response.status,
    headers: withoutCoding(headers),
    tlsVerified,
    async read(maxBytes, room, wants) {
      const whole = async (): Promise<Body> => {
        const { chunks, checked } = decoded(response.body, coding)
        return checked(await readBody(chunks, maxBytes, { room, signal, length: lengthOf(headers), until, wants }))
      }
      try {
        const body = await untilAborted(whole(), signal)
        if (!isShort(headers, response.status, body)) return body
        if (until !== undefined && body.body.byteLength > 0) return { ...body, truncated: true, late: true }
        throw new ServiceError('SCRAPE_SITE_ERROR', 'The site broke off its answer.', { cause: new Error('shorter than declared') })
      } catch (error) {
        throw siteFailure(error, signal)
      }
    },
    // Read rather than cancelled, because cancelling would close an HTTP/1 connection.
    discard: () => void readBody(response.body, maxDiscarded.bytes, { room: undefined, signal: timeLimit(maxDiscarded.ms) }).catch(() => {}),
  }
}

function checkHead(status: number, headers: HeaderList): void {
  if (status < 200) throw siteFaults.protocol()
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
  if (length > maxHeadBytes) throw siteFaults.head()
}

/** The coding that the client left: it removes a single coding in exactly this spelling, and keeps the header. */
function codingLeft(headers: HeaderList): string | null {
  const byClient = decodedByClient.includes(headerValues(headers, 'content-encoding').join(','))
  return byClient ? null : contentCoding(headers, decodable)
}

/** Whether a body is shorter than declared: the client takes some cancelled HTTP/2 streams for finished ones. */
function isShort(headers: HeaderList, status: number, { body, truncated, unwanted }: Body): boolean {
  const declared = lengthOf(headers)
  return declared !== null && !truncated && unwanted !== true && status !== 204 && status !== 304 && declared > body.byteLength
}
