import { Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callFor, http2Site, nameServer, outcome, page, rawSite, site, testEgress } from '../../test/net/servers.ts'
import { startProxy, type TestProxyOptions } from '../../test/proxy.ts'
import type { Upstream } from '../domain/fetching/proxies.ts'
import { allowList } from './addresses.ts'
import { egress } from './egress.ts'
import { routes } from './routes.ts'
import { tunnel } from './tunnel.ts'

async function proxied(options?: TestProxyOptions) {
  const proxy = await startProxy(options)
  onTestFinished(() => proxy.close())
  return proxy
}

const upstream = (port: number, more: Partial<Upstream> = {}): Upstream => ({ host: '127.0.0.1', port, credentials: null, country: null, ...more })

/** The routes with these pools; loopback is allowed for pages by default. */
function waysOut(basic: readonly Upstream[], enhanced: readonly Upstream[] = [], { allow = ['127.0.0.1'], servers = [] as readonly string[], connectTimeoutMs = 2_000 } = {}) {
  const made = testEgress({ allow, servers })
  const said: unknown[] = []
  const pages = egress({ resolver: made.resolver, allow: allowList(allow), own: made.own, closed: [...basic, ...enhanced] })
  let time = 1_000_000
  let steady = 0
  const ways = routes({ ...made, clock: { now: () => time }, pauses: { now: () => steady }, pages, pools: { basic, enhanced }, say: (event, fields) => said.push([event, fields]), connectTimeoutMs })
  onTestFinished(() => ways.fetcher.close())
  const call = () => ({ ...callFor(), deadline: time + 10_000 })
  return { ...ways, said, own: made.own, call, setBack: (ms: number) => void (time -= ms), pass: (ms: number) => void ((time += ms), (steady += ms)), get: (url: string, more: object = {}) => ways.fetcher.fetch({ ...page, ...more, url }, call()) }
}

const hello = () => site((request, response) => response.end(`${request.socket.remoteAddress} ${JSON.stringify(request.headers)}`))
const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString()

describe('a page fetched through a proxy', () => {
  it('is fetched with CONNECT, for http and https, and sees nothing of the credentials', async () => {
    const proxy = await proxied({ from: '127.0.0.7' })
    const [plain, secure] = [await hello(), await http2Site((request, response) => response.end(String(request.socket.remoteAddress)))]
    const { get } = waysOut([upstream(proxy.port, { credentials: { username: 'me', password: 's3cret:x' } })])
    const answer = textOf(await get(`http://127.0.0.1:${plain}/`))
    expect([answer.split(' ')[0], /proxy|s3cret|me:/i.test(answer)]).toEqual(['127.0.0.7', false])
    expect(textOf(await get(`https://127.0.0.1:${secure}/`))).toMatch(/127\.0\.0\.7$/)
    const basic = `Basic ${btoa('me:s3cret:x')}`
    expect([[...new Set(proxy.targets)], [...new Set(proxy.authorizations)]]).toEqual([[`127.0.0.1:${plain}`, `127.0.0.1:${secure}`], [basic]])
  })

  it('may have a name that only the proxy can resolve', async () => {
    const port = await hello()
    const dns = await nameServer({})
    const proxy = await proxied({ names: { 'inside.test:80': `127.0.0.1:${port}` } })
    const { get } = waysOut([upstream(proxy.port)], [], { servers: [dns.address] })
    expect(textOf(await get('http://inside.test/'))).toContain('"host":"inside.test"')
    expect(dns.questions).toContain('inside.test A')
  })

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/', 'https://192.168.1.1/', 'http://localhost/', 'http://private.test/', 'https://private.test/'])(
    'is not asked of the proxy at %s',
    async (url) => {
      const dns = await nameServer({ 'private.test': [['10.1.2.3']] })
      const proxy = await proxied()
      const { get } = waysOut([upstream(proxy.port)], [], { allow: [], servers: [dns.address] })
      expect([await outcome(get(url)), proxy.targets]).toEqual(['FORBIDDEN', []])
    },
  )

  it('is not asked of the proxy at a port that browsers block, also where only the proxy can resolve the name', async () => {
    const proxy = await proxied()
    const { get } = waysOut([upstream(proxy.port)], [], { servers: [(await nameServer({})).address] })
    expect([await outcome(get('http://inside.test:6667/')), proxy.targets]).toEqual(['FORBIDDEN', []])
  })

  it('fails without a word about the proxy if this machine has no socket left to reach it', async () => {
    const proxy = await proxied()
    const { get, said } = waysOut([upstream(proxy.port)])
    const full = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return this.destroy(Object.assign(new Error('connect EMFILE 127.0.0.1:1'), { code: 'EMFILE' }))
    })
    const ended = await outcome(get('http://127.0.0.1:1/')).finally(() => full.mockRestore())
    expect([ended, said]).toEqual(['OVERLOADED', []])
  })

  it('is never fetched from the proxy itself, even if its address is allowed', async () => {
    const proxy = await proxied()
    const { get } = waysOut([upstream(proxy.port)])
    expect([await outcome(get(`http://127.0.0.1:${proxy.port}/`)), proxy.targets]).toEqual(['FORBIDDEN', []])
    const named = waysOut([upstream(proxy.port, { host: 'proxy.test' })], [], { servers: [(await nameServer({ 'proxy.test': [['127.0.0.1']], 'alias.test': [['127.0.0.1']] })).address] })
    expect(await outcome(named.get(`http://proxy.test:${proxy.port}/`))).toBe('FORBIDDEN')
    await named.get(`http://127.0.0.1:${await hello()}/`)
    expect(await outcome(named.get(`http://alias.test:${proxy.port}/`))).toBe('FORBIDDEN')
  })

  it('uses the tier and the country', async () => {
    const port = await hello()
    const [us, de, any, stealth] = await Promise.all(['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'].map((from) => proxied({ from })))
    const { get } = waysOut([upstream(us?.port ?? 0, { country: 'US' }), upstream(de?.port ?? 0, { country: 'DE' }), upstream(any?.port ?? 0)], [upstream(stealth?.port ?? 0, { country: 'JP' })])
    const seen = async (wish: object) => textOf(await get(`http://127.0.0.1:${port}/`, wish)).split(' ')[0]
    expect([await seen({}), await seen({ country: 'DE' }), await seen({ country: 'FR' }), await seen({ tier: 'enhanced', country: 'FR' })]).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'])
  })

  it('never leaves from the own address for a country that no proxy has, and goes over the basic pool if the enhanced tier has none', async () => {
    const port = await hello()
    const proxy = await proxied({ from: '127.0.0.2' })
    const { get } = waysOut([upstream(proxy.port, { country: 'DE' })])
    const seen = async (wish: object) => textOf(await get(`http://127.0.0.1:${port}/`, wish)).split(' ')[0]
    expect([await seen({ country: 'FR' }), await seen({}), await seen({ tier: 'enhanced', country: 'DE' })]).toEqual(['127.0.0.2', '127.0.0.2', '127.0.0.2'])
  })
})

