import { expect, it } from 'vitest'
import { insteadOf } from './absent.ts'

it.each([
  ['/v2/v2/scrape', 'without it'],
  ['/team/credit-usage', 'with it'],
  ['/scrape', 'with it'],
  ['/v1/scrape', 'Only version 2'],
  ['/v2/search/research/papers', 'categories research and code_hosting'],
  ['/v2/search/developer', 'categories research and code_hosting'],
  ['/v2/agent', 'the format json'],
])('a client that asks for %s learns what to do', (path, hint) => {
  expect(insteadOf(path)).toContain(hint)
})

it.each(['/', '/favicon.ico', '/v2/scraper', '/maps', '/v2/search/x/feedback'])('nothing is guessed about %s', (path) => {
  expect(insteadOf(path)).toBeUndefined()
})
