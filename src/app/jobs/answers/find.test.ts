import { describe, expect, it } from 'vitest'
import { fakeJobs } from '../../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../../test/fakes.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { activeCrawls } from './active.ts'
import { cancelJob } from '../cancel.ts'
import { findJob } from './find.ts'

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error: unknown) => (error instanceof ServiceError ? error.code : error))

describe('a job is found', () => {
  const fake = fakeJobs()
  const code = (id: string, kind: 'crawl' | 'batch', team = 'default', now = 0): Promise<unknown> => codeOf(findJob({ id, kind }, { jobs: fake.jobs, now: () => now }, team))

  it('by its team, at the URL of its kind, until it expires', async () => {
    const id = await fake.start()
    expect(await Promise.all([code(id, 'crawl'), code('00000000-0000-4000-8000-000000000000', 'crawl'), code(id, 'batch'), code(id, 'crawl', 'other'), code(id, 'batch', 'other')])).toEqual([null, 'NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'])
    fake.end(id, 'completed', 1_000)
    expect(await Promise.all([code(id, 'crawl', 'default', 86_400_999), code(id, 'crawl', 'default', 86_401_000), code(id, 'crawl', 'other', 86_401_000)])).toEqual([null, 'JOB_EXPIRED', 'FORBIDDEN'])
    fake.erase(id, 'sweep')
    expect(await Promise.all([code(id, 'crawl'), code(id, 'crawl', 'other'), code(id, 'batch')])).toEqual(['JOB_EXPIRED', 'FORBIDDEN', 'NOT_FOUND'])
  })
})

describe('a job is cancelled', () => {
  const fake = fakeJobs()
  const blobs = memoryBlobs()
  let inUse: ReadonlySet<string> = new Set()
  const ports = { jobs: fake.jobs, blobs, blobsInUse: async () => inUse, newId: () => 'event', now: () => 0 }
  const cancel = async (id: string): Promise<unknown> => {
    const job = await findJob({ id, kind: 'crawl' }, { jobs: fake.jobs, now: () => 0 }, 'default')
    return codeOf(cancelJob(job, ports))
  }

  it('once or repeatedly, but not after its end', async () => {
    const [running, ended] = [await fake.start(), await fake.start()]
    fake.end(ended, 'completed')
    expect([await cancel(running), await cancel(running), await cancel(ended)]).toEqual([null, null, 'JOB_ALREADY_FINISHED'])
  })

  it('unless it has been deleted', async () => {
    const id = await fake.start()
    const job = await findJob({ id, kind: 'crawl' }, { jobs: fake.jobs, now: () => 0 }, 'default')
    fake.erase(id, 'job')
    expect(await codeOf(cancelJob(job, ports))).toBe('NOT_FOUND')
  })

  it('with all its results under zero retention, even after its end, except for bytes that others refer to', async () => {
    for (const [ended, code] of [[false, null], [true, 'JOB_ALREADY_FINISHED']] as const) {
      const [zero, normal] = [await fake.start({ retention: 'zero' }), await fake.start()]
      for (const id of [zero, normal]) for (const text of ['own', 'shared']) await fake.deliver(id, { markdown: `${text} ${id}` }, blobs)
      const keys = async (id: string): Promise<readonly string[]> => (await fake.jobs.results(id, { skip: 0, limit: 9, maxBytes: 9e9 })).map(({ blob }) => blob)
      const [own, shared] = await keys(zero)
      const others = await keys(normal)
      inUse = new Set([shared ?? '', ...others])
      if (ended) for (const id of [zero, normal]) fake.end(id, 'completed')
      expect([await cancel(zero), await cancel(normal), await keys(zero), await keys(normal)]).toEqual([code, code, [], others])
      expect(await Promise.all([own ?? '', shared ?? '', ...others].map(blobs.keep))).toEqual([false, true, true, true])
    }
  })
})

describe('running crawls', () => {
  it('are listed with their options, but without the secrets of the webhook', async () => {
    const fake = fakeJobs()
    const request = CrawlRequest.parse({ url: 'http://site.test/', limit: 5, webhook: { url: 'http://r.test/', headers: { Authorization: 'secret' } }, origin: 'tests' })
    const id = await fake.start({ request: JSON.stringify(request), limit: 5, createdAt: 1_000 })
    await fake.start({ team: 'other' })
    await fake.start({ kind: 'batch' })
    fake.end(await fake.start(), 'completed')
    const { url: _url, webhook: _webhook, origin: _origin, ...options } = request
    const at = '1970-01-01T00:00:01.000Z'
    expect(await activeCrawls({ jobs: fake.jobs }, 'default')).toEqual({ success: true, crawls: [{ id, teamId: 'default', url: 'http://site.test/', createdAt: at, created_at: at, options }] })
  })

  it('are listed with the limit that they have, whether the request named none or more than the credits cover', async () => {
    const fake = fakeJobs()
    await fake.start({ request: JSON.stringify(CrawlRequest.parse({ url: 'http://site.test/' })), limit: 10_000 })
    await fake.start({ request: JSON.stringify(CrawlRequest.parse({ url: 'http://site.test/', limit: 50 })), limit: 40 })
    const { crawls } = await activeCrawls({ jobs: fake.jobs }, 'default')
    expect(crawls.map(({ options }) => options['limit']).toSorted()).toEqual([10_000, 40])
  })
})
