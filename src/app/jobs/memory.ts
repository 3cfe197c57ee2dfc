import { isAllowed, type Robots, type RobotsPolicy, robotsPolicy } from '../../content/robots.ts'
import { settledStart } from '../../domain/crawl/admit.ts'
import { type CrawlRules, crawlRules } from '../../domain/crawl/rules.ts'
import type { Job, Jobs } from '../../domain/jobs.ts'
import { mainDomain } from '../../domain/site-url.ts'
import type { CrawlRequest } from '../../spec/crawl.ts'
import type { ScrapeRequest } from '../../spec/scrape.ts'

/** What is followed in a crawl, and what its robots.txt files allow. */
export interface KnownCrawl {
  readonly request: CrawlRequest
  rules(): CrawlRules
  /** Whether robots.txt lets us fetch the page; true where it is not to be asked. */
  allows(robots: Robots, url: string): boolean
  /** Seconds between two pages that robots.txt asks for; null when none, or it is not to be asked. */
  crawlDelay(robots: Robots): number | null
  /** The start answered from there: the crawl goes on from where it led. */
  settle(final: string): Promise<void>
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

/** URLs that the frontier is known to have. */
export interface Told {
  has(url: string): boolean
  add(urls: Iterable<string>): void
}

export interface JobMemory {
  /** Null when there is no such job. */
  of(id: string): Promise<KnownJob | null>
}

const maxJobs = 200
/** URLs remembered of one job; beyond, the store is asked again. */
const maxUrls = 200_000

function toldUrls(): Told {
  const urls = new Set<string>()
  return {
    has: (url) => urls.has(url),
    add(more) {
      if (urls.size >= maxUrls) urls.clear()
      for (const url of more) urls.add(url)
    },
  }
}

async function knownCrawl(request: CrawlRequest, peek: (url: string) => Robots | null): Promise<KnownCrawl> {
  const policies = new WeakMap<Robots, RobotsPolicy>()
  const policyOf = (robots: Robots): RobotsPolicy => {
    const known = policies.get(robots) ?? robotsPolicy(robots, request.robotsUserAgent ?? ownName)
    policies.set(robots, known)
    return known
  }
  const allows = (robots: Robots, url: string): boolean => request.ignoreRobotsTxt || isAllowed(policyOf(robots), url)
  const allowedByRobots = (url: string): boolean => {
    const robots = request.ignoreRobotsTxt ? null : peek(url)
    return robots === null || allows(robots, url)
  }
  const rulesFrom = async (url: URL): Promise<CrawlRules> => crawlRules(request, { url, domain: await mainDomain(url.hostname), allowedByRobots })
  let rules = await rulesFrom(new URL(request.url))
  return {
    request,
    rules: () => rules,
    allows,
    crawlDelay: (robots) => (request.ignoreRobotsTxt ? null : policyOf(robots).crawlDelay),
    async settle(final) {
      rules = await rulesFrom(settledStart(new URL(request.url), new URL(final)))
    },
  }
}

async function knownJob(job: Job, peek: (url: string) => Robots | null): Promise<KnownJob> {
  const told = toldUrls()
  if (job.kind === 'batch') {
    const page = JSON.parse(job.request) as ScrapeRequest // written by startBatch
    return { job, crawl: null, told, page: (url) => ({ ...page, url }) }
  }
  const request = JSON.parse(job.request) as CrawlRequest // written by startCrawl
  return { job, crawl: await knownCrawl(request, peek), told, page: (url) => ({ ...request.scrapeOptions, url, explain: false }) }
}

/** Remembers the jobs worked on last. */
export function jobMemory(jobs: Pick<Jobs, 'find'>, peek: (url: string) => Robots | null): JobMemory {
  const known = new Map<string, Promise<KnownJob | null>>()
  const load = async (id: string): Promise<KnownJob | null> => {
    const job = await jobs.find(id)
    return job === null ? null : knownJob(job, peek)
  }
  return {
    of(id) {
      const kept = known.get(id) ?? load(id)
      known.delete(id)
      known.set(id, kept)
      kept.then((job) => void (job ?? known.delete(id)), () => known.delete(id))
      const [oldest] = known.keys()
      if (known.size > maxJobs && oldest !== undefined) known.delete(oldest)
      return kept
    },
  }
}
