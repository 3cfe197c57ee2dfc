import type { Call } from '../../../domain/call.ts'
import { admitFinal } from '../../../domain/crawl/admit.ts'
import { LedAstray, ServiceError } from '../../../domain/errors.ts'
import type { PageOutcome, PageTask, SkipReason } from '../../../domain/jobs/pages.ts'
import { relation, urlKey } from '../../../domain/urls/site-url.ts'
import type { KnownCrawl, KnownJob } from './memory.ts'
import type { WorkPorts } from '../ports.ts'
import type { OpenVisit } from './visits.ts'
import { isCacheOnly } from '../start/warrant.ts'

/** A page to be fetched for a job. */
export interface PageVisit {
  readonly task: PageTask
  readonly known: KnownJob
  /** Null for a page of a batch. */
  readonly open: OpenVisit | null
  /** Milliseconds that it waited for a place. */
  readonly queuedMs: number
  readonly host: VisitedHost
}

/** The host of a page, as far as its pace is concerned. */
export interface VisitedHost {
  readonly hasAnswered: boolean
  /** Whether it has answered nobody for the second half of the page's turn. */
  isSilent(): boolean
  /** Whether no host at all has answered this process lately. */
  nobodyAnswers(): boolean
  /** Reports that it cannot be reached, or says nothing. Returns in how many milliseconds to come back, null if there is no hope left. */
  away(kind: 'away' | 'mute'): number | null
}

/** How often a site that says "not now" is asked again. */
export const maxPostponed = 3

/** A redirect led to where the crawl may not fetch, or cannot tell whether it may; then `cause` says why. */
export class Astray extends LedAstray {
  readonly reason: SkipReason
  /** When the site had answered; checking where it leads may take longer. */
  readonly at: number
  constructor(reason: SkipReason, at: number, why?: unknown) {
    super(`A redirect led astray (${reason}).`, { cause: why })
    this.reason = reason
    this.at = at
  }
}

/** A robots.txt that cannot be read at the moment. */
export class RobotsUnavailable extends ServiceError {
  /** Milliseconds after which the site wants to be asked again; 0 if it does not say. */
  readonly againInMs: number
  constructor(status: number, againInMs: number) {
    super('SCRAPE_SITE_ERROR', `The site answered with status ${status} for its robots.txt: until that can be read, nothing of the site may be fetched.`)
    this.againInMs = againInMs
  }
}

/** Whether a crawl obeys robots.txt. */
export const asksRobots = ({ request }: KnownCrawl): boolean => !request.ignoreRobotsTxt && !isCacheOnly(request.scrapeOptions)

/** Why a page may not be fetched, or kept, at that address; null when it may. */
export async function barred(url: string, { task, known: { crawl } }: PageVisit, ports: WorkPorts, call: Call): Promise<PageOutcome | null> {
  if (crawl === null || !asksRobots(crawl)) return null
  const { robots, unreachable, failing, againInMs = 0 } = await ports.robots.of(url, call, { way: crawl.wayTo(url), begins: task.seq === 1 })
  // RFC 9309 §2.3.1.4: an unreachable robots.txt forbids everything. The error is what the page itself would have failed with.
  if (unreachable !== null) throw unreachable
  // A robots.txt that keeps answering 429 counts as absent in the end, as RFC 9309 has it.
  if (failing !== undefined && (failing >= 500 || task.postponed < maxPostponed)) throw new RobotsUnavailable(failing, againInMs)
  if (crawl.allows(robots, url)) return null
  call.log('robots-disallows', { url })
  return { kind: 'skipped', reason: 'robots' }
}

/** Why a page that answered from another address does not belong to the crawl; null when it does. The start page may lead anywhere. */
export async function strayed(final: string, visit: PageVisit, ports: WorkPorts, call: Call): Promise<PageOutcome | null> {
  const { crawl } = visit.known
  if (crawl === null || final === visit.task.url) return null
  if (visit.task.seq === 1) {
    await crawl.settle(final)
    return barred(final, visit, ports, call)
  }
  const admission = admitFinal(final, visit.task, crawl.rules())
  return admission.ok ? barred(final, visit, ports, call) : { kind: 'skipped', reason: admission.reason }
}

/** Whether a page answered from another site than the crawl's. */
export function isElsewhere(final: string, { task, known: { crawl } }: PageVisit): boolean {
  if (crawl === null || task.seq === 1 || final === task.url) return task.external
  const admission = admitFinal(final, task, crawl.rules())
  return admission.ok ? admission.external : task.external
}

/** Whether a crawl found the page on its own site, which must have answered for that. */
export function isFoundOnSite({ task, known: { crawl } }: Pick<PageVisit, 'task' | 'known'>): boolean {
  if (crawl === null || task.seq === 1) return false
  const [url, { url: start }] = [new URL(task.url), crawl.rules().site]
  return url.protocol === start.protocol && url.hostname === start.hostname && url.port === start.port
}

/** The longest delay that a site can ask for. */
const longestDelayMs = 60_000

/** Milliseconds between pages that the host's robots.txt asks for, as far as known; 0 for none. */
export function hostDelay({ task, known: { crawl } }: Pick<PageVisit, 'task' | 'known'>, { robots }: Pick<WorkPorts, 'robots'>): number {
  const rules = crawl === null ? null : robots.peek(task.url, crawl.wayTo(task.url))
  const seconds = rules === null ? null : (crawl?.crawlDelay(rules) ?? null)
  return seconds === null ? 0 : Math.min(seconds * 1_000, longestDelayMs)
}

/** The same for the crawl's own site, whose delay becomes the crawl's. A delay of another host applies to that host only. */
export function siteDelay(visit: PageVisit, ports: WorkPorts): number {
  const { task, known } = visit
  return known.crawl !== null && relation(new URL(task.url), known.crawl.rules().site) === 'same' ? hostDelay(visit, ports) : 0
}

/** Stops a page whose redirects or scripts lead to what robots.txt forbids, on any host, or to what the crawl already has: neither is requested. */
export function onRedirect(visit: PageVisit, ports: WorkPorts, call: Call): ((url: string) => Promise<void>) | undefined {
  const { known: { crawl }, open } = visit
  if (crawl === null || open === null) return undefined
  return async (url) => {
    const at = ports.now()
    const bar = await barred(url, visit, ports, call).catch((why: unknown) => {
      throw new Astray('robots', at, why)
    })
    if (bar !== null) throw new Astray('robots', at)
    if (!(await open.mayLeadTo(urlKey(url, crawl.rules().keys), call.signal))) throw new Astray('duplicate', at)
  }
}
