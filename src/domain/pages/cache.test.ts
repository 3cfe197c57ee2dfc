import { describe, expect, it } from 'vitest'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { cacheRule } from './cache.ts'

const now = 1_000_000_000_000
const day = 86_400_000
const rule = (options: object): ReturnType<typeof cacheRule> => cacheRule(ScrapeRequest.parse({ url: 'https://example.com/', ...options }), now)
const ever = Number.MAX_SAFE_INTEGER

describe('the use of the cache', () => {
  it.each([
    ['two days by default', {}, { read: 'may', oldest: now - 2 * day + 1, newest: ever, write: true }],
    ['younger than maxAge', { maxAge: 5000 }, { read: 'may', oldest: now - 4999, newest: ever, write: true }],
    ['bypassed with maxAge 0, still written', { maxAge: 0 }, { read: 'no', oldest: ever, newest: ever, write: true }],
    ['not written with storeInCache false', { storeInCache: false }, { read: 'may', oldest: now - 2 * day + 1, newest: ever, write: false }],
    ['any age with minAge 1', { minAge: 1 }, { read: 'only', oldest: 0, newest: ever, write: false }],
    ['at least as old as minAge', { minAge: day }, { read: 'only', oldest: 0, newest: now - day, write: false }],
    ['at least as old as the smallest minAge that says so', { minAge: 2 }, { read: 'only', oldest: 0, newest: now - 2, write: false }],
    ['between minAge and maxAge when both are given', { minAge: day, maxAge: 3 * day }, { read: 'only', oldest: now - 3 * day + 1, newest: now - day, write: false }],
    ['two years under lockdown', { lockdown: true }, { read: 'only', oldest: now - 730 * day + 1, newest: ever, write: false }],
    ['never with headers', { headers: { a: 'b' } }, { read: 'no', oldest: ever, newest: ever, write: false }],
    ['a sure miss with headers under lockdown', { headers: { a: 'b' }, lockdown: true }, { read: 'only', oldest: ever, newest: ever, write: false }],
    ['never with actions', { actions: [{ type: 'scrape' }] }, { read: 'no', oldest: ever, newest: ever, write: false }],
    ['never with a profile', { profile: { name: 'p' } }, { read: 'no', oldest: ever, newest: ever, write: false }],
    ['never with change tracking', { formats: ['markdown', 'changeTracking'] }, { read: 'no', oldest: ever, newest: ever, write: false }],
    ['as usual with a screenshot', { formats: ['markdown', 'screenshot@fullPage'] }, { read: 'may', oldest: now - 2 * day + 1, newest: ever, write: true }],
    ['as usual with a screenshot under lockdown', { formats: ['screenshot'], lockdown: true }, { read: 'only', oldest: now - 730 * day + 1, newest: ever, write: false }],
    ['never with a screenshot of a quality', { formats: [{ type: 'screenshot', quality: 80 }] }, { read: 'no', oldest: ever, newest: ever, write: false }],
    ['never with a screenshot of a size', { formats: [{ type: 'screenshot', viewport: { width: 500, height: 400 } }] }, { read: 'no', oldest: ever, newest: ever, write: false }],
    ['a sure miss with a screenshot of a quality and minAge', { formats: [{ type: 'screenshot', quality: 80 }], minAge: 1 }, { read: 'only', oldest: ever, newest: ever, write: false }],
    ['not written under zero retention', { zeroDataRetention: true }, { read: 'may', oldest: now - 2 * day + 1, newest: ever, write: false }],
    ['as usual with empty headers', { headers: {} }, { read: 'may', oldest: now - 2 * day + 1, newest: ever, write: true }],
  ])('%s', (_name, options, expected) => expect(rule(options)).toMatchObject(expected))

  it('reports the error code of a miss', () => {
    expect(rule({ lockdown: true, minAge: 1 }).missCode).toBe('SCRAPE_LOCKDOWN_CACHE_MISS')
    expect(rule({ minAge: 1 }).missCode).toBe('SCRAPE_NO_CACHED_DATA')
  })
})
