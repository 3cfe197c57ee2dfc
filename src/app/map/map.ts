import { notCovered } from '../../domain/teams/allowance.ts'
import type { Call } from '../../domain/call.ts'
import { settledStart } from '../../domain/crawl/admit.ts'
import { prices } from '../../domain/teams/credits.ts'
import { type ErrorCode, ServiceError } from '../../domain/errors.ts'
import type { Fetcher } from '../../domain/fetching/fetcher.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import { type Rankable, ranking } from '../../domain/search/rank.ts'
import { languagesOf } from '../../domain/fetching/location.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { limits } from '../../spec/limits.ts'
import type { MapRequest } from '../../spec/map.ts'
import { withRoom } from '../body-room.ts'
import { type HostRules, type RobotsShelf, robotsShelf } from '../site/robots-shelf.ts'
import { answerOf } from './answer.ts'
import { addLinks, explore } from './explore.ts'
import { openMoved, openSitemaps } from './from-sitemaps.ts'
import { linkList } from './links.ts'
import { pace } from './pace.ts'
import { visit, type Visited } from './pages.ts'
import type { MapJob, MapPorts } from './ports.ts'
import { headersFor, scopeOf } from './scope.ts'

/** Kind of the task that carries a map from an `api` process to a `worker`. */
export const mapTask = 'map'

/** What was found of a site. */
interface Mapped {
  readonly links: readonly Rankable[]
  readonly warnings: readonly string[]
  readonly cache: Settlement['cache']
}

/** Errors that the site causes; a page that is there and cannot be read is different. */
const unreachable: ReadonlySet<ErrorCode> = new Set(['SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_SSL_ERROR', 'SCRAPE_SITE_ERROR', 'SCRAPE_PROXY_SELECTION_ERROR'])

/** Why nothing was found: the start page's error, or else that of robots.txt. */
function faultOf(page: Visited | null, rules: HostRules): ServiceError | null {
  if (page !== null) return page.kind === 'failed' ? page.error : null
  return rules.unreachable instanceof ServiceError ? rules.unreachable : null
}

/** The caller's language and country go to every host, the caller's headers to the site only. */
function dressed(fetcher: Fetcher, request: MapRequest): Fetcher {
  const { location } = request
  const languages = languagesOf(location)
  return {
    fetch: (file, call) => fetcher.fetch({ ...file, languages, country: location?.country, headers: headersFor(file.url, request) }, call),
    close: () => fetcher.close(),
  }
}

/** robots.txt as the caller's country gets it. If the caller sends headers, for which a site may have other rules, it is read for this map only. */
function asAsked({ robots, site }: Pick<MapPorts, 'robots' | 'site'>, { headers, location }: MapRequest): RobotsShelf {
  const way = { country: location?.country }
  const shelf = headers === undefined ? robots : robotsShelf(site)
  return { of: (url, call, terms) => shelf.of(url, call, { ...terms, way }), peek: (url) => shelf.peek(url, way) }
}

/** Where the site is: the address asked for, and where that led. */
function startsOf(request: MapRequest, page: Visited | null, { at }: HostRules): readonly URL[] {
  const start = new URL(request.url)
  if (page?.kind === 'read') return [start, settledStart(start, new URL(page.url))]
  return at === undefined ? [start] : [start, new URL(`${start.pathname}${start.search}`, at)]
}

const unreadable = 'The start page could not be read'

function pageWarnings(page: Visited | null, { failing }: HostRules): readonly string[] {
  if (page === null) return []
  if (page.kind === 'barred') return [failing === undefined ? 'robots.txt does not allow the start page to be fetched.' : `The site answered with status ${failing} for its robots.txt, so that the start page may not be fetched.`]
  if (page.kind === 'failed') return [`${unreadable} (${page.error.code}).`]
  return [...(page.status < 400 ? [] : [`The start page answered with status ${page.status}.`]), ...page.warnings]
}

async function ranked(search: string | undefined, links: readonly Rankable[], { site }: MapPorts): Promise<readonly Rankable[]> {
  if (search === undefined) return links
  const order = ranking<Rankable>(search)
  const due = pace(site)
  for (const link of links) {
    order.add(link)
    await due()
  }
  return order.order()
}

