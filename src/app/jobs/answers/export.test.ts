import { expect, it } from 'vitest'
import { fakeJobs } from '../../../../test/fake-jobs.ts'
import { memoryBlobs } from '../../../../test/fakes.ts'
import { textOf } from '../../../../test/text-of.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import type { Jobs } from '../../../domain/jobs/jobs.ts'
import { exportBody } from './export.ts'

const blobs = memoryBlobs()
const now = (): number => 10_000

it('contains one result per line, in order, over all pages of results', async () => {
  const fake = fakeJobs()
  const id = await fake.start()
  const pages = []
  for (let i = 0; i < 1_250; i++) pages.push(await fake.deliver(id, { markdown: `line\nfeed ${i}\u2028` }, blobs))
  const job = (await fake.jobs.find(id)) as Job // started above
  await fake.deliver(id, { markdown: 'later' }, blobs)
  const lines = (await textOf(exportBody(job, { jobs: fake.jobs, blobs, now }))).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(pages)
})

it('is empty without results', async () => {
  const fake = fakeJobs()
  const job = (await fake.jobs.find(await fake.start())) as Job // started here
  expect(await textOf(exportBody(job, { jobs: fake.jobs, blobs, now }))).toBe('')
})

it('says so if the results have been erased', async () => {
  const fake = fakeJobs()
  const id = await fake.start()
  await fake.deliver(id, { markdown: 'words' }, blobs)
  fake.erase(id, 'results')
  await expect(textOf(exportBody((await fake.jobs.find(id)) as Job, { jobs: fake.jobs, blobs, now }))).rejects.toMatchObject({ code: 'JOB_EXPIRED', message: 'The results of this job have been erased.' }) // started above
})

it.each(['results', 'job', 'sweep'] as const)('breaks off if the %s is deleted while it is sent', async (what) => {
  const fake = fakeJobs()
  const id = await fake.start()
  for (let i = 0; i < 250; i++) await fake.deliver(id, { markdown: `${i} ${'x'.repeat(1_000)}` }, blobs)
  const body = exportBody((await fake.jobs.find(id)) as Job, { jobs: fake.jobs, blobs, now }) // started above
  expect((await body.next()).done).toBe(false)
  fake.erase(id, what)
  await expect(textOf(body)).rejects.toMatchObject({ code: 'JOB_EXPIRED' })
})

it('breaks off without a repetition if the oldest results are deleted first', async () => {
  const fake = fakeJobs()
  const id = await fake.start()
  for (let i = 0; i < 700; i++) await fake.deliver(id, { markdown: `${i} ${'x'.repeat(1_000)}` }, blobs)
  let swept = 0
  // As after a sweep, which deletes a batch of results per transaction.
  const results: Jobs['results'] = async (of, { skip, ...page }) => fake.jobs.results(of, { ...page, skip: Math.max(skip, swept) })
  const body = exportBody((await fake.jobs.find(id)) as Job, { jobs: { results }, blobs, now }) // started above
  let text = Buffer.from((await body.next()).value ?? []).toString()
  swept = 500
  await expect((async () => {
    for await (const piece of body) text += Buffer.from(piece).toString()
  })()).rejects.toMatchObject({ code: 'JOB_EXPIRED' })
  const numbers = text.split('\n').filter((line) => line.endsWith('}')).map((line) => Number(/"markdown":"(\d+)/.exec(line)?.[1]))
  expect(numbers).toEqual(numbers.map((_, i) => i))
})
