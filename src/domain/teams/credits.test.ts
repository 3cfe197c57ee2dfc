import { expect, it } from 'vitest'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { ceilingOf, costOf, costOfFailure, creditsOfSearch, creditsOfSession } from './credits.ts'

const request = (options: object): ReturnType<typeof ScrapeRequest.parse> => ScrapeRequest.parse({ url: 'https://example.com/', ...options })
const ok = { verdict: 'ok', enhanced: false } as const

it.each([
  ['a page', {}, ok, 1],
  ['a page with free formats', { formats: ['markdown', 'html', 'links', 'images', 'screenshot', 'summary', 'branding'] }, ok, 1],
  ['json', { formats: ['json'] }, ok, 5],
  ['a question and highlights', { formats: [{ type: 'question', question: 'q' }, { type: 'highlights', query: 'q' }] }, ok, 9],
  ['change tracking with json', { formats: ['markdown', { type: 'changeTracking', modes: ['json'] }] }, ok, 5],
  ['json of the page and of its changes, once', { formats: ['markdown', 'json', { type: 'changeTracking', modes: ['json', 'git-diff'] }] }, ok, 5],
  ['a page of the enhanced tier', {}, { verdict: 'ok', enhanced: true }, 5],
  ['a PDF, by the page', { formats: ['json'] }, { verdict: 'ok', enhanced: false, pages: 30 }, 34],
  ['a PDF under lockdown', { lockdown: true }, { verdict: 'ok', enhanced: false, pages: 30 }, 5],
  ['zero retention', { zeroDataRetention: true }, ok, 2],
  ['a lockdown hit, whatever else', { lockdown: true, zeroDataRetention: true, formats: ['json'] }, ok, 5],
  ['a film and no sound', { formats: ['video', 'audio'] }, { verdict: 'ok', enhanced: false, without: ['audio'] }, 5],
  ['a challenge', { formats: ['json'] }, { verdict: 'challenge', enhanced: false }, 0],
  ['an empty shell', {}, { verdict: 'empty', enhanced: false }, 0],
  ['a login wall', {}, { verdict: 'login', enhanced: false }, 1],
] as const)('%s costs what the price list says', (_name, options, outcome, credits) => expect(costOf(request(options), outcome)).toBe(credits))

it.each(['json', { type: 'question', question: 'q' }, { type: 'query', prompt: 'q' }, { type: 'highlights', query: 'q' }, 'audio', 'video'])('the format %j costs four more than a page', (format) => expect(costOf(request({ formats: [format] }), ok)).toBe(5))

it('a request for an enhanced page reserves its maximum price', () => expect(ceilingOf(request({ proxy: 'enhanced' }))).toBe(5))

it('failures are charged only for an unknown name and a lockdown miss', () => {
  expect((['SCRAPE_DNS_RESOLUTION_ERROR', 'SCRAPE_LOCKDOWN_CACHE_MISS', 'SCRAPE_TIMEOUT', 'FORBIDDEN'] as const).map(costOfFailure)).toEqual([1, 1, 0, 0])
})

it('a search costs by the ten results begun, and more with zero retention', () => {
  expect([0, 1, 10, 11].map((results) => creditsOfSearch(results, 'normal'))).toEqual([0, 2, 2, 4])
  expect(creditsOfSearch(11, 'zero')).toBe(20)
})

it('a session costs by the second begun, at least for a minute, in whole credits', () => {
  expect([0, 60_000, 60_001, 90_000, 90_001, 3_600_000].map((ms) => creditsOfSession(ms, false))).toEqual([2, 2, 3, 3, 4, 120])
  expect([1, 60_001, 120_000].map((ms) => creditsOfSession(ms, true))).toEqual([7, 8, 14])
})
