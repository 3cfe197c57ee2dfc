import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, dnsServer } from '../dns-server.ts'
import { startTrawl, type TestService } from '../service.ts'
import { type Site, startSite, startTlsSite, type TlsSite } from '../site/index.ts'
import { canary } from './names.ts'

let site: Site
let tls: TlsSite
let names: DnsServer
/** The queries for names so far: name and type. */
const questions: string[] = []
/** Listens on an address that is not allowed. */
let closed: Awaited<ReturnType<typeof canary>>
/** Listens on another loopback address, on the same port that is allowed on the first. */
let neighbour: Awaited<ReturnType<typeof canary>>
let proxy: Awaited<ReturnType<typeof canary>>
let trawl: TestService

const loopback6 = '0:0:0:0:0:0:0:1'

beforeAll(async () => {
  ;[site, tls, closed, proxy] = await Promise.all([startSite(), startTlsSite(), canary(), canary()])
  neighbour = await canary('127.0.0.2', site.port)
  names = await dnsServer((name, type) => {
    const question = `${name} ${type}`
    questions.push(question)
    if (name === 'private.example.com') return ['10.77.0.5']
    if (name === 'link-local.example.com') return ['169.254.169.254']
    if (name === 'mixed.example.com') return ['127.0.0.1', loopback6]
    if (name === 'mapped.example.com') return ['0:0:0:0:0:ffff:7f00:2']
    if (name === 'flip.example.com') return [questions.filter((one) => one === question).length === 1 ? '127.0.0.1' : '127.0.0.2']
    return name.endsWith('.site.example.com') ? ['127.0.0.1'] : null
  })
  const through = `http://127.0.0.1:${proxy.port}`
  trawl = await startTrawl({
    settings: {
      TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${tls.port}`,
      TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${closed.port}`,
      TRAWL_EGRESS_DNS_SERVERS: names.address,
      ...Object.fromEntries(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].map((name) => [name, through])),
      NODE_USE_ENV_PROXY: '1',
      no_proxy: '',
      NO_PROXY: '',
    },
  })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  names.close()
  await Promise.all([site.close(), tls.close(), closed.close(), neighbour.close(), proxy.close()])
})

const codeOf = async (url: string): Promise<string> => {
  const answer = await trawl.scrape({ url, maxAge: 0, timeout: 5_000 })
  return `${answer.status} ${answer.json.code}`
}

