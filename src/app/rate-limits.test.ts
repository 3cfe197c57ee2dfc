import { expect, it } from 'vitest'
import { parseRates } from '../domain/teams/rates.ts'
import { routes } from '../spec/routes.ts'
import { namesOfKind } from '../spec/same-routes.ts'
import { type Asking, assertKinds, rateLimits } from './rate-limits.ts'

const none = parseRates('off')
const asking = (id: string, team = 'a', rates = none): Asking => ({ team, key: { id, rates } })
const told = { limit: 2, remaining: 1, resetSeconds: 60, refused: null }
const refusal = expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 50 })

it('rate limits count by key and kind of request, refuse the excess, and start again with each window', () => {
  let now = 1_000
  const rates = rateLimits({ each: parseRates('scrape=2/min'), ofTeam: () => none, now: () => now })
  expect(rates.count(asking('1'), 'scrape')).toEqual(told)
  now += 10_000
  expect(rates.count(asking('1'), 'scrape')).toEqual({ ...told, remaining: 0, resetSeconds: 50 })
  expect(rates.count(asking('1'), 'scrape')).toEqual({ ...told, remaining: 0, resetSeconds: 50, refused: refusal })
  expect(rates.count(asking('2'), 'scrape')).toEqual(told)
  expect(rates.count(asking('1'), 'crawl')).toBeNull()
  expect(rates.count({ team: 'default', key: null }, 'scrape')).toEqual(told)
  now += 50_000
  expect(rates.count(asking('1'), 'scrape')).toEqual(told)
})

it('rate limits never ask to come back too early: part of a second counts as one, and of several limits the last to open again', () => {
  let now = 1_000
  const rates = rateLimits({ each: parseRates('scrape=1/s,map=1/s'), ofTeam: () => parseRates('scrape=1/h'), now: () => now })
  for (const kind of ['scrape', 'map']) rates.count(asking('1'), kind)
  now += 500
  expect(rates.count(asking('1'), 'map')?.refused?.retryAfterSeconds).toBe(1)
  expect(rates.count(asking('1'), 'scrape')?.refused).toMatchObject({ retryAfterSeconds: 3_600, message: 'At most 1 scrape requests of the team per 3600 seconds.' })
  now += 500
  expect(rates.count(asking('1'), 'map')?.refused).toBeNull()
})

it('rate limits tell the later reset of two that leave as little', () => {
  for (const [each, team] of [['scrape=2/s', 'scrape=2/h'], ['scrape=2/h', 'scrape=2/s']] as const) {
    const rates = rateLimits({ each: parseRates(each), ofTeam: () => parseRates(team), now: () => 1_000 })
    expect(rates.count(asking('1'), 'scrape')).toEqual({ limit: 2, remaining: 1, resetSeconds: 3_600, refused: null })
  }
})

it('rate limits of a key replace those of the settings for each kind', () => {
  const rates = rateLimits({ each: parseRates('scrape=2/min,map=3/h'), ofTeam: () => none, now: () => 1_000 })
  const special = asking('1', 'a', parseRates('scrape=9/s'))
  expect(rates.count(special, 'scrape')).toEqual({ limit: 9, remaining: 8, resetSeconds: 1, refused: null })
  expect(rates.count(special, 'map')).toEqual({ limit: 3, remaining: 2, resetSeconds: 3_600, refused: null })
})

it('rate limits of a team are shared by its keys, and a refusal by them uses up nothing of a key', () => {
  let now = 1_000
  const rates = rateLimits({ each: parseRates('scrape=2/h'), ofTeam: (team) => parseRates(team === 'a' ? 'scrape=1/s' : 'off'), now: () => now })
  expect(rates.count(asking('1'), 'scrape')).toEqual({ limit: 1, remaining: 0, resetSeconds: 1, refused: null })
  expect(rates.count(asking('2'), 'scrape')?.refused?.message).toBe('At most 1 scrape requests of the team per 1 seconds.')
  expect(rates.count(asking('3', 'b'), 'scrape')?.remaining).toBe(1)
  now += 1_000
  expect(rates.count(asking('2'), 'scrape')).toEqual({ limit: 1, remaining: 0, resetSeconds: 1, refused: null })
  now += 1_000
  expect(rates.count(asking('2'), 'scrape')).toEqual({ limit: 2, remaining: 0, resetSeconds: 3_598, refused: null })
  now += 1_000
  expect(rates.count(asking('2'), 'scrape')?.refused?.message).toBe('At most 2 scrape requests with this key per 3600 seconds.')
})

it('rate limits count requests to a second path of a route as those to its first, by whichever name they are set', () => {
  for (const name of ['browserExecute', 'interactExecute']) {
    const rates = rateLimits({ each: parseRates(`${name}=2/min`), ofTeam: () => none, now: () => 1_000 })
    const remaining = ['browserExecute', 'interactExecute', 'browserExecute', 'interactExecute'].map((kind) => rates.count(asking('1'), kind))
    expect(remaining.map((state) => [state?.remaining, state?.refused !== null])).toEqual([[1, false], [0, false], [0, true], [0, true]])
  }
  expect(() => assertKinds(parseRates('interactExecute=1/s,browserExecute=2/s'))).toThrow('These are the same requests under two paths: browserExecute, interactExecute. Give them one limit.')
  expect(() => assertKinds(parseRates('interactExecute=1/s,browserExecute=1/min'))).toThrow('These are the same requests')
  expect(() => assertKinds(parseRates('interactExecute=2/s,browserExecute=2/s'))).not.toThrow()
})

it('routes of one path are each a kind of their own, and those said to be the same do the same', () => {
  const names = Object.keys(routes) as (keyof typeof routes)[] // keys of the table
  const told = names.filter((name) => routes[name].summary.startsWith('Same as ') && routes[name].access === 'key')
  expect(told.map((name) => [name, namesOfKind(name).length])).toEqual(told.map((name) => [name, 2]))
  expect(names.filter((name) => namesOfKind(name).length === 2)).toHaveLength(told.length * 2)
})

it('rate limits exist only for known kinds of requests', () => {
  expect(() => assertKinds(parseRates('scrape=1/s,crawlStatus=2/min'))).not.toThrow()
  expect(() => assertKinds(parseRates('scarpe=1/s'))).toThrow('There are no requests of the kind "scarpe"; did you mean scrape?')
  expect(() => assertKinds(parseRates('health=1/s'))).toThrow('There are no requests of the kind "health"')
  expect(() => parseRates('scrape=1/day')).toThrow('"scrape=1/day" is no rate; write scrape=600/min')
  expect(() => parseRates('scrape=1/s,map=1/s,scrape=2/s')).toThrow('names scrape twice')
})
