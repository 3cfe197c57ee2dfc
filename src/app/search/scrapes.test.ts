import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { SearchRequest } from '../../spec/search.ts'
import { planSearch } from './plan.ts'
import type { SearchPorts } from './ports.ts'
import { type Scraped, scrapeAll } from './scrapes.ts'

const megabyte = 1024 * 1024
const left = { document: { metadata: { creditsUsed: 1 }, warning: 'Left out, as the answer would be too large: scrape this page by itself.' }, credits: 1, lacked: null }

/** Scrapes results whose pages have that many megabytes each. */
async function scrapedOf(urls: readonly string[], megabytes: number): Promise<readonly Scraped[]> {
  const request = SearchRequest.parse({ query: 'tide', scrapeOptions: { formats: ['markdown'] } })
  const plan = planSearch(request, { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] }, 't', 0)
  const page = Buffer.from(JSON.stringify({ success: true, data: { markdown: 'x'.repeat(megabytes * megabyte), metadata: { creditsUsed: 1 } } }))
  const ports = { admission: { enter: async () => ({ waitedMs: 0, release: () => undefined }) }, scrape: async () => page, now: () => 0 } as unknown as SearchPorts // what scraping asks for
  const call: Call = { id: 'i', team: 't', signal: new AbortController().signal, deadline: 60_000, retention: 'normal', log: () => undefined }
  const all = await scrapeAll(urls, { job: { id: 's', again: false, request, warnings: [], baseUrl: '' }, plan }, ports, call)
  return [...all.values()]
}
const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `https://a.example/${at}`)

it('holds no more of scraped results than an answer has room for, and says which it leaves out', async () => {
  const all = await scrapedOf(addresses(5), 20)
  expect(all.filter(({ document }) => document.markdown !== undefined)).toHaveLength(2)
  expect(all.filter(({ document }) => document.markdown === undefined)).toEqual(Array.from({ length: 3 }, () => left))
})

it('counts a page that is in the answer twice as two', async () => {
  const one = addresses(1)
  expect(await scrapedOf([...one, ...one], 30)).toEqual([left])
  expect((await scrapedOf(one, 30))[0]?.document.markdown).toHaveLength(30 * megabyte)
})