describe('a proxy that fails', () => {
  // The proxy of a host depends on its name and on the ports: of this many hosts, each proxy has some.
  const hosts = Array.from({ length: 32 }, (_, at) => `host${at}.test`)

  async function pair(manner: TestProxyOptions['manner']) {
    const port = await hello()
    const names = Object.fromEntries(hosts.map((host) => [`${host}:80`, `127.0.0.1:${port}`]))
    const [bad, good] = [await proxied({ manner, names }), await proxied({ names })]
    const ways = waysOut([upstream(bad.port), upstream(good.port)], [], { servers: [(await nameServer({})).address], connectTimeoutMs: 300 })
    const round = async () => {
      const outcomes = []
      for (const host of hosts) outcomes.push(await outcome(ways.get(`http://${host}/`).then(({ status }) => status)))
      return [...new Set(outcomes)]
    }
    return { ...ways, bad, good, round }
  }

  it('by being reset is paused no longer when the time is set back meanwhile', async () => {
    const { bad, setBack, pass, round } = await pair('reset')
    await round()
    setBack(3_600_000)
    pass(6_000)
    expect([await round(), bad.targets.length]).toEqual([[200], 2])
  })

  it.each([
    [407, 'status 407', 1],
    [402, 'status 402', 1],
    [429, 'status 429', 1],
    ['reset', 'Error ECONNRESET', 1],
    ['hang', 'no answer in time', 2],
  ] as const)('by %s is passed over and paused longer each time, until it works again; the reason is told: %s (after %i hosts)', async (manner, reason, first) => {
    const { bad, good, said, pass, round } = await pair(manner)
    expect([await round(), bad.targets.length, good.targets.length]).toEqual([[200], first, hosts.length])
    pass(6_000)
    expect([await round(), bad.targets.length]).toEqual([[200], first + 1])
    pass(6_000)
    expect([await round(), bad.targets.length]).toEqual([[200], first + 1])
    pass(6_000)
    bad.manner = 'work'
    await round()
    expect([bad.targets.length > first + 2, said.map((one) => JSON.stringify(one))]).toEqual([
      true,
      [
        `["proxy-paused",{"proxy":"basic 1","failures":1,"ms":5000,"reason":"${reason}"}]`,
        `["proxy-paused",{"proxy":"basic 1","failures":2,"ms":10000,"reason":"${reason}"}]`,
        '["proxy-restored",{"proxy":"basic 1"}]',
      ],
    ])
  })

  it('by silence about one host comes last there, and is not paused', async () => {
    const { bad, get, said } = await pair('hang')
    for (let at = 0; bad.targets.length === 0; at++) for (let time = 0; time < 3; time++) await get(`http://${hosts[at]}/`)
    expect([bad.targets.length, said]).toEqual([1, []])
  })

  it.each([403, 502, 503])('to reach the site (%i) is not paused', async (manner) => {
    const { bad, said, round } = await pair(manner)
    expect([new Set(await round()), said]).toEqual([new Set([200, 'SCRAPE_SITE_ERROR']), []])
    expect(bad.targets.length).toBeGreaterThan(1)
  })

  it('and is the only one leads to an error without its name and credentials', async () => {
    const proxy = await proxied({ manner: 407 })
    const { get } = waysOut([upstream(proxy.port, { credentials: { username: 'me', password: 's3cret' } })])
    for (const url of [`http://127.0.0.1:${await hello()}/`, 'https://127.0.0.1:1/']) {
      const error: unknown = await get(url).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'SCRAPE_PROXY_SELECTION_ERROR' })
      expect(`${String(error)} ${error instanceof Error ? String(error.cause) : ''}`).not.toMatch(new RegExp(`s3cret|me:|${proxy.port}|${btoa('me:s3cret')}`))
    }
  })

  it('by not speaking HTTP, or by not being there, counts as failed', async () => {
    const garbage = await rawSite(false, (socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    const { get } = waysOut([upstream(garbage), upstream(1)])
    expect(await outcome(get(`http://127.0.0.1:${await hello()}/`))).toBe('SCRAPE_PROXY_SELECTION_ERROR')
  })

  it('by not being there is told with the error of the system', async () => {
    const { get, said } = waysOut([upstream(1)])
    await outcome(get(`http://127.0.0.1:${await hello()}/`))
    expect(said).toEqual([['proxy-paused', { proxy: 'basic 1', failures: 1, ms: 5_000, reason: 'Error ECONNREFUSED' }]])
  })

  it('for several pages at once is told of once', async () => {
    const { get, said } = waysOut([upstream(1)])
    const port = await hello()
    await Promise.all(Array.from({ length: 4 }, () => outcome(get(`http://127.0.0.1:${port}/`))))
    expect(said).toHaveLength(1)
  })

  it('by hanging is detected even by callers with short timeouts', async () => {
    const proxy = await proxied({ manner: 'hang' })
    const { fetcher, said, call } = waysOut([upstream(proxy.port)], [], { allow: ['127.0.0.0/8'], connectTimeoutMs: 400 })
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const hurried = { ...call(), signal: AbortSignal.timeout(250) }
      expect(await outcome(fetcher.fetch({ ...page, url: `http://${host}:${await hello()}/` }, hurried))).toBe('SCRAPE_TIMEOUT')
    }
    expect(said).toEqual([['proxy-paused', { proxy: 'basic 1', failures: 1, ms: 5_000, reason: 'no answer in time' }]])
  })

  it('by hanging is not paused for a single host, which may hang itself, nor if it worked since another one hung', async () => {
    const port = await hello()
    const [one, two, three] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const
    const proxy = await proxied({ names: Object.fromEntries([one, two, three].map((host) => [`${host}:80`, `127.0.0.1:${port}`])) })
    const { get, said } = waysOut([upstream(proxy.port)], [], { allow: ['127.0.0.0/8'], connectTimeoutMs: 500 })
    const ask = (host: string, manner: TestProxyOptions['manner'] = 'hang') => {
      proxy.manner = manner ?? 'hang'
      return outcome(get(`http://${host}/`).then(({ status }) => status))
    }
    const late = 'SCRAPE_PROXY_SELECTION_ERROR'
    expect([await ask(one), await ask(one), await ask(two, 'work'), await ask(three), said]).toEqual([late, late, 200, late, []])
    expect([await ask(one), said.length]).toEqual([late, 1])
  })
})

describe('the tunnel', () => {
  it('connects each client through the egress guard that it was given', async () => {
    const port = await hello()
    const proxy = await proxied()
    const { egressFor, own, call } = waysOut([upstream(proxy.port)])
    const { egress: direct } = testEgress()
    const made = await tunnel(direct, own)
    onTestFinished(() => made.close())
    const { Impit } = await import('impit')
    const through = async ({ username, password }: { username: string; password: string }) =>
      (await new Impit({ proxyUrl: `http://${username}:${password}@${made.host}:${made.port}` }).fetch(`http://127.0.0.1:${port}/`)).status
    const wish = { tier: 'basic', country: undefined, team: call().team, host: '127.0.0.1' } as const
    expect([await through(made.grant()), proxy.targets.length, await through(made.grant(egressFor(wish))), proxy.targets]).toEqual([200, 0, 200, [`127.0.0.1:${port}`]])
  })
})
