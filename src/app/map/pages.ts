import { isAllowed, type Robots, type RobotsPolicy, robotsPolicy } from '../../content/site/robots.ts'
import type { Call } from '../../domain/call.ts'
import type { Discovery } from '../../domain/crawl/discovery.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import { isUp } from '../../lib/deadline.ts'
import type { MapRequest } from '../../spec/map.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { collect } from '../scrape/collect.ts'
import { type Plan, plan } from '../scrape/plan.ts'
import { type HostRules, ownName } from '../site/robots-shelf.ts'
import type { MapPorts } from './ports.ts'
import { headersFor } from './scope.ts'

/** A page that was read for its links, or why it was not. */
export type Visited =
  | {
      readonly kind: 'read'
      readonly url: string
      readonly status: number
      /** Whether it is a login or challenge instead of the page. */
      readonly walled: boolean
      readonly discovery: Discovery
      readonly title: string | undefined
      readonly description: string | undefined
      readonly warnings: readonly string[]
    }
  /** robots.txt forbids it. */
  | { readonly kind: 'barred' }
  | { readonly kind: 'failed'; readonly error: ServiceError }

const nothing: Discovery = { links: [], next: [], feeds: [], canonical: null }

const policies = new WeakMap<Robots, RobotsPolicy>()

/** Computed once, since it may take half a second. */
function policyOf(robots: Robots): RobotsPolicy {
  const policy = policies.get(robots) ?? robotsPolicy(robots, ownName)
  policies.set(robots, policy)
  return policy
}

/** Whether the host's robots.txt allows a URL; if it cannot be read, nothing is allowed (RFC 9309 §2.3.1.4). */
export const mayFetch = (url: string, { robots, unreachable }: HostRules): boolean => unreachable === null && isAllowed(policyOf(robots), url)

/** Whether robots.txt allows a URL. */
export async function isFetchable(url: string, { robots }: MapPorts, call: Call): Promise<boolean> {
  return mayFetch(url, await robots.of(url, call))
}

/** A redirect leads to what robots.txt forbids, or to a host whose robots.txt cannot be read (the cause). */
class Barred extends LedAstray {}

/** Fresh, in the basic tier: a map has one price. */
function planFor(url: string, request: MapRequest, ports: MapPorts, call: Call): Plan {
  const { url: start, location } = request
  const page = ScrapeRequest.parse({ url: start, formats: [], parsers: [], onlyMainContent: false, maxAge: 0, storeInCache: false, proxy: 'basic', ...(location === undefined ? {} : { location }), headers: headersFor(url, request) })
  // A link need not be an address that a caller may ask for.
  const wanted = plan({ ...page, url }, ports, call.team, ports.now())
  const onRedirect = async (to: string): Promise<void> => {
    const rules = await ports.robots.of(to, call)
    if (!mayFetch(to, rules)) throw new Barred('robots.txt does not allow where the page leads.', { cause: rules.unreachable })
  }
  return { ...wanted, order: { ...wanted.order, onRedirect }, derive: { ...wanted.derive, explore: true } }
}

const text = (value: string | readonly string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined)

async function read(url: string, request: MapRequest, ports: MapPorts, call: Call): Promise<Visited> {
  const { acquired, page } = await collect(planFor(url, request, ports, call), ports, call)
  const { metadata, verdict, discovery } = page.facts
  const walled = verdict === 'challenge' || verdict === 'login'
  return {
    kind: 'read',
    url: acquired.capture.url,
    status: acquired.capture.status,
    walled,
    // The links of a challenge are not the site's; those of a login page may be.
    discovery: verdict === 'challenge' ? nothing : (discovery ?? nothing),
    title: walled ? undefined : text(metadata['title']),
    description: walled ? undefined : text(metadata['description']),
    warnings: [...acquired.warnings, ...(walled ? [`The site answered with a ${verdict} instead of its page.`] : [])],
  }
}

/** Why a page could not be read, if that can be a warning beside other results; otherwise throws. */
function failed(error: ServiceError): Visited {
  if (error.code === 'FORBIDDEN' || error.status === 503) throw error
  return { kind: 'failed', error }
}

/** Fetches a page for its links, rendered if needed. Throws `FORBIDDEN`, the reason of the call's signal, and internal errors. */
export async function visit(url: string, request: MapRequest, ports: MapPorts, call: Call): Promise<Visited> {
  const rules = await ports.robots.of(url, call)
  // The host's error is what its page would have failed with.
  if (rules.unreachable instanceof ServiceError) return failed(rules.unreachable)
  if (!mayFetch(url, rules)) return { kind: 'barred' }
  try {
    return await read(url, request, ports, call)
  } catch (thrown) {
    call.signal.throwIfAborted()
    if (thrown instanceof Barred && !(thrown.cause instanceof ServiceError)) return { kind: 'barred' }
    const error = thrown instanceof Barred ? thrown.cause : thrown
    if (!(error instanceof ServiceError) || (error.code === 'SCRAPE_TIMEOUT' && isUp(call, ports.now()))) throw error
    return failed(error)
  }
}
