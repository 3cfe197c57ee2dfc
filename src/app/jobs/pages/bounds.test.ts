import { describe, expect, it } from 'vitest'
import { parseRobots } from '../../../content/site/robots.ts'
import type { Call } from '../../../domain/call.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import type { PageTask } from '../../../domain/jobs/pages.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { asksRobots, barred, hostDelay, type PageVisit, siteDelay } from './bounds.ts'
import { jobMemory, type KnownJob } from './memory.ts'
import type { WorkPorts } from '../ports.ts'

const site = 'http://site.test/'
const url = `${site}a`
const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: 1, retention: 'normal', log: () => undefined }

async function knownOf(options: object): Promise<KnownJob> {
  const job = { id: 'j', kind: 'crawl', url: site, request: JSON.stringify(CrawlRequest.parse({ url: site, ...options })), start: site } as Job // the fields that are read here
  const known = await jobMemory({ find: async () => job }, () => null).of('j')
  if (known === null) throw new Error('no job')
  return known
}

async function visitOf(more: Partial<PageTask> = {}, options: object = {}): Promise<PageVisit> {
  const task: PageTask = { job: 'j', team: 't', seq: 2, token: 'x', attempt: 1, postponed: 0, url, key: url, host: 'site.test', depth: 1, external: false, ...more }
  return { task, known: await knownOf(options), open: null, queuedMs: 0, host: { hasAnswered: true, isSilent: () => false, nobodyAnswers: () => false, away: () => null } }
}

/** Ports whose robots.txt is that text, or cannot be read. */
function portsOf(text: string, failing?: number): WorkPorts {
  const robots = parseRobots(Buffer.from(text), `${site}robots.txt`)
  return { robots: { of: async () => ({ robots, unreachable: null, failing, againInMs: 7_000 }), peek: () => robots } } as unknown as WorkPorts // the only port that is used here
}

describe('whether a crawl asks for robots.txt', () => {
  it.each([
    [{}, true],
    [{ ignoreRobotsTxt: true }, false],
    [{ scrapeOptions: { lockdown: true } }, false],
    [{ scrapeOptions: { minAge: 5_000 } }, false],
  ])('with %j: %s', async (options, asks) => {
    const { crawl } = await knownOf(options)
    expect(crawl && asksRobots(crawl)).toBe(asks)
  })
})

describe('a robots.txt that cannot be read', () => {
  const outcome = async (failing: number, postponed: number): Promise<unknown> => barred(url, await visitOf({ postponed }), portsOf('', failing), call).catch((error: unknown) => error)

  it('keeps the site closed for as long as it answers with a fault', async () => {
    for (const postponed of [0, 3, 12]) expect(await outcome(503, postponed)).toMatchObject({ code: 'SCRAPE_SITE_ERROR', againInMs: 7_000 })
  })

  it('counts as absent if it still answers 429 at the fourth time', async () => {
    expect(await outcome(429, 2)).toMatchObject({ code: 'SCRAPE_SITE_ERROR', againInMs: 7_000 })
    expect(await outcome(429, 3)).toBeNull()
  })
})

describe('the delay that a robots.txt asks for', () => {
  const asking = (seconds: string): WorkPorts => portsOf(`User-agent: *\nCrawl-delay: ${seconds}`)

  it.each([['2', 2_000], ['0.5', 500], ['60', 60_000], ['3600', 60_000]])('of %s seconds is %s ms', async (seconds, ms) => {
    expect(hostDelay(await visitOf(), asking(seconds))).toBe(ms)
  })

  it('of another host is not that of the crawl', async () => {
    const visit = await visitOf({ url: 'http://other.test/', external: true })
    expect([hostDelay(visit, asking('2')), siteDelay(visit, asking('2')), siteDelay(await visitOf(), asking('2'))]).toEqual([2_000, 0, 2_000])
  })

  it('is none for a crawl that ignores it', async () => {
    expect(hostDelay(await visitOf({}, { ignoreRobotsTxt: true }), asking('2'))).toBe(0)
  })
})
