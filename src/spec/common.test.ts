import { expect, it } from 'vitest'
import type { z } from 'zod'
import { CrawlPreviewRequest, CrawlRequest } from './crawl.ts'
import { InteractRequest } from './interact.ts'
import { ScrapeRequest } from './scrape.ts'
import { SearchRequest } from './search.ts'

const url = 'https://example.com/'
const format = (name: string, type: string) => (text: string) => ScrapeRequest.safeParse({ url, formats: [{ type, [name]: text }] })

it.each<[string, number, (text: string) => z.ZodSafeParseResult<unknown>, boolean?]>([
  ['the query of a search', 500, (query: string) => SearchRequest.safeParse({ query })],
  ['the prompt of a preview', 10_000, (prompt: string) => CrawlPreviewRequest.safeParse({ url, prompt })],
  ['a question', 10_000, format('question', 'question')],
  ['the query of highlights', 10_000, format('query', 'highlights')],
  ['the prompt of json', 10_000, format('prompt', 'json')],
  ['the prompt of a run', 10_000, (prompt: string) => InteractRequest.safeParse({ prompt })],
  // Without words it is not given (`crawl.test.ts`).
  ['the prompt of a crawl', 10_000, (prompt: string) => CrawlRequest.safeParse({ url, prompt }), true],
])('%s has at most %i characters, of which each counts as one', (_name, most, parse, mayBeEmpty = false) => {
  expect([parse('😀'.repeat(most)).success, parse('a'.repeat(most)).success, parse('').success]).toEqual([true, true, mayBeEmpty])
  for (const text of ['😀'.repeat(most + 1), 'a'.repeat(most + 1)]) {
    const { error } = parse(text)
    expect(error?.issues).toMatchObject([{ code: 'too_big', message: `Too long: at most ${most} characters` }])
  }
})
