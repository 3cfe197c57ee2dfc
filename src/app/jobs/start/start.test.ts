import { beforeEach, describe, expect, it } from 'vitest'
import { type FakeJobs, fakeJobs } from '../../../../test/fake-jobs.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { type Job, zeroRetentionMs } from '../../../domain/jobs/job.ts'
import { BatchRequest } from '../../../spec/batch.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { ScrapeRequest } from '../../../spec/scrape.ts'
import type { Starter, StartPorts } from '../ports.ts'
import { startBatch } from './start-batch.ts'
import { startCrawl } from './start-crawl.ts'
import { assertQueueRoom } from './warrant.ts'

const hour = 3_600_000
const url = 'http://site.test/'

let fake: FakeJobs
let ports: StartPorts
let now = 0
let waiting = 0
beforeEach(() => {
  fake = fakeJobs()
  now = 0
  waiting = 0
  let ids = 0
  ports = {
    jobs: { ...fake.jobs, load: async () => ({ waiting, running: 0 }), append: async () => true },
    receivers: { assertReceiver: async () => undefined },
    fallback: null,
    newId: () => `new-${++ids}`,
    breathe: async () => undefined,
    teamPlaces: 10,
    teamQueue: 100,
    gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] },
    features: new Set(),
    ledger: { hold: async () => null, balance: async () => ({ granted: null, used: 0, held: 0 }), allowance: async () => null, addTokens: async () => undefined, release: async () => undefined, charge: async () => false, months: async () => [], find: async () => null },
    retentionMs: 24 * hour,
    now: () => now,
  }
})

const starter = (given: object, team = 'default'): Starter => ({ id: 'keyed', team, baseUrl: 'http://trawl.test', warnings: [], given: new Set(Object.keys(given)) })
const crawl = (given: object = {}, team?: string): Promise<{ readonly id: string }> => startCrawl(CrawlRequest.parse({ url, ...given }), ports, starter(given, team))
const batch = (given: object = {}, team?: string): Promise<{ readonly id: string }> => startBatch(BatchRequest.parse({ urls: [url], ...given }), ports, starter(given, team))
/** What is wrong with a request: the paths of its options, and what is said of each. */
const problemsOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error: unknown) => (error instanceof ServiceError && Array.isArray(error.details) ? error.details.map(({ path, message }) => [path, message]) : error))
const messageOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error: unknown) => (error instanceof ServiceError ? [error.code, error.message] : error))

describe.each([['a crawl', crawl, batch], ['a batch', batch, crawl]])('%s whose start was never answered', (_, again, other) => {
  it('is found by a repeated request, even if there is no room for another job', async () => {
    expect(await again()).toMatchObject({ id: 'keyed' })
    waiting = 100
    now = 24 * hour - 1
    expect(await again()).toMatchObject({ id: 'keyed' })
    expect(fake.asked['create']).toBe(1)
  })

  it('is not found by a request a day later, of another kind or team, or after it was swept', async () => {
    await again()
    now = 24 * hour
    expect((await again()).id).toMatch(/^new-/)
    expect((await other()).id).toMatch(/^new-/)
    now = 0
    expect((await again({}, 'b')).id).toMatch(/^new-/)
    fake.erase('keyed', 'sweep')
    expect((await again()).id).toMatch(/^new-/)
  })

  it('is started once by two concurrent requests', async () => {
    const started = await Promise.all([again(), again(), again()])
    expect(started.map(({ id }) => id)).toEqual(['keyed', 'keyed', 'keyed'])
  })
})

describe('a crawl', () => {
  it('stores its webhook in one place only, because the headers are secret', async () => {
    const webhook = { url: 'http://r.test/', headers: { authorization: 'secret' } }
    await crawl({ webhook, limit: 3 })
    const job = await fake.jobs.find('keyed')
    expect(job?.webhook).toMatchObject(webhook)
    expect(job?.request).not.toContain('secret')
    expect(JSON.parse(job?.request ?? '')).toMatchObject({ url, limit: 3 })
  })

  it('is created in one transaction, even if its start is skipped', async () => {
    await crawl({ excludePaths: ['^/$'] })
    const job = await fake.jobs.find('keyed')
    expect([job?.seeding, job?.warnings, fake.asked['create'], fake.asked['seeded']]).toEqual([
      false, ['The start URL is not part of the crawl (excludePaths leaves it out), so there is nothing to follow.'], 1, undefined])
  })

  it.each([['excluded', { excludePaths: ['^/$'] }], ['not-included', { includePaths: ['^/docs'] }]])('lists its start as skipped if its paths exclude it: %s', async (reason, paths) => {
    await crawl(paths)
    expect(await fake.jobs.skipped('keyed', { after: 0, limit: 10 })).toMatchObject([{ url, reason }])
  })
})

