import { expect, it } from 'vitest'
import { isAllowed, robotsPolicy } from '../../content/site/robots.ts'
import type { Call } from '../../domain/call.ts'
import { EndlessRedirects, ServiceError, Unreachable } from '../../domain/errors.ts'
import type { FetchAnswer, FetchRequest } from '../../domain/fetching/fetcher.ts'
import { type RobotsShelf, robotsShelf } from './robots-shelf.ts'

const callOf = (signal = new AbortController().signal): Call => ({ id: 'c', team: 't', signal, deadline: 1_000_000, retention: 'normal', log: () => undefined })
const page = 'https://site.example/private/a'

/** A shelf over hosts with these answers, and a record of the requests. */
function shelfOver(answer: (url: string) => Promise<Partial<FetchAnswer>> | Partial<FetchAnswer>) {
  const clock = { now: 0, setBack: 0 }
  const asked: string[] = []
  const fetch = async ({ url }: { readonly url: string }): Promise<FetchAnswer> => {
    asked.push(url)
    return { url, status: 200, headers: [], body: new Uint8Array(), truncated: false, tlsVerified: true, ...(await answer(url)) }
  }
  const shelf = robotsShelf({ fetcher: { fetch, close: async () => undefined }, now: () => clock.now - clock.setBack, steady: () => clock.now, breathe: async () => undefined, sleep: async () => undefined })
  return { shelf, clock, asked }
}

const allows = async (shelf: RobotsShelf, url = page): Promise<boolean> => isAllowed(robotsPolicy((await shelf.of(url, callOf())).robots, 'Trawl'), url)
const closed = { body: Buffer.from('User-agent: *\nDisallow: /private') }

it('requests robots.txt once for all callers, and again after an hour or on demand', async () => {
  const { shelf, clock, asked } = shelfOver(() => closed)
  expect(await Promise.all([allows(shelf), allows(shelf), allows(shelf, 'https://site.example/open')])).toEqual([false, false, true])
  clock.now = 3_599_999
  await allows(shelf)
  expect(asked).toEqual(['https://site.example/robots.txt'])
  clock.now = 3_600_000
  await allows(shelf)
  await shelf.of(page, callOf(), { anew: true })
  await allows(shelf, 'http://site.example/')
  expect(asked).toEqual([...Array.from({ length: 3 }, () => 'https://site.example/robots.txt'), 'http://site.example/robots.txt'])
})

it('requests robots.txt with the headers of the pages, and shares the answer with those that send the same', async () => {
  const sent: unknown[] = []
  const fetch = async ({ url, headers }: FetchRequest): Promise<FetchAnswer> => {
    sent.push(headers)
    return { url, status: 200, headers: [], truncated: false, tlsVerified: true, body: 'pass' in headers ? new Uint8Array() : closed.body }
  }
  const shelf = robotsShelf({ fetcher: { fetch, close: async () => undefined }, now: () => 0, breathe: async () => undefined, sleep: async () => undefined })
  const rules = [await shelf.of(page, callOf(), { way: { headers: { pass: 'yes' } } }), await shelf.of(page, callOf()), await shelf.of(page, callOf(), { way: { headers: { pass: 'yes' } } })]
  expect(rules.map(({ robots }) => isAllowed(robotsPolicy(robots, 'Trawl'), page))).toEqual([true, false, true])
  expect(sent).toEqual([{ pass: 'yes' }, {}])
  expect([shelf.peek(page), shelf.peek(page, { headers: { pass: 'yes' } }), shelf.peek(page, { headers: { pass: 'no' } })].map((robots) => robots?.groups.length ?? null)).toEqual([1, 0, null])
})

it('requests robots.txt with a verified certificate if the pages are to be', async () => {
  const fetch = async ({ url, skipTlsVerification }: FetchRequest): Promise<FetchAnswer> => {
    if (!skipTlsVerification) throw new ServiceError('SCRAPE_SSL_ERROR')
    return { url, status: 200, headers: [], truncated: false, tlsVerified: false, body: closed.body }
  }
  const shelf = robotsShelf({ fetcher: { fetch, close: async () => undefined }, now: () => 0, breathe: async () => undefined, sleep: async () => undefined })
  const rules = [await shelf.of(page, callOf()), await shelf.of(page, callOf(), { way: { skipTlsVerification: false } })]
  expect(rules.map(({ unreachable }) => unreachable)).toEqual([null, expect.objectContaining({ code: 'SCRAPE_SSL_ERROR' })])
})

