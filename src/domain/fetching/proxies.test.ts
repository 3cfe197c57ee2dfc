import { describe, expect, it } from 'vitest'
import { ServiceError, Unreachable } from '../errors.ts'
import { afterFailure, candidates, failureWorthAnother, type Health, lacksCountry, parseUpstreams, refusalOf, type ProxyWish, untried, type Upstream } from './proxies.ts'

describe('an entry of a proxy list', () => {
  it.each([
    ['http://proxy.test:3128', { host: 'proxy.test', port: 3128, credentials: null, country: null }],
    ['http://proxy.test', { host: 'proxy.test', port: 80, credentials: null, country: null }],
    ['http://us%40er:p%3Ass@10.0.0.1:8080/#country=de', { host: '10.0.0.1', port: 8080, credentials: { username: 'us@er', password: 'p:ss' }, country: 'DE' }],
    ['http://uk.test#country=uk', { host: 'uk.test', port: 80, credentials: null, country: 'GB' }],
    ['http://user@[::1]:8080', { host: '::1', port: 8080, credentials: { username: 'user', password: '' }, country: null }],
  ])('is parsed: %s', (entry, upstream) => {
    expect(parseUpstreams([entry])).toEqual([upstream])
  })

  it.each(['proxy:3128', 'https://u:s3cret@p:1', 'socks5://u:s3cret@p:1', 'http://u:s3cret@p:1/path', 'http://u:s3cret@p:1?x', 'http://u:s3cret@p:1#land=DE', 'http://u:s3cret@p:1#country=DEU', 'http://u:s3cret@p:1#country=ZZ', 'http://u:s3cret@p:99999', 'http://u:s3cret@p:0', 'http://a%3Ab:s3cret@p:1', 'http://u:s3cret%0d%0a@p:1', 's3cret'])(
    '%s is refused by its place, without its text',
    (entry) => {
      expect(() => parseUpstreams(['http://fine.test', entry])).toThrow('entry 2 is not of the form http://user:pass@host:port#country=DE')
    },
  )
})

describe('a pause', () => {
  it('doubles with each consecutive failure, up to five minutes', () => {
    const pauses: number[] = []
    let health = untried
    for (let at = 0; at < 9; at++) {
      const now = health.until
      health = afterFailure(health, now)
      pauses.push((health.until - now) / 1000)
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  it('does not grow by failures of work that began before it', () => {
    const paused = afterFailure(untried, 1_000)
    expect(afterFailure(paused, 2_000)).toEqual(paused)
  })
})

const made = (host: string, country: string | null = null, health: Health = untried) => ({ upstream: { host, port: 1, credentials: null, country } satisfies Upstream, health })
const wish = (more: Partial<ProxyWish> = {}): ProxyWish => ({ tier: 'basic', country: undefined, team: 't', host: 'h', ...more })
const names = (list: readonly { upstream: Upstream }[]) => list.map(({ upstream }) => upstream.host)
const chosen = (pool: readonly ReturnType<typeof made>[], more: Partial<ProxyWish> = {}, now = 0) => names(candidates(pool, wish(more), now))

describe('the choice of a proxy', () => {
  const three = ['a', 'b', 'c'].map((host) => made(host))

  it('is the same for a team and a host, balanced over others, and changes as little as possible', () => {
    expect(chosen(three)).toEqual(chosen([...three].reverse()))
    const firsts = Array.from({ length: 60 }, (_, at) => chosen(three, { host: `h${at}` })[0])
    expect(['a', 'b', 'c'].map((host) => firsts.filter((first) => first === host).length >= 10)).toEqual([true, true, true])
    expect(new Set(Array.from({ length: 30 }, (_, at) => chosen(three, { team: `t${at}` })[0])).size).toBe(3)
    const without = Array.from({ length: 60 }, (_, at) => chosen(three.slice(1), { host: `h${at}` })[0])
    expect(firsts.filter((first, at) => first !== 'a' && first !== without[at])).toEqual([])
  })

  it('puts paused proxies last, the one that is free soonest first, and restores their position', () => {
    const [first = '', ...rest] = chosen(three)
    const pool = three.map((one) => (one.upstream.host === first ? made(first, null, { failures: 1, until: 100 }) : one))
    expect([chosen(pool, {}, 50), chosen(pool, {}, 100)]).toEqual([[...rest, first], [first, ...rest]])
    const all = [made('a', null, { failures: 2, until: 300 }), made('b', null, { failures: 1, until: 100 }), made('c', null, { failures: 1, until: 200 })]
    expect(chosen(all, {}, 0)).toEqual(['b', 'c', 'a'])
  })

  it('prefers proxies of the country, then untagged ones, then any, in both tiers', () => {
    const pool = [made('us', 'US'), made('de', 'DE'), made('any')]
    expect([{ country: 'DE' }, { country: 'FR' }, { country: 'US' }, {}].map((more) => chosen(pool, more))).toEqual([['de'], ['any'], ['us'], ['us']])
    const german = [made('de', 'DE')]
    expect([chosen(german, { country: 'FR' }), chosen(german), chosen(german, { country: 'FR', tier: 'enhanced' }), chosen([])]).toEqual([['de'], ['de'], ['de'], []])
  })

  it('fails only if a non-default country was named and there are proxies', () => {
    const pool = [made('de', 'DE').upstream, made('any').upstream]
    expect([lacksCountry(pool, 'FR'), lacksCountry(pool, 'DE'), lacksCountry(pool, 'US'), lacksCountry(pool, undefined), lacksCountry([], 'FR')]).toEqual([true, false, false, false, false])
  })
})

describe('a refusal', () => {
  it.each([
    ['challenge', 200, [], 'the page is a challenge'],
    ['ok', 403, [['server', 'cloudflare']], 'the site refused with status 403'],
    ['empty', 429, [['x-datadome', 'protected']], 'the site refused with status 429'],
    ['ok', 503, [['x-iinfo', '1']], 'the site refused with status 503'],
    ['ok', 403, [['server', 'nginx']], null],
    ['ok', 404, [['server', 'cloudflare']], null],
    ['ok', 200, [['server', 'cloudflare'], ['x-datadome', '1']], null],
    ['login', 403, [], null],
  ] as const)('of verdict %s and status %i with %j is seen as %s', (verdict, status, headers, why) => {
    expect(refusalOf({ verdict, status, headers })).toBe(why)
  })
})

describe('a failure is worth another try in the enhanced tier', () => {
  const broken = new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Error('reset') })
  const unreachable = new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Unreachable('nothing listens') })
  const noProxy = new ServiceError('SCRAPE_PROXY_SELECTION_ERROR')

  it.each([
    ['a connection that breaks', broken, [true, true]],
    ['an address that nothing answers at, where other proxies may', unreachable, [true, false]],
    ['a basic pool that is down, where there is another', noProxy, [true, false]],
    ['our own judgement of what the site answered', new ServiceError('SCRAPE_SITE_ERROR', 'The site redirects too often.'), [false, false]],
    ['an address that may not be reached', new ServiceError('FORBIDDEN'), [false, false]],
    ['a fault of ours', new Error('bug'), [false, false]],
  ])('%s', (_name, error, worth) => {
    expect([true, false].map((ownProxies) => failureWorthAnother(error, ownProxies) !== null)).toEqual(worth)
  })
})
