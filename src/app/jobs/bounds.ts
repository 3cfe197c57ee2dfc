import type { Call } from '../../domain/call.ts'
import { admitFinal } from '../../domain/crawl/admit.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import type { PageOutcome, PageTask, SkipReason } from '../../domain/jobs/pages.ts'
import { relation, urlKey } from '../../domain/site-url.ts'
import type { KnownCrawl, KnownJob } from './memory.ts'
import type { WorkPorts } from './ports.ts'
import type { OpenVisit } from './visits.ts'
import { isCacheOnly } from './warrant.ts'

/** A page to be fetched for a job. */
export interface PageVisit {
  readonly task: PageTask
  readonly known: KnownJob
  /** Null for a page of a batch. */
  readonly open: OpenVisit | null
  /** Milliseconds spent waiting for a place. */
  readonly queuedMs: number
}

/** A site that says "not now" is asked again this often. */
export const maxPostponed = 3

/** A page led where the crawl does not fetch, or where it cannot tell whether it may: then with why. */
export class Astray extends LedAstray {
  readonly reason: SkipReason
  /** When the site had answered: to find out where that leads may take longer. */
  readonly at: number
  constructor(reason: SkipReason, at: number, why?: unknown) {
    super(`A redirect led astray (${reason}).`, { cause: why })
    this.reason = reason
    this.at = at
  }
}

/** A site says that it cannot say for now what may be fetched of it. */
export class Unsaid extends ServiceError {
  /** Milliseconds after which it says that it can; 0 where it does not. */
  readonly againInMs: number
  constructor(status: number, againInMs: number) {
    super('SCRAPE_SITE_ERROR', `The site answered with status ${status} for its robots.txt: until that can be read, nothing of the site may be fetched.`)
    this.againInMs = againInMs
  }
}

/** Whether a crawl asks hosts what they allow. */
export const asksRobots = ({ request }: KnownCrawl): boolean => !request.ignoreRobotsTxt && !isCacheOnly(request.scrapeOptions)

/** Why a page must not be fetched, or kept, under the address it has; null when it may. */
export async function barred(url: string, { task, known: { crawl } }: PageVisit, ports: WorkPorts, call: Call): Promise<PageOutcome | null> {
  if (crawl === null || !asksRobots(crawl)) return null
  const { robots, unreachable, failing, againInMs = 0 } = await ports.robots.of(url, call, { way: crawl.way })
  // RFC 9309 §2.3.1.4: what the host allows is not known, so nothing is. What is wrong with it is what the page would have failed by, too.
  if (unreachable !== null) throw unreachable
  // One that goes on to say "too many requests" (429) counts as none at last, as RFC 9309 has it.
  if (failing !== undefined && (failing >= 500 || task.postponed < maxPostponed)) throw new Unsaid(failing, againInMs)
  if (crawl.allows(robots, url)) return null
  call.log('robots-disallows', { url })
  return { kind: 'skipped', reason: 'robots' }
}

/** Why a page that answered from another address does not belong to the crawl; null when it does. The start may lead anywhere. */
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

/** Whether a page is of another site than the crawl's, by where it answered from. */
export function isElsewhere(final: string, { task, known: { crawl } }: PageVisit): boolean {
  if (crawl === null || task.seq === 1 || final === task.url) return task.external
  const admission = admitFinal(final, task, crawl.rules())
  return admission.ok ? admission.external : task.external
}

/** No site may hold a crawl back for longer. */
const longestDelayMs = 60_000

/** Milliseconds that the host of a page wants between two of its pages by its robots.txt, as far as that is known; 0 for none. */
export function hostDelay({ task, known: { crawl } }: Pick<PageVisit, 'task' | 'known'>, { robots }: Pick<WorkPorts, 'robots'>): number {
  const rules = crawl === null ? null : robots.peek(task.url, crawl.way)
  const seconds = rules === null ? null : (crawl?.crawlDelay(rules) ?? null)
  return seconds === null ? 0 : Math.min(seconds * 1_000, longestDelayMs)
}

/** The same of the crawl's own site, whose delay is that of the crawl; what another host of it asks for is kept there alone. */
export function siteDelay(visit: PageVisit, ports: WorkPorts): number {
  const { task, known } = visit
  return known.crawl !== null && relation(new URL(task.url), known.crawl.rules().site) === 'same' ? hostDelay(visit, ports) : 0
}

/** Stops a page where a redirect, or its scripts, lead to what robots.txt bars, of another host too, or to what the crawl has: no site is asked for that. */
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