/** With a search query, the best match may come last. */
const mostOf = ({ search, limit }: MapRequest): number => (search === undefined ? limit : limits.mapLinks)

const beyondSearch = `The first ${limits.mapLinks / 1_000},000 URLs of the site were looked at; what fits best may be beyond them.`

async function gather({ request }: MapJob, all: MapPorts, call: Call): Promise<Mapped> {
  const site = { ...all.site, fetcher: dressed(all.site.fetcher, request) }
  const ports = { ...all, site, robots: asAsked({ robots: all.robots, site }, request) }
  const rules = await ports.robots.of(request.url, call, { anew: request.ignoreCache, begins: true })
  const [sitemaps, page] = await Promise.all([
    request.sitemap === 'skip' ? null : openSitemaps({ request, rules }, ports, call),
    request.sitemap === 'only' ? null : visit(request.url, request, ports, call),
  ])
  const settled = await scopeOf(request, startsOf(request, page, rules))
  const list = linkList(settled, mostOf(request))
  const named = [await sitemaps?.into(list)]
  if (sitemaps !== null && !list.full()) named.push(await (await openMoved(page, { request, rules }, ports, call))?.into(list))
  if (page?.kind === 'read') {
    if (page.status < 400) list.add(page, 'sitemap')
    await addLinks(page, list, ports)
  }
  const more = page?.kind === 'read' ? await explore(page, { request, scope: settled, list }, ports, call) : []
  const links = list.all()
  const fault = faultOf(page, rules)
  if (links.length === 0 && fault?.code === 'FORBIDDEN') throw fault
  if (links.length === 0 && fault !== null && unreachable.has(fault.code)) throw new ServiceError('MAP_FAILED', `The site cannot be reached: ${fault.message}`, { cause: fault })
  const cut = request.search !== undefined && list.full() ? [beyondSearch] : []
  // A sitemap and a feed may report the same limit.
  const warnings = [...new Set([...pageWarnings(page, rules), ...named.flatMap((outcome) => outcome?.warnings ?? []), ...more, ...cut])]
  return { links: (await ranked(request.search, links, ports)).slice(0, request.limit), warnings, cache: named.find((outcome) => outcome?.cache)?.cache ?? null }
}

async function settle(job: MapJob, { links, warnings, cache }: Mapped, ports: MapPorts, call: Call): Promise<Uint8Array> {
  const warning = [...job.warnings, ...(links.length === 0 ? ['No URL was found that fits the request.'] : []), ...warnings].join(' ')
  const body = await answerOf({ id: job.id, links, warning }, ports.site.breathe)
  call.signal.throwIfAborted()
  await ports.results.settle({ team: call.team, result: null, charge: { ref: job.id, kind: mapTask, credits: prices.map, at: ports.now(), key: call.key, ...(call.retention === 'normal' ? { target: job.request.url } : {}) }, cache })
  return body
}

/**
 * Lists the URLs of a site for a team and returns the bytes of the response body: what its sitemaps name, then what its start page links to.
 * What robots.txt forbids is listed but not fetched. A repeat of the same job id is charged once. Throws `BAD_REQUEST`,
 * `INSUFFICIENT_CREDITS`, `FORBIDDEN`, `MAP_FAILED` and the reason of the call's signal.
 */
export async function mapSite(job: MapJob, ports: MapPorts, call: Call): Promise<Uint8Array> {
  // Invalid patterns are refused before anything is held.
  await scopeOf(job.request, [new URL(job.request.url)])
  const held = await ports.ledger.hold(call, job.id, prices.map, call.deadline + 60_000, ports.now())
  if (held === null) throw await notCovered('the request', ports, call)
  const ended = new AbortController()
  const own: Call = { ...call, signal: anySignal(call.signal, ended.signal) }
  const began = ports.now()
  try {
    return await withRoom(ports.bodies, own, async (roomed) => {
      const mapped = await untilAborted(gather(job, ports, roomed), roomed.signal)
      call.log('mapped', { url: job.request.url, links: mapped.links.length, ms: ports.now() - began })
      return settle(job, mapped, ports, roomed)
    })
  } catch (error) {
    await ports.ledger.release(call.team, held)
    throw error
  } finally {
    // Stops what is not needed any more, such as a sitemap being fetched.
    ended.abort(new Error('the map is done'))
  }
}
