import { isAllowed, type Robots, type RobotsPolicy, robotsPolicy } from '../../../content/site/robots.ts'
import { settledStart } from '../../../domain/crawl/admit.ts'
import { type CrawlRules, crawlRules, type PathTests, pathTests } from '../../../domain/crawl/rules.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { isMeantFor, mainDomain } from '../../../domain/urls/site-url.ts'
import { sha256 } from '../../../lib/sha256.ts'
import type { CrawlRequest } from '../../../spec/crawl.ts'
import type { ScrapeRequest } from '../../../spec/scrape.ts'
import type { Way } from '../../site/ports.ts'
import { ownName, type RobotsShelf } from '../../site/robots-shelf.ts'
import { type Told, type ToldShelf, toldShelf } from './told.ts'
import { type Visits, visits } from './visits.ts'

/** The rules of a crawl, and what its robots.txt files allow. */
export interface KnownCrawl {
  readonly request: CrawlRequest
  rules(): CrawlRules
  /** How a URL is asked for, be it a page, robots.txt or a sitemap. */
  wayTo(url: string): Way
  /** Whether robots.txt allows the page; true if the crawl ignores robots.txt. */
  allows(robots: Robots, url: string): boolean
  /** Seconds between pages that robots.txt asks for; null if none, or if the crawl ignores robots.txt. */
  crawlDelay(robots: Robots): number | null
  /** The start page answered from that URL: the crawl continues from there. */
  settle(start: string): Promise<void>
  /** Pages that this process has fetched or is fetching. */
  readonly visits: Visits
}

/** What a process remembers of a job while it works on its pages; a restart rebuilds all of it. */
export interface KnownJob {
  readonly job: Job
  /** The scrape request of one of its pages. */
  page(url: string): ScrapeRequest
  /** Null for a batch, whose links are not followed. */
  readonly crawl: KnownCrawl | null
  /** What the frontier already has and need not be sent again. */
  readonly told: Told
}

/** What this process knows of the jobs that it works on, so that no page reads it again. */
export interface JobMemory {
  /** Null when there is no such job. */
  of(id: string): Promise<KnownJob | null>
}

type Peek = RobotsShelf['peek']

const maxJobs = 200
/** Characters of the requests of those jobs: most have a few hundred, but one may have megabytes of scripts, and is held twice. */
const maxCharacters = 20_000_000
/** A character of a path pattern counts as so many more: compiled it takes 135 bytes, and 6 µs each time that it was forgotten. */
const patternWeight = 10
/** URLs remembered over all jobs; for others the store is asked again. */
const maxUrls = 200_000

/** The proxies through which a crawl's pages are fetched first, and the caller's headers for its site. */
function wayOf({ url: start, scrapeOptions: { proxy, location, headers, skipTlsVerification: skip } }: CrawlRequest): KnownCrawl['wayTo'] {
  const way: Way = { ...(proxy === 'enhanced' ? { tier: proxy } : {}), ...(location === undefined ? {} : { country: location.country }), ...(skip ? {} : { skipTlsVerification: skip }) }
  if (headers === undefined) return () => way
  const [site, own] = [new URL(start), { ...way, headers }]
  return (url) => (isMeantFor(site, new URL(url)) ? own : way)
}

/** Compiled patterns of crawls. */
type PatternShelf = (request: CrawlRequest) => PathTests

/** Compiles the patterns of each crawl, unless another crawl that is remembered has the same ones. */
function patternShelf(): PatternShelf {
  const shelf = new Map<string, WeakRef<PathTests>>()
  return (request) => {
    const key = sha256(JSON.stringify([request.includePaths, request.excludePaths]))
    const known = shelf.get(key)?.deref()
    if (known !== undefined) return known
    const tests = pathTests(request)
    for (const [other, gone] of shelf) if (gone.deref() === undefined) shelf.delete(other)
    shelf.set(key, new WeakRef(tests))
    return tests
  }
}

