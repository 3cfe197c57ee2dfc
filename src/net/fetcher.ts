import type { Call } from '../domain/call.ts'
import { describesClient, staysHome } from '../domain/fetching/caller-headers.ts'
import type { Clock } from '../domain/clock.ts'
import { EndlessRedirects, ServiceError } from '../domain/errors.ts'
import type { FetchAnswer, Fetcher, FetchRequest } from '../domain/fetching/fetcher.ts'
import { maxUrlLength } from '../domain/urls/url.ts'
import { conditions } from '../domain/pages/validators.ts'
import { deadline, timeLeft } from '../lib/deadline.ts'
import { endpointOf } from '../lib/endpoint-of.ts'
import { urlOf, webUrlOf } from '../lib/url-of.ts'
import { callerHeaders, requestHeaders } from './browser-headers.ts'
import { chainCookies } from './cookies.ts'
import { type Egress, isHost } from './egress.ts'
import { credentialsIn, type HeaderList, headerValues } from './headers.ts'
import type { HopAnswer, Transport } from './hop.ts'
import { impersonatedHttps } from './impersonated-https.ts'
import type { OwnEndpoints } from './own-endpoints.ts'
import { plainHttp } from './plain-http.ts'
import { tunnel } from './tunnel.ts'

const maxRedirects = 10
/** For how long the clock of a call may stand still while a page is fetched, as it does while the page waits for memory. */
const pausesMs = 60_000
const redirectStatuses = [301, 302, 303, 307, 308]

/** The egress guard that the fetcher uses, and its clock. */
export interface FetcherOptions {
  readonly egress: Egress
  readonly own: OwnEndpoints
  readonly clock: Clock
}

/** The current step of a chain of redirects. */
interface Step {
  readonly url: URL
  /** The caller's headers that may still be sent. */
  readonly caller: HeaderList
}

/** A fetcher that imitates a browser, follows redirects hop by hop through the egress guard, and reuses connections. */
export function httpFetcher({ egress, own, clock }: FetcherOptions): Fetcher {
  const transports: Readonly<Record<string, Transport>> = {
    'http:': plainHttp(egress),
    'https:': impersonatedHttps(() => tunnel(egress, own)),
  }

  function transportTo({ protocol }: URL): Transport {
    const transport = transports[protocol]
    if (transport === undefined) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site redirects to something that is not a web page.')
    return transport
  }

  async function follow(request: FetchRequest, signal: AbortSignal, call: Call): Promise<FetchAnswer> {
    const cookies = chainCookies()
    let step = firstStep(request)
    let tlsVerified = true
    for (let redirects = 0; ; redirects++) {
      if (redirects > 0) {
        transportTo(step.url)
        checkTarget(step.url)
        await request.onRedirect?.(step.url.href)
      }
      const answer = await hop(step, request, { cookie: cookies.header(step.url, cookieOf(step.caller), clock.now()), signal, call })
      tlsVerified &&= answer.tlsVerified
      const next = nextStep(step, answer)
      if (next === null) {
        const head = { url: step.url.href, headers: answer.headers }
        const { unwanted: _itsRest, ...body } = await answer.read(request.maxBytes, call.room, (start) => request.wants?.({ ...head, body: start }) !== false)
        return { ...head, status: answer.status, ...body, tlsVerified }
      }
      answer.discard()
      if (redirects === maxRedirects) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site redirects too often.', { cause: new EndlessRedirects() })
      await cookies.store(step.url, headerValues(answer.headers, 'set-cookie'), clock.now())
      step = next
    }
  }

  async function hop(step: Step, request: FetchRequest, turn: { cookie: string; signal: AbortSignal; call: Call }): Promise<HopAnswer> {
    const { url, caller } = step
    const transport = transportTo(url)
    await egress.vet(url.hostname, endpointOf(url).port, turn)
    const target = new URL(url)
    target.hash = ''
    return transport.send({
      url: target,
      headers: [...requestHeaders(url, request.languages, caller, turn.cookie), ...conditions(request.unless, url.href)],
      signal: turn.signal,
      timeLeft: timeLeft(turn.call, clock.now()) + (turn.call.clock === undefined ? 0 : pausesMs),
      skipTlsVerification: request.skipTlsVerification,
      until: request.until,
    })
  }

  let closed = false

  return {
    async fetch(request, call) {
      if (closed) throw new ServiceError('SHUTTING_DOWN')
      const limit = deadline(call.signal, timeLeft(call, clock.now()), () => new ServiceError('SCRAPE_TIMEOUT'), call.clock)
      try {
        return await follow(request, limit.signal, call)
      } catch (error) {
        throw limit.signal.aborted ? ended(limit.signal.reason) : error
      } finally {
        limit.dispose()
      }
    },
    async close() {
      closed = true
      await Promise.all(Object.values(transports).map((transport) => transport.close()))
    },
  }
}

/** The error for an aborted call: the reason when it is one of ours, otherwise a timeout (or the client has gone). */
function ended(reason: unknown): ServiceError {
  return reason instanceof ServiceError ? reason : new ServiceError('SCRAPE_TIMEOUT', undefined, { cause: reason })
}

/**
 * The first step of a request. Throws `BAD_REQUEST` when the URL is not http or https, or longer than 8 KiB. Credentials in
 * the URL become an `Authorization` header.
 */
function firstStep(request: FetchRequest): Step {
  const url = webUrlOf(request.url)
  if (url === null) throw new ServiceError('BAD_REQUEST', 'The URL is not an http or https URL.')
  if (url.href.length > maxUrlLength) throw new ServiceError('BAD_REQUEST', 'The URL is longer than 8 KiB.')
  const caller = callerHeaders(request.headers)
  const authorization = credentialsIn(url)
  url.username = ''
  url.password = ''
  if (authorization === null || caller.some(([name]) => name.toLowerCase() === 'authorization')) return { url, caller }
  return { url, caller: [...caller, ['Authorization', authorization]] }
}

function cookieOf(headers: HeaderList): string {
  return headers.find(([name]) => name.toLowerCase() === 'cookie')?.[1] ?? ''
}

/** The step to a redirect's target; null when the answer is the last. Credentials in the target are dropped. */
function nextStep({ url, caller }: Step, answer: HopAnswer): Step | null {
  const location = redirectStatuses.includes(answer.status) ? headerValues(answer.headers, 'location')[0] : undefined
  // Browsers ignore an empty location; as a reference it would lead to the page itself, forever.
  if (location === undefined || location === '') return null
  const next = urlOf(location, url)
  if (next === null) return null
  next.username = ''
  next.password = ''
  // A redirect keeps the fragment unless it names another (RFC 9110 §10.2.2).
  if (next.hash === '') next.hash = url.hash
  return { url: next, caller: staysHome(url, next) ? caller : caller.filter(([name]) => describesClient(name)) }
}

/** What is refused in the caller's URL is the site's fault in a redirect. Throws `SCRAPE_SITE_ERROR`. */
function checkTarget(url: URL): void {
  if (url.href.length > maxUrlLength) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site redirects to an address that is too long.')
  if (!isHost(url.hostname)) throw new ServiceError('SCRAPE_SITE_ERROR', 'The site redirects to a host that could not exist.')
}
