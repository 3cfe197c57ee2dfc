import { describe, expect, it } from 'vitest'
import { fakeJobs } from '../../../test/fake-jobs.ts'
import { ServiceError } from '../../domain/errors.ts'
import { CrawlRequest } from '../../spec/crawl.ts'
import { activeCrawls } from './active.ts'
import { cancelJob } from './cancel.ts'
import { findJob } from './find.ts'

const codeOf = (work: Promise<unknown>): Promise<unknown> => work.then(() => null, (error: unknown) => (error instanceof ServiceError ? error.code : error))

describe('a job is found', () => {
  const fake = fakeJobs()
  const code = (id: string, kind: 'crawl' | 'batch', team = 'default', now = 0): Promise<unknown> => codeOf(findJob({ id, kind }, { jobs: fake.jobs, now: () => now }, team))

  it('by its team, at the address of its kind, until it expires', async () => {
    const id = await fake.start()
    expect(await Promise.all([code(id, 'crawl'), code('00000000-0000-4000-8000-000000000000', 'crawl'), code(id, 'batch'), code(id, 'crawl', 'other'), code(id, 'batch', 'other')])).toEqual([null, 'NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND'])
    fake.end(id, 'completed', 1_000)
    expect(await Promise.all([code(id, 'crawl', 'default', 86_400_999), code(id, 'crawl', 'default', 86_401_000), code(id, 'crawl', 'other', 86_401_000)])).toEqual([null, 'JOB_EXPIRED', 'FORBIDDEN'])
  })
})

describe('a job is cancelled', () => {
  const fake = fakeJobs()
  const cancel = async (id: string): Promise<unknown> => {
    const job = await findJob({ id, kind: 'crawl' }, { jobs: fake.jobs, now: () => 0 }, 'default')
    return codeOf(cancelJob(job, { jobs: fake.jobs, newId: () => 'event', now: () => 0 }))
  }

  it('once or more often, but not after it has ended', async () => {
    const [running, ended] = [await fake.start(), await fake.start()]
    fake.end(ended, 'completed')
    expect([await cancel(running), await cancel(running), await cancel(ended)]).toEqual([null, null, 'JOB_ALREADY_FINISHED'])
  })

  it('unless it has gone', async () => {
    const id = await fake.start()
    const job = await findJob({ id, kind: 'crawl' }, { jobs: fake.jobs, now: () => 0 }, 'default')
    fake.erase(id, 'job')
    expect(await codeOf(cancelJob(job, { jobs: fake.jobs, newId: () => 'event', now: () => 0 }))).toBe('NOT_FOUND')
  })
})

describe('running crawls', () => {
  it('are listed with their options, without secrets of the webhook', async () => {
    const fake = fakeJobs()
    const request = CrawlRequest.parse({ url: 'http://site.test/', limit: 5, webhook: { url: 'http://r.test/', headers: { Authorization: 'secret' } }, origin: 'tests' })
    const id = await fake.start({ request: JSON.stringify(request), createdAt: 1_000 })
    await fake.start({ team: 'other' })
    await fake.start({ kind: 'batch' })
    fake.end(await fake.start(), 'completed')
    const { url: _url, webhook: _webhook, origin: _origin, ...options } = request
    const at = '1970-01-01T00:00:01.000Z'
    expect(await activeCrawls({ jobs: fake.jobs }, 'default')).toEqual({ success: true, crawls: [{ id, teamId: 'default', url: 'http://site.test/', createdAt: at, created_at: at, options }] })
  })
})
