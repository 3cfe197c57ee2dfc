import { describe, expect, it } from 'vitest'
import { type FakeJobs, fakeJobs } from '../../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../../test/fakes.ts'
import { textOf } from '../../../../test/text-of.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import { watchFrames } from './watch.ts'

const blobs = memoryBlobs()

interface Seen {
  readonly type: string
  readonly data: { readonly status?: string; readonly data?: readonly unknown[] } & Record<string, unknown>
}

/** All frames; `step` runs each time the watcher waits. */
async function frames(fake: FakeJobs, id: string, step: () => Promise<boolean> = async () => false): Promise<Seen[]> {
  const job = (await fake.jobs.find(id)) as Job // started by the test
  const seen: Seen[] = []
  for await (const frame of watchFrames(job, { jobs: fake.jobs, blobs, now: () => 0, changed: step })) seen.push(JSON.parse(await textOf(frame)) as Seen) // asserted on below
  return seen
}

describe('the watch over a job', () => {
  it('sends the results so far, each new one, and the end', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    const first = await fake.deliver(id, { markdown: 'one' }, blobs)
    const later: unknown[] = []
    const seen = await frames(fake, id, async () => {
      if (later.length < 2) later.push(await fake.deliver(id, { markdown: 'more' }, blobs))
      else fake.end(id, 'completed')
      fake.break(id, 'http://site.test/x', 'SCRAPE_TIMEOUT')
      return true
    })
    expect(seen.map(({ type }) => type)).toEqual(['catchup', 'document', 'document', 'done'])
    expect(seen[0]?.data).toMatchObject({ success: true, id, status: 'scraping', completed: 1, data: [first], next: null })
    expect(seen.slice(1, 3).map(({ data }) => data)).toEqual(later)
    expect(seen[3]?.data).toEqual({ status: 'completed', total: expect.any(Number) as number, completed: 3, creditsUsed: 3, expiresAt: '1970-01-02T00:00:01.000Z', data: [] }) // an asymmetric matcher
  })

  it.each(['failed', 'cancelled'] as const)('sends the status %s instead of `done`, which clients take for completed', async (state) => {
    const fake = fakeJobs()
    const id = await fake.start()
    fake.end(id, state)
    const seen = await frames(fake, id)
    expect(seen.map(({ type, data }) => [type, data.status])).toEqual([['catchup', state], ['status', state]])
    expect(seen[1]?.data['error']).toBe(state === 'failed' ? 'The site cannot be reached.' : undefined)
  })

  it('sends results that do not fit into one frame one by one, and the end after them', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    for (let i = 0; i < 5; i++) await fake.deliver(id, { markdown: 'm'.repeat(4_194_304) }, blobs)
    fake.end(id, 'completed')
    const seen = await frames(fake, id)
    expect(seen.map(({ type, data }) => [type, data.status, data.data?.length])).toEqual([
      ['catchup', 'scraping', 2], ['document', undefined, undefined], ['document', undefined, undefined], ['document', undefined, undefined], ['done', 'completed', 0],
    ])
  })

  it('ends when the job is deleted, or when nobody watches any more', async () => {
    const fake = fakeJobs()
    const id = await fake.start()
    expect((await frames(fake, id)).map(({ type }) => type)).toEqual(['catchup'])
    await expect(
      frames(fake, id, async () => {
        fake.erase(id, 'job')
        return true
      }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