/** How many characters a job counts; patterns that it shares with another count for both. */
function weightOf({ job, crawl }: KnownJob): number {
  const patterns = [...(crawl?.request.includePaths ?? []), ...(crawl?.request.excludePaths ?? [])]
  return job.request.length + patternWeight * patterns.reduce((sum, { length }) => sum + length, 0)
}

async function knownCrawl(request: CrawlRequest, { peek, tests }: { readonly peek: Peek; readonly tests: PathTests }, done: Told): Promise<KnownCrawl> {
  const wayTo = wayOf(request)
  const policies = new WeakMap<Robots, RobotsPolicy>()
  const policyOf = (robots: Robots): RobotsPolicy => {
    const known = policies.get(robots) ?? robotsPolicy(robots, request.robotsUserAgent ?? ownName)
    policies.set(robots, known)
    return known
  }
  const allows = (robots: Robots, url: string): boolean => request.ignoreRobotsTxt || isAllowed(policyOf(robots), url)
  const allowedByRobots = (url: string): boolean => {
    const robots = request.ignoreRobotsTxt ? null : peek(url, wayTo(url))
    return robots === null || allows(robots, url)
  }
  const rulesFrom = async (url: URL): Promise<CrawlRules> => crawlRules(request, { url, domain: await mainDomain(url.hostname), allowedByRobots }, tests)
  let rules = await rulesFrom(new URL(request.url))
  return {
    request,
    wayTo,
    rules: () => rules,
    allows,
    visits: visits(done),
    crawlDelay: (robots) => (request.ignoreRobotsTxt ? null : policyOf(robots).crawlDelay),
    async settle(start) {
      rules = await rulesFrom(settledStart(new URL(request.url), new URL(start)))
    },
  }
}

async function knownJob(job: Job, { shelf, peek, patterns }: { readonly shelf: ToldShelf; readonly peek: Peek; readonly patterns: PatternShelf }): Promise<KnownJob> {
  const told = shelf.open()
  if (job.kind === 'batch') {
    const page = JSON.parse(job.request) as ScrapeRequest // written by startBatch
    return { job, crawl: null, told, page: (url) => ({ ...page, url }) }
  }
  const request = JSON.parse(job.request) as CrawlRequest // written by startCrawl
  const crawl = await knownCrawl(request, { peek, tests: patterns(request) }, shelf.open())
  return { job, crawl, told, page: (url) => ({ ...request.scrapeOptions, headers: crawl.wayTo(url).headers, url, explain: false }) }
}

/** Remembers the jobs worked on most recently. */
export function jobMemory(jobs: Pick<Jobs, 'find'>, peek: Peek, shelf: ToldShelf = toldShelf(maxUrls)): JobMemory {
  const known = new Map<string, Promise<KnownJob | null>>()
  const weights = new Map<string, number>()
  const patterns = patternShelf()
  let characters = 0
  const drop = (id: string): void => {
    known.delete(id)
    characters -= weights.get(id) ?? 0
    weights.delete(id)
  }
  /** Counts a job that has been loaded; those used longest ago make room for it. */
  const count = (id: string, job: KnownJob): void => {
    if (!known.has(id) || weights.has(id)) return
    const weight = weightOf(job)
    weights.set(id, weight)
    characters += weight
    for (const oldest of known.keys()) {
      if (characters <= maxCharacters || oldest === id) return
      drop(oldest)
    }
  }
  const load = async (id: string, before: KnownJob | null): Promise<KnownJob | null> => {
    const job = await jobs.find(id)
    if (job === null) return null
    const now = before === null ? await knownJob(job, { shelf, peek, patterns }) : { ...before, job }
    if (job.start !== null) await now.crawl?.settle(job.start)
    return now
  }
  /** The start is known once the first page has ended, perhaps in another process: until then it is read from the store again. */
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
      const forget = (): void => void (known.get(id) === next && drop(id))
      next.then((found) => (found === null ? forget() : count(id, found)), forget)
      const [oldest] = known.keys()
      if (known.size > maxJobs && oldest !== undefined) drop(oldest)
      return next
    },
  }
}
