import { describe, expect, it } from 'vitest'
import { type FakeJobs, fakeJobs } from '../../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../../test/fakes.ts'
import { textOf } from '../../../../test/text-of.ts'
import { StoreAway } from '../../../domain/errors.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import { JobAnswer } from '../../../spec/jobs.ts'
import { statusBody } from './status.ts'

const blobs = memoryBlobs()
const url = 'http://trawl.test/v2/crawl/x'
const megabyte = 1_048_576

async function found(fake: FakeJobs, id: string): Promise<Job> {
  const job = await fake.jobs.find(id)
  if (job === null) throw new Error('no such job')
  return job
}

async function answer(fake: FakeJobs, id: string, terms: { skip?: number; limit?: number } = {}): Promise<JobAnswer> {
  const text = await textOf(statusBody(await found(fake, id), { ...terms, url }, { jobs: fake.jobs, blobs, now: () => 10_000 }))
  return JobAnswer.parse(JSON.parse(text))
}

async function withPages(count: number, fields: Readonly<Record<string, unknown>> = { markdown: 'm' }): Promise<{ fake: FakeJobs; id: string; pages: Record<string, unknown>[] }> {
  const fake = fakeJobs()
  const id = await fake.start()
  const pages: Record<string, unknown>[] = []
  for (let i = 0; i < count; i++) pages.push(await fake.deliver(id, { ...fields, links: [String(i)] }, blobs))
  return { fake, id, pages }
}

describe('the status of a job', () => {
  it('of a running job contains the counters, the results so far, and the URL of the next page', async () => {
    const { fake, id, pages } = await withPages(2, { markdown: '# Ünï\u2028code "x"\n' })
    expect(await answer(fake, id)).toEqual({
      success: true, id, status: 'scraping', total: 2, completed: 2, creditsUsed: 2, createdAt: '1970-01-01T00:00:00.000Z', expiresAt: '1970-01-02T00:00:10.000Z', data: pages, next: `${url}?skip=2`,
    })
  })

  it('of an ended job contains its end and duration, and no URL of a next page', async () => {
    const { fake, id, pages } = await withPages(1)
    fake.end(id, 'completed', 2_500)
    expect(await answer(fake, id)).toMatchObject({ status: 'completed', completedAt: '1970-01-01T00:00:02.500Z', duration: 2.5, expiresAt: '1970-01-02T00:00:02.500Z', data: pages, next: null })
  })

  it('of a job during which the clock was set back has no duration rather than a negative one', async () => {
    const { fake, id } = await withPages(0)
    fake.end(id, 'completed', -7_200_000)
    const body = await answer(fake, id)
    expect(body).toMatchObject({ status: 'completed', completedAt: '1969-12-31T22:00:00.000Z' })
    expect(body).not.toHaveProperty('duration')
  })

  it('of a failed job is a successful response with the reason', async () => {
    const { fake, id } = await withPages(0)
    fake.end(id, 'failed')
    expect(await answer(fake, id)).toMatchObject({ success: true, status: 'failed', error: 'The site cannot be reached.', data: [], next: null })
  })

  it('contains the warnings, including that of robots.txt', async () => {
    const fake = fakeJobs()
    const id = await fake.start({ warnings: ['One.', 'Two.'] })
    expect((await answer(fake, id)).warning).toBe('One. Two.')
    fake.skip(id, 'http://site.test/a', 'depth')
    expect((await answer(fake, id)).warning).toBe('One. Two.')
    fake.skip(id, 'http://site.test/b', 'robots')
    expect((await answer(fake, id)).warning).toBe('One. Two. Some URLs were not fetched as robots.txt forbids them; see the errors of the job.')
  })

  it('still identifies a page without formats, or whose content was deleted', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    const [bare, gone] = [await fake.deliver(id, {}, blobs), await fake.deliver(id, { markdown: 'm' }, memoryBlobs())]
    expect((await answer(fake, id)).data).toEqual([bare, { metadata: gone['metadata'], warning: 'The content of this page is no longer kept.' }])
  })
})

describe('a page that is not found', () => {
  it.each([[-889_999, false], [-890_000, true]])('while nothing of it can have been erased is a failure of the store, not a result (written at %d)', async (at, gone) => {
    const fake = fakeJobs()
    const id = await fake.start()
    const { metadata } = await fake.deliver(id, { markdown: 'm' }, memoryBlobs(), at)
    const answered = answer(fake, id)
    if (gone) expect((await answered).data).toEqual([{ metadata, warning: 'The content of this page is no longer kept.' }])
    else await expect(answered).rejects.toBeInstanceOf(StoreAway)
  })
})

