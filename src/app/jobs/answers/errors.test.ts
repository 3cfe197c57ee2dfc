import { expect, it } from 'vitest'
import { fakeJobs, newJob } from '../../../../test/fake-jobs.ts'
import { textOf } from '../../../../test/text-of.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import { ErrorsAnswer } from '../../../spec/jobs.ts'
import { errorsBody } from './errors.ts'

const fake = fakeJobs()

async function answer(id: string, skipped: boolean): Promise<ErrorsAnswer> {
  const job = (await fake.jobs.find(id)) as Job // started by the test
  return ErrorsAnswer.parse(JSON.parse(await textOf(errorsBody(job, { skipped }, { jobs: fake.jobs }))))
}

it('lists failures and URLs that robots.txt forbids, and on request every URL that was not fetched', async () => {
  const id = await fake.start()
  expect(await answer(id, false)).toEqual({ success: true, errors: [], robotsBlocked: [] })
  fake.break(id, 'http://site.test/a', 'SCRAPE_TIMEOUT')
  fake.skip(id, 'http://site.test/b', 'robots')
  fake.skip(id, 'http://site.test/"c"', 'depth')
  const errors = [{ id: expect.any(String) as string, timestamp: '1970-01-01T00:00:00.500Z', url: 'http://site.test/a', code: 'SCRAPE_TIMEOUT', error: 'It failed: SCRAPE_TIMEOUT.' }] // an asymmetric matcher
  const skipped = [{ url: 'http://site.test/b', reason: 'robots' }, { url: 'http://site.test/"c"', reason: 'depth' }]
  expect(await answer(id, false)).toEqual({ success: true, errors, robotsBlocked: ['http://site.test/b'] })
  expect(await answer(id, true)).toEqual({ success: true, errors, robotsBlocked: ['http://site.test/b'], skipped })
})

it('lists any number of URLs, each once', async () => {
  const { id } = newJob()
  await fake.start({ id })
  for (let i = 0; i < 2_000; i++) fake.break(id, `http://site.test/${i}`, 'SCRAPE_SITE_ERROR')
  expect((await answer(id, false)).errors.map(({ url }) => url)).toEqual(Array.from({ length: 2_000 }, (_, i) => `http://site.test/${i}`))
  const urls = Array.from({ length: 2_000 }, (_, i) => `http://site.test/skipped/${i}`)
  for (const [i, url] of urls.entries()) fake.skip(id, url, i % 2 === 0 ? 'robots' : 'depth')
  const { robotsBlocked, skipped } = await answer(id, true)
  expect([robotsBlocked, skipped?.map(({ url }) => url)]).toEqual([urls.filter((_, i) => i % 2 === 0), urls])
})
