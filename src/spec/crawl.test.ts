import { expect, it } from 'vitest'
import { CrawlPreviewRequest, CrawlRequest } from './crawl.ts'
import { MapRequest } from './map.ts'

it.each(['', ' \n'])('the prompt %j of a crawl, as forms send a field that nobody filled in, is none', (prompt) => {
  expect(CrawlRequest.parse({ url: 'http://a.example/', prompt }).prompt).toBe(undefined)
})

it('a prompt of a crawl is kept as it is, and may not be too long', () => {
  expect(CrawlRequest.parse({ url: 'http://a.example/', prompt: ' only the blog ' }).prompt).toBe(' only the blog ')
  expect(CrawlRequest.safeParse({ url: 'http://a.example/', prompt: 'x'.repeat(10_001) }).error?.issues[0]?.message).toBe('Too long: at most 10000 characters')
})

it('an empty pattern, as forms send it for a row that nobody filled in, is none', () => {
  const url = 'https://example.com/'
  expect(CrawlRequest.parse({ url, includePaths: [''], excludePaths: ['', '^/a'] })).toMatchObject({ includePaths: [], excludePaths: ['^/a'] })
  expect(MapRequest.parse({ url, excludePaths: [''] })).toMatchObject({ excludePaths: [] })
})

it('a preview is of a prompt that says something', () => {
  expect([' ', ' \n\t ', '', 'the blog'].map((prompt) => CrawlPreviewRequest.safeParse({ url: 'https://example.com/', prompt }).success)).toEqual([false, false, false, true])
})