describe('a batch', () => {
  it('lists the URLs that are not valid, in their spelling, unless none may be', async () => {
    const urls = [url, 'http://', 'HTTP://Site.Test/b']
    expect(await batch({ urls })).toEqual({ id: 'keyed', invalidURLs: ['http://'] })
    expect(await fake.jobs.skipped('keyed', { after: 0, limit: 10 })).toMatchObject([{ url: 'http://', reason: 'invalid' }])
    expect(await batch({ urls: [url], ignoreInvalidURLs: false })).toEqual({ id: 'keyed' })
    for (const given of [{ urls, ignoreInvalidURLs: false }, { urls: ['http://'] }]) {
      const refused = startBatch(BatchRequest.parse(given), ports, starter(given))
      await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', details: [{ code: 'invalid_url', path: ['urls', given.urls.indexOf('http://')], message: expect.stringMatching(/: http:\/\/$/) }] })
    }
  })
})

it('a batch of fifty thousand URLs lets others run while they are examined', async () => {
  let breaths = 0
  ports = { ...ports, teamQueue: 50_000, breathe: async () => void breaths++ }
  await batch({ urls: Array.from({ length: 50_000 }, (_, i) => `${url}${i}`) })
  expect(breaths).toBe(99)
})

describe('an addition to a batch', () => {
  const pagesWith = (options: object = {}): string => JSON.stringify(ScrapeRequest.parse({ url, ...options }))

  it('requires the credits that its pages cost with the options of the batch', async () => {
    ports = { ...ports, ledger: { ...ports.ledger, allowance: async () => ({ left: 4, plan: 4, month: null }) } }
    const id = await fake.start({ id: '33333333-3333-4333-8333-333333333333', kind: 'batch', request: pagesWith({ formats: [{ type: 'json', schema: {} }] }) })
    expect(await messageOf(batch({ appendToId: id }))).toEqual(['INSUFFICIENT_CREDITS', 'The credits of the team cover no page of 1.'])
  })

  it.each([['webhook', { url: 'http://r.test/' }], ['maxConcurrency', 2]])('is refused with %s, which only the batch can set', async (option, value) => {
    const id = await fake.start({ id: '11111111-1111-4111-8111-111111111111', kind: 'batch', request: pagesWith() })
    expect(await messageOf(batch({ appendToId: id }))).toBeNull()
    expect(await messageOf(batch({ appendToId: id, [option]: value }))).toEqual(['BAD_REQUEST', 'Bad Request: appendToId takes webhook and maxConcurrency of the batch; leave them out.'])
    expect(await problemsOf(batch({ appendToId: id, [option]: value }))).toEqual([[[option], 'appendToId takes webhook and maxConcurrency of the batch; leave them out.']])
  })

  it('takes options only if the batch has the same, even where they are defaults', async () => {
    const id = await fake.start({ id: '44444444-4444-4444-8444-444444444444', kind: 'batch', request: pagesWith({ formats: ['html'], onlyMainContent: false }) })
    for (const same of [{}, { formats: ['html'] }, { formats: [{ type: 'html' }], onlyMainContent: false }, { origin: 'cli', integration: 'n8n' }]) expect(await messageOf(batch({ appendToId: id, ...same }))).toBeNull()
    for (const other of [{ formats: ['markdown'] }, { onlyMainContent: true }, { onlyMainContent: false, formats: ['html', 'links'] }]) expect(await messageOf(batch({ appendToId: id, ...other }))).toMatchObject(['BAD_REQUEST', expect.stringContaining('appendToId')])
    expect(await messageOf(batch({ appendToId: id, formats: ['markdown'], onlyMainContent: true }))).toEqual(['BAD_REQUEST', 'Bad Request: appendToId takes the options of the batch, which has others for formats, onlyMainContent; leave them out.'])
    const message = 'appendToId takes the options of the batch, which has others for formats, onlyMainContent; leave them out.'
    expect(await problemsOf(batch({ appendToId: id, formats: ['markdown'], onlyMainContent: true }))).toEqual([[['formats'], message], [['onlyMainContent'], message]])
  })

  it('passes on the warnings of its request, and is refused where the batch ends at that moment', async () => {
    const appendToId = await fake.start({ id: '55555555-5555-4555-8555-555555555555', kind: 'batch', request: pagesWith() })
    const add = (): Promise<unknown> => startBatch(BatchRequest.parse({ urls: [url, 'http://'], appendToId }), ports, { ...starter({ appendToId }), warnings: ['A slip.'] })
    expect(await add()).toEqual({ id: appendToId, invalidURLs: ['http://'], warnings: ['A slip.'] })
    ports = { ...ports, jobs: { ...ports.jobs, append: async () => false } }
    expect(await messageOf(add())).toMatchObject(['JOB_ALREADY_FINISHED', expect.any(String)])
  })

  it('is refused as expired, before and after the batch is deleted', async () => {
    const id = await fake.start({ id: '22222222-2222-4222-8222-222222222222', kind: 'batch', request: '{}' })
    fake.end(id, 'completed')
    fake.set(id, { expiresAt: 0 })
    expect(await messageOf(batch({ appendToId: id }))).toMatchObject(['JOB_EXPIRED', expect.any(String)])
    fake.erase(id, 'sweep')
    expect(await messageOf(batch({ appendToId: id }))).toMatchObject(['JOB_EXPIRED', expect.any(String)])
  })
})

