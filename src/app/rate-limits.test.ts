import { expect, it } from 'vitest'
import { rateLimits } from './rate-limits.ts'

it('counts each team and kind by itself, anew in each window', () => {
  let now = 0
  const rates = rateLimits(new Map([['scrape', { limit: 2, windowMs: 60_000 }]]), () => now)
  expect(rates.count('a', 'scrape')).toEqual({ limit: 2, remaining: 1, resetSeconds: 60 })
  now = 10_000
  expect(rates.count('a', 'scrape')).toEqual({ limit: 2, remaining: 0, resetSeconds: 50 })
  expect(() => rates.count('a', 'scrape')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 50 }))
  expect(rates.count('b', 'scrape')?.remaining).toBe(1)
  expect(rates.count('a', 'crawl')).toBeNull()
  now = 60_000
  expect(rates.count('a', 'scrape')?.remaining).toBe(1)
})
