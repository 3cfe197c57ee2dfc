import { isAllowed, type Robots, type RobotsPolicy, robotsPolicy } from '../../content/robots.ts'
import { settledStart } from '../../domain/crawl/admit.ts'
import { type CrawlRules, crawlRules } from '../../domain/crawl/rules.ts'
import type { Job } from '../../domain/jobs/job.ts'
import type { Jobs } from '../../domain/jobs/jobs.ts'
import type { Way } from '../../domain/fetcher.ts'
import { mainDomain, relation } from '../../domain/site-url.ts'
import type { CrawlRequest } from '../../spec/crawl.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'
import type { RobotsShelf } from '../site/robots-shelf.ts'
import { type Told, type ToldShelf, toldShelf } from './told.ts'
import { type Visits, visits } from './visits.ts'

/** What is followed in a crawl, and what its robots.txt files allow. */
export interface KnownCrawl {
  readonly request: CrawlRequest
  rules(): CrawlRules
  /** By which way the site is asked for its pages, and for what it says about itself. */
  readonly way: Way
  /** Whether robots.txt lets us fetch the page; true where it is not to be asked. */
  allows(robots: Robots, url: string): boolean
  /** Seconds between two pages that robots.txt asks for; null when none, or it is not to be asked. */
  crawlDelay(robots: Robots): number | null
  /** The start answered from there: the crawl goes on from where it led. */
  settle(start: string): Promise<void>
  /** The pages that this process has or is at. */
  readonly visits: Visits
}

/** What we call ourselves in robots.txt. */
const ownName = 'Trawl'

/** What a process knows of a job while it works on its pages; nothing that a restart could not make anew. */
export interface KnownJob {
  readonly job: Job
  /** The scrape of one of its pages. */
  page(url: string): ScrapeRequest
  /** Null for a batch, whose pages' links are not followed. */
  readonly crawl: KnownCrawl | null
  /** What the store was told of already: it need not be told again. */
  readonly told: Told
}

export interface JobMemory {
  /** Null when there is no such job. */
  of(id: string): Promise<KnownJob | null>
}

type Peek = RobotsShelf['peek']

const maxJobs = 200
/** URLs remembered of all jobs together; beyond, the store is asked again. */
const maxUrls = 200_000

/** By which way a crawl's pages are asked for first. */
const wayOf = ({ scrapeOptions: { proxy, location } }: CrawlRequest): Way => ({ ...(proxy === 'enhanced' ? { tier: proxy } : {}), ...(location === undefined ? {} : { country: location.country }) })

async function knownCrawl(request: CrawlRequest, peek: Peek, done: Told): Promise<KnownCrawl> {
  const way = wayOf(request)
  const policies = new WeakMap<Robots, RobotsPolicy>()
  const policyOf = (robots: Robots): RobotsPolicy => {
    const known = policies.get(robots) ?? robotsPolicy(robots, request.robotsUserAgent ?? ownName)
    policies.set(robots, known)
    return known
  }
  const allows = (robots: Robots, url: string): boolean => request.ignoreRobotsTxt || isAllowed(policyOf(robots), url)
  const allowedByRobots = (url: string): boolean => {
    const robots = request.ignoreRobotsTxt ? null : peek(url, way)
    return robots === null || allows(robots, url)
  }
  const rulesFrom = async (url: URL): Promise<CrawlRules> => crawlRules(request, { url, domain: await mainDomain(url.hostname), allowedByRobots })
  let rules = await rulesFrom(new URL(request.url))
  return {
    request,
    way,
    rules: () => rules,
    allows,
    visits: visits(done),
    crawlDelay: (robots) => (request.ignoreRobotsTxt ? null : policyOf(robots).crawlDelay),
    async settle(start) {
      rules = await rulesFrom(settledStart(new URL(request.url), new URL(start)))
    },
  }
}

async function knownJob(job: Job, shelf: ToldShelf, peek: Peek): Promise<KnownJob> {
  const told = shelf.open()
  if (job.kind === 'batch') {
    const page = JSON.parse(job.request) as ScrapeRequest // written by startBatch
    return { job, crawl: null, told, page: (url) => ({ ...page, url }) }
  }
  const request = JSON.parse(job.request) as CrawlRequest // written by startCrawl
  const crawl = await knownCrawl(request, peek, shelf.open())
  return { job, crawl, told, page: (url) => ({ ...request.scrapeOptions, headers: isOwn(url, crawl) ? request.scrapeOptions.headers : undefined, url, explain: false }) }
}

/** Whether a URL is of the site that the caller's headers are meant for: they may hold what no other is to see (R2). */
function isOwn(url: string, crawl: KnownCrawl): boolean {
  const { site } = crawl.rules()
  const page = new URL(url)
  return relation(page, site) === 'same' && (page.protocol === 'https:' || site.url.protocol === 'http:')
}

/** Remembers the jobs worked on last. */
export function jobMemory(jobs: Pick<Jobs, 'find'>, peek: Peek, shelf: ToldShelf = toldShelf(maxUrls)): JobMemory {
  const known = new Map<string, Promise<KnownJob | null>>()
  const load = async (id: string, before: KnownJob | null): Promise<KnownJob | null> => {
    const job = await jobs.find(id)
    if (job === null) return null
    const now = before === null ? await knownJob(job, shelf, peek) : { ...before, job }
    if (job.start !== null) await now.crawl?.settle(job.start)
    return now
  }
  /** Where a crawl starts is known when its first page has ended, which may happen in another process: until then it is read again. */
  const current = async (id: string, kept: Promise<KnownJob | null>): Promise<KnownJob | null> => {
    const before = await kept
    return before === null || before.crawl === null || before.job.start !== null ? before : load(id, before)
  }
  return {
    of(id) {
      const kept = known.get(id)
      const next = kept === undefined ? load(id, null) : current(id, kept)
      known.delete(id)
      known.set(id, next)
      const forget = (): void => void (known.get(id) === next && known.delete(id))
      next.then((job) => job ?? forget(), forget)
      const [oldest] = known.keys()
      if (known.size > maxJobs && oldest !== undefined) known.delete(oldest)
      return next
    },
  }
}