it('a page is too much for a queue without room, now or ever', async () => {
  const codes = [[1, 0], [2, 0], [1, 1], [2, 1]].map(([pages = 0, teamQueue = 0]) => assertQueueRoom(pages, { ...ports, teamQueue }, { team: 'a' } as Starter).then(() => null, (error: unknown) => (error instanceof ServiceError ? error.code : error))) // what it reads
  expect(await Promise.all(codes)).toEqual(['QUEUE_FULL', 'BAD_REQUEST', null, 'BAD_REQUEST'])
})

describe.each([['a crawl', crawl, (options: object) => ({ scrapeOptions: options })], ['a batch', batch, (options: object) => options]] as const)('%s', (_, start, page) => { // `const`: of triples
  const started = async (given: object): Promise<Job | null> => fake.jobs.find((await start(given)).id)

  it.each([
    [{}, 10],
    [{ maxConcurrency: 3 }, 3],
    [{ maxConcurrency: 50 }, 10],
    [page({ profile: { name: 'shop' } }), 1],
    [{ maxConcurrency: 3, ...page({ profile: { name: 'shop', saveChanges: false } }) }, 3],
  ])('with %j runs %i pages at once: no more than its team has places for, and one where it writes a profile', async (given, places) => {
    ports = { ...ports, features: new Set(['javascript', 'profile']) }
    expect((await started(given))?.maxConcurrency).toBe(places)
  })

  it('is charged to the key that started it, and keeps the warnings of its start', async () => {
    const key = 'key-1'
    const by = { ...starter({}), key, warnings: ['A slip.'] }
    const { id } = await (start === crawl ? startCrawl(CrawlRequest.parse({ url }), ports, by) : startBatch(BatchRequest.parse({ urls: [url] }), ports, by))
    expect(await fake.jobs.find(id)).toMatchObject({ key, warnings: ['A slip.'] })
  })

  it('is not started where its receiver is impossible, its options cannot be met, or the queue is full', async () => {
    const receiver = 'The webhook leads to a private address.'
    ports = { ...ports, receivers: { assertReceiver: async () => Promise.reject(new ServiceError('BAD_REQUEST', receiver)) } }
    expect(await messageOf(start({ webhook: 'http://10.0.0.1/' }))).toEqual(['BAD_REQUEST', receiver])
    expect(await problemsOf(start({ webhook: { url: 'http://10.0.0.1/' } }))).toEqual([[['webhook'], receiver]])
    expect(await messageOf(start(page({ zeroDataRetention: true })))).toMatchObject(['FORBIDDEN', expect.any(String)])
    waiting = 100
    expect(await messageOf(start({}))).toEqual(['QUEUE_FULL', 'The queue of the team holds 100 pages; 100 wait already.'])
    // Clients wait for as long as a 429 says.
    await expect(start({})).rejects.toMatchObject({ retryAfterSeconds: 30 })
    expect(fake.asked['create']).toBeUndefined()
  })

  it.each([[24 * hour, zeroRetentionMs], [1_000, 1_000]])('with zero retention is kept for a short time, where others are kept for %i ms', async (retentionMs, keptMs) => {
    ports = { ...ports, retentionMs, gates: { ...ports.gates, zeroRetention: ['*'] } }
    expect(await started({})).toMatchObject({ retention: 'normal', retentionMs })
    fake.erase('keyed', 'job')
    expect(await started(page({ zeroDataRetention: true }))).toMatchObject({ retention: 'zero', retentionMs: keptMs })
  })
})

it('a crawl with a delay runs one page at once', async () => {
  const { id } = await crawl({ delay: 0.5, maxConcurrency: 5 })
  expect(await fake.jobs.find(id)).toMatchObject({ maxConcurrency: 1, delayMs: 500 })
})
