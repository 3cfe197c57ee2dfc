import { robotsPolicy } from '../../content/site/robots.ts'
import type { Call } from '../../domain/call.ts'
import type { MapRequest } from '../../spec/map.ts'
import { ownName } from '../site/robots-shelf.ts'
import { limitWarnings, type SitemapReport } from '../site/sitemap-report.ts'
import { sitemapPages } from '../site/sitemaps.ts'
import type { LinkList } from './links.ts'
import { pace } from './pace.ts'
import { isFetchable, visit, type Visited } from './pages.ts'
import type { MapPorts } from './ports.ts'
import type { Scope } from './scope.ts'

type Read = Extract<Visited, { kind: 'read' }>

/** How many further pages of a list are fetched, and how many at once. */
const maxPages = 20
const atOnce = 4
/** A site that asks for pauses gets them, as long as they do not add up to more than this. */
const pausesMs = 30_000
const maxFeeds = 5

/** What was wanted and where it is put. */
interface Search {
  readonly request: MapRequest
  readonly scope: Scope
  readonly list: LinkList
}

/** Adds the links of a page. */
export async function addLinks({ discovery }: Read, list: LinkList, { site }: MapPorts): Promise<void> {
  const due = pace(site)
  for (const link of discovery.links) {
    list.add(link, 'page')
    await due()
  }
}

const isPlain = ({ username, password }: URL): boolean => username === '' && password === ''

/** Follows the list that the start page begins; returns how many of its pages could not be read, and whether it continues. */
async function followList(start: Read, { request, scope, list }: Search, ports: MapPorts, call: Call): Promise<{ readonly failed: number; readonly goesOn: boolean }> {
  const { robots } = await ports.robots.of(start.url, call)
  const delay = (robotsPolicy(robots, ownName).crawlDelay ?? 0) * 1_000
  const most = delay === 0 ? maxPages : Math.min(maxPages, Math.floor(pausesMs / delay))
  const waiting = new Set(start.discovery.next)
  const seen = new Set([start.url])
  const further = (): readonly string[] => [...waiting].filter((url) => !seen.has(url) && isPlain(new URL(url)) && scope.isSite(new URL(url)))
  let failed = 0
  let fetched = 0
  while (fetched < most && !list.full()) {
    const some = further().slice(0, delay === 0 ? Math.min(atOnce, most - fetched) : 1)
    if (some.length === 0) break
    for (const url of some) seen.add(url)
    fetched += some.length
    if (delay > 0) await ports.site.sleep(delay, call.signal)
    for (const page of await Promise.all(some.map((url) => visit(url, request, ports, call)))) {
      if (page.kind === 'failed') failed += 1
      if (page.kind !== 'read') continue
      await addLinks(page, list, ports)
      for (const url of page.discovery.next) waiting.add(url)
    }
  }
  return { failed, goesOn: !list.full() && further().length > 0 }
}

/** Reads the feeds of the start page. */
async function readFeeds(start: Read, { scope, list }: Search, ports: MapPorts, call: Call): Promise<SitemapReport> {
  const own = start.discovery.feeds.filter((url) => isPlain(new URL(url)) && scope.isSite(new URL(url))).slice(0, maxFeeds)
  const allowed = await Promise.all(own.map((url) => isFetchable(url, ports, call)))
  const pieces = sitemapPages({ urls: own.filter((_url, i) => allowed[i]), sites: own, allows: (url) => isFetchable(url, ports, call) }, ports.site, call)
  for (let piece = await pieces.next(); ; piece = await pieces.next()) {
    if (piece.done) return piece.value
    for (const entry of piece.value) list.add(entry, 'sitemap')
  }
}

/** Continues from the start page, with further pages of its list and feeds, until the map is full. Returns the warnings. */
export async function explore(start: Read, search: Search, ports: MapPorts, call: Call): Promise<readonly string[]> {
  const pages = search.list.full() ? { failed: 0, goesOn: false } : await followList(start, search, ports, call)
  const report = search.list.full() ? null : await readFeeds(start, search, ports, call)
  const feeds = report === null ? 0 : report.troubled + report.missing
  const cut = pages.goesOn ? ['The list on the start page goes on beyond the pages of it that were read.'] : []
  return [...(pages.failed === 0 ? [] : [`${pages.failed} further pages of the list on the start page could not be read.`]), ...cut, ...(feeds === 0 ? [] : [`${feeds} feeds could not be read to their end.`]), ...(report === null ? [] : limitWarnings(report))]
}