describe('R1 addresses of this machine and of private networks', () => {
  it.each([
    '127.0.0.1', '127.0.0.1.', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.2', '127.255.255.254', '0.0.0.0', '0',
    '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]',
    '[2001:0:0:0:0:0:80ff:fffe]', '[fe80::1]', '[fc00::1]', '[fec0::1]', 'localhost.', 'foo.localhost', 'foo.localhost.', 'notlocalhost.xlocalhost', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '１２７.0.0.1',
  ])('R1 %s is refused', async (host) => {
    expect(await codeOf(`http://${host}:${closed.port}/`)).toMatch(/^40[03] (FORBIDDEN|BAD_REQUEST)$/)
    expect(closed.visits()).toBe(0)
  })

  it.each(['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.169.254', '168.63.129.16', '192.0.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '[fd00:ec2::254]', '[ff02::1]'])('R1 %s is refused', async (host) =>
    expect(await codeOf(`http://${host}/`)).toBe('403 FORBIDDEN'),
  )

  it('R1 the service itself is refused under all of its names', async () => {
    expect(await codeOf(`${trawl.base}/health`)).toBe('403 FORBIDDEN')
    expect(await codeOf(`http://self.site.example.com:${new URL(trawl.base).port}/health`)).toBe('403 FORBIDDEN')
  })
})

describe('R1 names', () => {
  it.each(['private', 'link-local', 'mixed', 'mapped'])('R1 one non-public address condemns the name: %s', async (name) =>
    expect(await codeOf(`http://${name}.example.com:${site.port}/article`)).toBe('403 FORBIDDEN'),
  )

  it('R1 that change their address are refused when it is found to be another', async () => {
    const url = `http://flip.example.com:${site.port}/redirect/chain/3`
    expect(await codeOf(url)).toBe('200 undefined')
    // What a name server said holds for half a minute.
    await expect.poll(() => codeOf(url), { timeout: 90_000, interval: 1_000 }).toBe('403 FORBIDDEN')
    expect([questions.filter((question) => question === 'flip.example.com A').length, neighbour.visits()]).toEqual([2, 0])
  }, 120_000)

  it('R1 stay in the Host header when the checked address is dialled', async () => {
    expect((await trawl.scrape({ url: `http://a.site.example.com:${site.port}/echo.json`, maxAge: 0 })).status).toBe(200)
    expect(site.lastRequest('/echo.json')?.headers.host).toBe(`a.site.example.com:${site.port}`)
  })

  it('R1 of this machine are never sent to a name server', async () => {
    await codeOf('http://inside.localhost/')
    expect(questions.filter((question) => question.includes('localhost'))).toEqual([])
  })
})

it('R1 headers of the caller cannot touch the framing or the target of a request', async () => {
  const before = site.hits('/echo.json')
  const framing = { Host: 'elsewhere.example', 'transfer-encoding': 'chunked', 'Content-Length': '5', Connection: 'close, x-kept', Upgrade: 'websocket', Expect: '100-continue', 'Proxy-Authorization': 'Basic eA==', TE: 'gzip' }
  for (const [name, value] of Object.entries(framing)) {
    const refused = await trawl.scrape({ url: site.url('/echo.json'), headers: { [name]: value, 'x-kept': 'yes' }, maxAge: 0 })
    expect([refused.status, refused.json.details[0].path]).toEqual([400, ['headers', name]])
  }
  expect(site.hits('/echo.json')).toBe(before)
  // Headers that all browsers send are the same with and without the caller's.
  const answer = await trawl.scrape({ url: site.url('/echo.json'), headers: { Connection: 'keep-alive', TE: 'trailers', 'x-kept': 'yes' }, maxAge: 0 })
  const seen = site.lastRequest('/echo.json')?.headers ?? {}
  expect(answer.status).toBe(200)
  expect(seen).toMatchObject({ host: `127.0.0.1:${site.port}`, connection: 'keep-alive', 'x-kept': 'yes' })
  expect(Object.keys(seen).filter((name) => ['transfer-encoding', 'content-length', 'upgrade', 'expect', 'proxy-authorization', 'te'].includes(name))).toEqual([])
})

describe('R2 redirects pass the egress guard hop by hop', () => {
  it.each([
    () => `http://127.0.0.1:${closed.port}/`,
    () => `http://2130706433:${closed.port}/`,
    () => `http://[::ffff:127.0.0.1]:${closed.port}/`,
    () => `http://x.localhost:${closed.port}/`,
    () => `http://private.example.com:${closed.port}/`,
    () => `//127.0.0.1:${closed.port}/`,
  ])('R2 to a closed address, form %#', async (target) => {
    expect(await codeOf(site.url(`/redirect/to?url=${encodeURIComponent(target())}`))).toBe('403 FORBIDDEN')
    expect(closed.visits()).toBe(0)
  })

  it('R2 from https to a closed address', async () => {
    expect(await codeOf(tls.url(`/redirect/to?url=${encodeURIComponent(`https://127.0.0.1:${closed.port}/`)}`))).toBe('403 FORBIDDEN')
    expect(closed.visits()).toBe(0)
  })

  it('R2 drop the headers of the caller when they leave its origin', async () => {
    const target = encodeURIComponent(`http://b.site.example.com:${site.port}/echo.json`)
    await trawl.scrape({ url: `http://a.site.example.com:${site.port}/redirect/to?url=${target}`, maxAge: 0, headers: { Authorization: 'Bearer secret', Cookie: 'a=secret', 'X-Api-Key': 'secret' } })
    expect(site.requests().at(-2)?.headers).toMatchObject({ authorization: 'Bearer secret', cookie: 'a=secret' })
    expect(JSON.stringify(site.lastRequest('/echo.json')?.rawHeaders)).not.toContain('secret')
  })
})

describe('R3 exceptions', () => {
  it('R3 allow one port of one address, and none through the list for webhooks', async () => {
    expect(await codeOf(site.url('/article'))).toBe('200 undefined')
    expect(await codeOf(`http://127.0.0.1:${closed.port}/`)).toBe('403 FORBIDDEN')
    expect(await codeOf(`http://127.0.0.2:${site.port}/`)).toBe('403 FORBIDDEN')
    expect([closed.visits(), neighbour.visits()]).toEqual([0, 0])
  })

  it('R3 leave no resolved address in an answer or in the log', async () => {
    const answer = await trawl.scrape({ url: 'http://private.example.com/', maxAge: 0 })
    expect(answer.text).not.toContain('10.77.0.5')
    await expect.poll(trawl.output).toContain(answer.json.requestId)
    expect(trawl.output()).not.toContain('10.77.0.5')
  })
})

it('R6 proxies in the environment are never used, so that nobody else resolves our names', async () => {
  expect([await codeOf(site.url('/article')), await codeOf(tls.url('/article'))]).toEqual(['200 undefined', '200 undefined'])
  expect(proxy.visits()).toBe(0)
})