it('requests robots.txt over the route of the pages, and keeps the answer of each route', async () => {
  const ways: unknown[] = []
  const fetch = async ({ url, tier, country }: FetchRequest): Promise<FetchAnswer> => {
    ways.push([tier, country])
    return { url, status: 200, headers: [], truncated: false, tlsVerified: true, body: tier === 'enhanced' ? new Uint8Array() : closed.body }
  }
  const shelf = robotsShelf({ fetcher: { fetch, close: async () => undefined }, now: () => 0, breathe: async () => undefined, sleep: async () => undefined })
  const enhanced = { tier: 'enhanced', country: 'DE' } as const
  const rules = [await shelf.of(page, callOf()), await shelf.of(page, callOf(), { way: enhanced }), await shelf.of(page, callOf(), { way: { country: 'DE' } }), await shelf.of(page, callOf(), { way: enhanced })]
  expect(rules.map(({ robots }) => isAllowed(robotsPolicy(robots, 'Trawl'), page))).toEqual([false, true, false, true])
  expect(ways).toEqual([[undefined, undefined], ['enhanced', 'DE'], [undefined, 'DE']])
  expect([shelf.peek(page), shelf.peek(page, enhanced), shelf.peek(page, { tier: 'enhanced' })].map((robots) => robots?.groups.length ?? null)).toEqual([1, 0, null])
})

it.each([[404, true], [403, true], [500, false], [503, false], [302, true]])('a robots.txt with status %i: fetching is allowed: %s', async (status, expected) => {
  const { shelf } = shelfOver(() => ({ ...closed, status, body: Buffer.from('') }))
  expect(await allows(shelf)).toBe(expected)
})

it('a robots.txt that times out reports that, whichever timer fires first', async () => {
  const { shelf, clock } = shelfOver(() => {
    clock.now = 9_980
    return Promise.reject(new ServiceError('SCRAPE_TIMEOUT'))
  })
  expect((await shelf.of(page, callOf())).unreachable).toMatchObject({ code: 'SCRAPE_SITE_ERROR', message: 'The site did not answer in time for its robots.txt.' })
})

it('a robots.txt is not requested before its Retry-After', async () => {
  const { shelf, clock, asked } = shelfOver(() => ({ status: 503, headers: [['retry-after', '10']] }))
  expect(await shelf.of(page, callOf())).toMatchObject({ failing: 503, againInMs: 10_000 })
  clock.now = 9_999
  await shelf.of(page, callOf())
  expect(asked.length).toBe(1)
  clock.now = 10_000
  await shelf.of(page, callOf())
  expect(asked.length).toBe(2)
})

it.each([[503, false], [429, true]])('a robots.txt that is temporarily unavailable (%i) is requested again after a second, and unknown until then', async (status, allowed) => {
  let works = false
  const { shelf, clock, asked } = shelfOver(() => (works ? closed : { ...closed, status, body: Buffer.from('') }))
  expect([(await shelf.of(page, callOf())).failing, await allows(shelf), shelf.peek(page)]).toEqual([status, allowed, null])
  works = true
  clock.now = 999
  expect([(await shelf.of(page, callOf())).failing, asked.length]).toEqual([status, 1])
  clock.now = 1_000
  expect([(await shelf.of(page, callOf())).failing, await allows(shelf), shelf.peek(page) === null]).toEqual([undefined, false, false])
})

it('a robots.txt whose connection broke is requested once more', async () => {
  let broken = 1
  const { shelf, asked } = shelfOver(() => (broken-- > 0 ? Promise.reject(new ServiceError('SCRAPE_SITE_ERROR')) : closed))
  expect([await allows(shelf), (await shelf.of(page, callOf())).unreachable, asked.length]).toEqual([false, null, 2])
  broken = 2
  const { unreachable } = await shelf.of(page, callOf(), { anew: true })
  expect([unreachable, asked.length]).toEqual([null, 4])
  broken = 2
  expect([(await shelf.of('https://other.example/', callOf())).unreachable, asked.length]).toEqual([new ServiceError('SCRAPE_SITE_ERROR'), 6])
})

it('a robots.txt that redirects endlessly counts as missing', async () => {
  const { shelf } = shelfOver(() => Promise.reject(new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new EndlessRedirects() })))
  expect(await shelf.of(page, callOf())).toEqual({ robots: { groups: [], delays: [], sitemaps: [] }, unreachable: null })
})

it('a host that cannot be reached is asked again after a minute; until then its rules are unknown', async () => {
  const down = new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR')
  let works = false
  const { shelf, clock } = shelfOver(() => (works ? closed : Promise.reject(down)))
  expect((await shelf.of(page, callOf())).unreachable).toBe(down)
  expect(shelf.peek(page)).toBe(null)
  works = true
  clock.now = 59_999
  expect((await shelf.of(page, callOf())).unreachable).toBe(down)
  clock.now = 60_000
  expect(await shelf.of(page, callOf())).toMatchObject({ unreachable: null, at: 'https://site.example/robots.txt' })
  expect(shelf.peek(page)).not.toBe(null)
})

