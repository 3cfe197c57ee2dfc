import { afterAll, beforeAll, expect, it } from 'vitest'
import { dataDirOfTest, gauge, jobEnd, linksTo, numbered, siteWith, startJob } from '../crawls.ts'
import { loopbackDnsServer } from '../dns-server.ts'
import { type TestPostgres, testPostgres } from '../postgres.ts'
import { startTrawl } from '../service.ts'
import type { Page, Pages } from '../site/page.ts'

let postgres: TestPostgres
let names: Awaited<ReturnType<typeof loopbackDnsServer>>
beforeAll(async () => {
  postgres = await testPostgres()
  names = await loopbackDnsServer()
}, 120_000)
afterAll(async () => {
  names.close()
  await postgres.dispose()
})

it('a crawl whose start redirects to another site continues there in every worker of the fleet', { timeout: 120_000 }, async () => {
  const dataDir = dataDirOfTest()
  const settings = { TRAWL_DATABASE_URL: await postgres.database(), TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_EGRESS_DNS_SERVERS: names.address, TRAWL_MAX_CONCURRENCY: '2' }
  const api = await startTrawl({ dataDir, args: ['--roles', 'api'], settings })
  const workers = [await startTrawl({ dataDir, args: ['--roles', 'worker'], settings }), await startTrawl({ dataDir, args: ['--roles', 'worker'], settings })]
  try {
    // Each page links to one that nothing else links to, so a worker that does not know the site would lose it; more
    // pages at once than one worker has slots.
    const [first, second] = [numbered(24), numbered(24, '/q')]
    const held = gauge(4)
    const pages: Pages = Object.fromEntries([...first.map((path, i) => [path, held.over(linksTo(`/q/${i}`))] as const), ...second.map((path) => [path, linksTo()] as const)])
    const start: Page = (visit, answer) => (visit.headers.host?.startsWith('harbour.test') ? linksTo(...first)(visit, answer) : answer.send(301, { location: `http://harbour.test:${visit.port}/` }))
    const site = await siteWith({ ...pages, '/': start })
    const id = await startJob(api, 'crawl', { url: `http://short.example:${site.port}/` })
    const job = await jobEnd(api, id)
    expect([job.status.status, job.status.completed, job.errors, job.skipped, held.most()]).toEqual(['completed', 49, [], [], 4])
    expect(workers.map((worker) => worker.output().includes('"event":"scraped"'))).toEqual([true, true])
    expect([...first, ...second].filter((path) => site.hits(path) !== 1)).toEqual([])
  } finally {
    await Promise.all([api, ...workers].map((service) => service.stop()))
  }
})
