import type { SitemapEntry } from '../../content/site/sitemap/index.ts'
import type { Call } from '../../domain/call.ts'
import type { Settlement } from '../../domain/pages/results.ts'
import type { MapRequest } from '../../spec/map.ts'
import type { HostRules } from '../site/robots-shelf.ts'
import { type SitemapReport, sitemapWarnings } from '../site/sitemap-report.ts'
import { sitemapPages, type SitemapRoots, sitemapRoots } from '../site/sitemaps.ts'
import type { LinkList } from './links.ts'
import { pace } from './pace.ts'
import { isFetchable, mayFetch, type Visited } from './pages.ts'
import type { MapPorts } from './ports.ts'
import { findSitemaps, type KnownSitemaps, sitemapKey, sitemapRecord } from './sitemap-shelf.ts'

/** What the sitemaps gave besides links. */
export interface SitemapOutcome {
  readonly warnings: readonly string[]
  /** To be written if they were read anew. */
  readonly cache: Settlement['cache']
}

/** A site's sitemaps being read. */
export interface Sitemaps {
  /** Adds what they name until the map is full. */
  into(list: LinkList): Promise<SitemapOutcome>
}

/** What is asked for, and what the site's robots.txt says about its sitemaps. */
interface Wanted {
  readonly request: MapRequest
  readonly rules: HostRules
}

const rootsOf = ({ request, rules }: Wanted): SitemapRoots => sitemapRoots(new URL(request.url).origin, rules, (url) => mayFetch(url, rules))

/** Warnings for the caller; if there was no sitemap to begin with, why. */
function warningsOf(report: SitemapReport, wanted: Wanted): readonly string[] {
  const { robots, failing } = wanted.rules
  if (rootsOf(wanted).urls.length > 0) return sitemapWarnings(report, robots.sitemaps.length > 0)
  return [failing === undefined ? 'robots.txt names no sitemap, and does not allow one to be looked for.' : `The site answered with status ${failing} for its robots.txt, so that no sitemap may be looked for.`]
}

async function addAll(entries: Iterable<Pick<SitemapEntry, 'url' | 'title' | 'description'>>, list: LinkList, { site }: MapPorts, call: Call): Promise<void> {
  const due = pace(site)
  for (const entry of entries) {
    if (list.full()) return
    list.add(entry, 'sitemap')
    const pause = due()
    if (pause !== null) await pause.then(() => call.signal.throwIfAborted())
  }
}

/** Reads the files; fetching starts at once. */
function reading(wanted: Wanted, ports: MapPorts, call: Call) {
  const pieces = sitemapPages({ ...rootsOf(wanted), allows: (url) => isFetchable(url, ports, call) }, ports.site, call)
  const first = pieces.next()
  // The error reaches whoever awaits it later.
  first.catch(() => undefined)
  return async (list: LinkList): Promise<SitemapOutcome> => {
    const record = sitemapRecord(ports)
    const key = sitemapKey(wanted.request)
    let report: SitemapReport | null = null
    for (let piece = await first; ; piece = await pieces.next()) {
      if (piece.done) {
        report = piece.value
        break
      }
      record.add(piece.value)
      await addAll(piece.value, list, ports, call)
      if (list.full()) break
    }
    return { warnings: report === null ? [] : warningsOf(report, wanted), cache: key === null ? null : await record.keep(key, report, call) }
  }
}

/** The cached links first; then the files, if those are incomplete and more is wanted. */
function known(sitemaps: KnownSitemaps, wanted: Wanted, ports: MapPorts, call: Call) {
  return async (list: LinkList): Promise<SitemapOutcome> => {
    await addAll(sitemaps.entries(), list, ports, call)
    if (!sitemaps.complete && !list.full()) return reading(wanted, ports, call)(list)
    return { warnings: sitemapWarnings(sitemaps.report, wanted.rules.robots.sitemaps.length > 0), cache: null }
  }
}

/** Starts reading a site's sitemaps, from the cache where that may answer. */
export async function openSitemaps(wanted: Wanted, ports: MapPorts, call: Call): Promise<Sitemaps> {
  const key = wanted.request.ignoreCache ? null : sitemapKey(wanted.request)
  const kept = key === null ? null : await findSitemaps(key, ports, call)
  return { into: kept === null ? reading(wanted, ports, call) : known(kept, wanted, ports, call) }
}

/** The sitemaps of another host that the start page answered from, read as by `openSitemaps`; null if robots.txt redirected there as well, so that they are the same. */
export async function openMoved(page: Visited | null, { request, rules }: Wanted, ports: MapPorts, call: Call): Promise<Sitemaps | null> {
  if (page?.kind !== 'read' || page.walled || page.status >= 400) return null
  const { origin } = new URL(page.url)
  if ([request.url, rules.at ?? request.url].some((url) => new URL(url).origin === origin)) return null
  return openSitemaps({ request: { ...request, url: page.url }, rules: await ports.robots.of(page.url, call, { anew: request.ignoreCache }) }, ports, call)
}