describe('pages of results', () => {
  it('contain at most `limit` results, and continue where the last one ended', async () => {
    const { fake, id, pages } = await withPages(5)
    fake.end(id, 'completed')
    const seen = []
    for (const skip of [0, 2, 4]) seen.push(await answer(fake, id, { skip, limit: 2 }))
    expect(seen.flatMap(({ data }) => data)).toEqual(pages)
    expect(seen.map(({ next }) => next)).toEqual([`${url}?skip=2&limit=2`, `${url}?skip=4&limit=2`, null])
  })

  it('contain at most a thousand results without a limit', async () => {
    const { fake, id } = await withPages(1_001)
    const first = await answer(fake, id)
    expect([first.data.length, first.next]).toEqual([1_000, `${url}?skip=1000`])
  })

  it('end before ten megabytes, but contain at least one result of any size', async () => {
    const { fake, id } = await withPages(4, { markdown: 'm'.repeat(4 * megabyte) })
    expect(await answer(fake, id)).toMatchObject({ data: { length: 2 }, next: `${url}?skip=2` })
    const large = await withPages(2, { markdown: 'm'.repeat(11 * megabyte) })
    expect(await answer(large.fake, large.id, { skip: 1 })).toMatchObject({ data: { length: 1 } })
  })

  it('name a next page if the first one of a running job is empty, but not if a later one is, or clients would poll without pause', async () => {
    const { fake, id } = await withPages(2)
    const empty = await fake.start()
    expect((await answer(fake, empty)).next).toBe(`${url}?skip=0`)
    expect((await answer(fake, empty, { skip: 0 })).next).toBeNull()
    expect((await answer(fake, id, { skip: 0 })).next).toBe(`${url}?skip=2`)
    expect((await answer(fake, id, { skip: 2 })).next).toBeNull()
    expect((await answer(fake, id, { skip: 99 })).next).toBeNull()
  })

  it('contain no more results than the counters say', async () => {
    const { fake, id, pages } = await withPages(2)
    const job = await found(fake, id)
    await fake.deliver(id, {}, blobs)
    const body = await textOf(statusBody(job, { url }, { jobs: fake.jobs, blobs, now: () => 0 }))
    expect(JSON.parse(body)).toMatchObject({ completed: 2, data: pages, next: `${url}?skip=2` })
  })

  it('end where results have been erased', async () => {
    const { fake, id } = await withPages(3)
    fake.end(id, 'cancelled')
    fake.erase(id, 'results')
    expect(await answer(fake, id)).toMatchObject({ completed: 3, data: [], next: null })
  })

  it('of a zero-retention job have a warning after they were erased, and none before', async () => {
    const { fake, id } = await withPages(3)
    fake.set(id, { retention: 'zero' })
    expect((await answer(fake, id)).warning).toBeUndefined()
    fake.end(id, 'completed')
    expect((await answer(fake, id)).warning).toBeUndefined()
    await fake.jobs.erase(id)
    expect(await answer(fake, id)).toMatchObject({ completed: 3, data: [], next: null, warning: 'The results of this job have been erased.' })
    const failed = await fake.start({ retention: 'zero', warnings: ['about words of the caller'] })
    fake.break(failed, 'http://site.test/', 'SCRAPE_SITE_ERROR')
    fake.end(failed, 'completed')
    expect((await answer(fake, failed)).warning).toBe('about words of the caller')
    await fake.jobs.erase(failed)
    expect(await answer(fake, failed)).toMatchObject({ total: 1, completed: 0, warning: 'The results of this job have been erased.' })
  })

  it('are read in pieces, so that little is read for a client that leaves', async () => {
    const { fake, id } = await withPages(1_000, { markdown: 'm'.repeat(8_000) })
    const read: string[] = []
    const counting = { get: (key: string) => (read.push(key), blobs.get(key)) }
    const stream = statusBody(await found(fake, id), { url }, { jobs: fake.jobs, blobs: counting, now: () => 0 })
    await stream.next()
    await stream.return(undefined)
    expect(read.length).toBeLessThan(20)
    expect(fake.asked['results']).toBe(1)
  })
})