it('a host is in trouble, and its rules are known, no longer when the time is set back meanwhile', async () => {
  let works = false
  const { shelf, clock, asked } = shelfOver(() => (works ? closed : { status: 503 }))
  const isThere = async () => (await shelf.of(page, callOf())).failing === undefined
  expect(await isThere()).toBe(false)
  works = true
  clock.setBack = 24 * 3_600_000
  clock.now = 1_000
  expect([await isThere(), asked.length]).toEqual([true, 2])
  clock.setBack *= 2
  clock.now += 3_600_000
  expect([await isThere(), asked.length]).toEqual([true, 3])
})

it.each<[string, () => Promise<Partial<FetchAnswer>>]>([
  ['cannot be asked', () => Promise.reject(new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Unreachable() }))],
  ['answers with status 503', async () => ({ status: 503 })],
  ['answers with status 429', async () => ({ status: 429 })],
])('a host that %s for a moment keeps its last known rules for a day', async (_what, fails) => {
  let works = true
  const { shelf, clock, asked } = shelfOver(() => (works ? closed : fails()))
  const known = async () => {
    const { unreachable, failing } = await shelf.of(page, callOf())
    return [unreachable === null && failing === undefined, await allows(shelf), await allows(shelf, 'https://site.example/open')]
  }
  await known()
  works = false
  clock.now = 3_600_000
  expect([await known(), shelf.peek(page) === null, asked.length]).toEqual([[true, false, true], false, 2])
  clock.now = 23 * 3_600_000
  expect([await known(), shelf.peek(page) === null, asked.length]).toEqual([[true, false, true], false, 3])
  clock.now = 24 * 3_600_000
  expect([(await known())[0], shelf.peek(page)]).toEqual([false, null])
  works = true
  clock.now = 25 * 3_600_000
  expect([await known(), shelf.peek(page) === null]).toEqual([[true, false, true], false])
})

it('an unreachable host is asked again after five seconds when a crawl or map starts there', async () => {
  let works = false
  const { shelf, clock, asked } = shelfOver(() => (works ? closed : Promise.reject(new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR'))))
  const isThere = async () => (await shelf.of(page, callOf(), { begins: true })).unreachable === null
  expect(await isThere()).toBe(false)
  works = true
  clock.now = 4_999
  expect([await isThere(), asked.length]).toEqual([false, 1])
  clock.now = 5_000
  expect([(await shelf.of(page, callOf())).unreachable === null, await isThere(), await isThere(), asked.length]).toEqual([false, true, true, 2])
})

it.each(['SCRAPE_PROXY_SELECTION_ERROR', 'OVERLOADED'] as const)('a host is asked again after five seconds when only the proxy or this machine failed: %s', async (code) => {
  let works = false
  const { shelf, clock, asked } = shelfOver(() => (works ? closed : Promise.reject(new ServiceError(code))))
  const isThere = async () => (await shelf.of(page, callOf())).unreachable === null
  expect(await isThere()).toBe(false)
  works = true
  clock.now = 4_999
  expect([await isThere(), asked.length]).toEqual([false, 1])
  clock.now = 5_000
  expect([await isThere(), asked.length]).toEqual([true, 2])
})

it('a caller who leaves does not affect the others', async () => {
  let answer: (found: Partial<FetchAnswer>) => void = () => undefined
  const { shelf, asked } = shelfOver(() => new Promise((resolve) => (answer = resolve)))
  const impatient = new AbortController()
  const first = shelf.of(page, callOf(impatient.signal))
  const second = allows(shelf)
  impatient.abort(new ServiceError('SCRAPE_TIMEOUT'))
  await expect(first).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  answer(closed)
  expect([await second, asked.length]).toEqual([false, 1])
})

it('the shelf forgets the least recently used host beyond two thousand', async () => {
  const { shelf, asked } = shelfOver(() => closed)
  for (let i = 0; i < 2_001; i++) await shelf.of(`https://host-${i}.example/`, callOf())
  expect([shelf.peek('https://host-0.example/'), shelf.peek('https://host-1.example/') === null]).toEqual([null, false])
  expect(asked).toHaveLength(2_001)
})

it('keeps the rules of many hosts with large files in limited memory, and those of other hosts beside them', async () => {
  const large = { body: Buffer.from(`User-agent: *\nDisallow: /private\n#${'x'.repeat(500_000)}`) }
  const { shelf } = shelfOver((url) => (url.includes('large') ? large : closed))
  await allows(shelf)
  const hosts = Array.from({ length: 40 }, (_, i) => `https://large${i}.example/`)
  for (const url of hosts) await shelf.of(url, callOf())
  const kept = hosts.map((url) => shelf.peek(url) !== null)
  expect([kept.filter(Boolean).length, kept.at(-1), shelf.peek(page) !== null]).toEqual([Math.floor((16 * 2 ** 20) / large.body.length), true, true])
})
