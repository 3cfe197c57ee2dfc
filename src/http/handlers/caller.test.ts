import { expect, it } from 'vitest'
import { fakeApp } from '../../../test/fakes.ts'
import { testKey } from '../../../test/service.ts'

it('a request with an idempotency key derives its id from it, unless nothing may be stored', async () => {
  const ids: string[] = []
  const start = async (_request: unknown, { id }: { readonly id: string }): Promise<{ readonly id: string }> => (ids.push(id), { id })
  const app = fakeApp({ startCrawl: start, startBatch: start })
  const post = async (path: string, body: object, key?: string): Promise<string> => {
    const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-idempotency-key': key }) }
    const answer = await app.inject({ method: 'POST', url: path, headers, body: JSON.stringify(body) })
    expect([answer.statusCode, answer.json<{ id: string }>().id]).toEqual([200, ids.at(-1)])
    return ids.at(-1) ?? ''
  }
  const url = 'http://site.test/'
  const crawl = (more: object, key?: string): Promise<string> => post('/v2/crawl', { url, ...more }, key)
  const first = await crawl({}, 'k')
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(await crawl({ limit: 5 }, 'k')).toBe(first)
  const others = [await crawl({}, 'l'), await crawl({}), await crawl({}), await post('/v2/batch/scrape', { urls: [url] }, 'k')]
  const unkept = { scrapeOptions: { lockdown: true } }
  others.push(await crawl(unkept, 'k'), await crawl(unkept, 'k'))
  expect(new Set([first, ...others]).size).toBe(7)
})
