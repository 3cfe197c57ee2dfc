import { expect, it } from 'vitest'
import type { Job } from '../../../domain/jobs/job.ts'
import type { NewPage } from '../../../domain/jobs/pages.ts'
import type { TrackedPages } from '../../../domain/pages/versions.ts'
import type { Task } from '../../../domain/queue.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { jobMemory } from './memory.ts'
import { runRecall } from './recall.ts'

const start = 'http://site.test/'
const job = { id: 'j', team: 't', kind: 'crawl', state: 'scraping', url: start, start, request: JSON.stringify(CrawlRequest.parse({ url: start, scrapeOptions: { formats: ['markdown', 'changeTracking'] } })) } as Job // the fields that the task uses

it.each([0, 12, 500, 11_111])('reads %i pages that were tracked before from the store, and sends them to the frontier, a few at a time', async (count) => {
  const all = Array.from({ length: count }, (_, i) => `${start}${String(i).padStart(5, '0')}`)
  const asked: string[] = []
  const sent: NewPage[][] = []
  const versions = { tracked: async ({ after, limit }: TrackedPages) => (asked.push(after), all.slice(all.indexOf(after) + 1, all.indexOf(after) + 1 + limit)) }
  let ended = 0
  const jobs = { append: async (_id: string, pages: readonly NewPage[]) => (sent.push([...pages]), true), recalled: async () => void ended++ }
  const ports = { memory: jobMemory({ find: async () => job }, () => null), jobs, versions, newId: () => 'e', now: () => 0 } as unknown as Parameters<typeof runRecall>[1] // the ports that are used
  await runRecall({ payload: 'j' } as Task, ports) // all that is read of a task
  expect(sent.flat().map(({ url, recalled }) => [url, recalled])).toEqual(all.map((url) => [url, true]))
  expect([Math.max(0, ...sent.map(({ length }) => length)), ended]).toEqual([Math.min(count, 500), 1])
  expect(asked).toHaveLength(Math.ceil(count / 500) + 1)
})
