import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { callFor, nameServer, outcome, page, site, testFetcher } from '../../test/net/servers.ts'
import type { FetchRequest } from '../domain/fetching/fetcher.ts'

/** A site that redirects `/to?<address>` there, and otherwise returns the path and headers of the request. */
const echoing = (seen: IncomingMessage[] = []) =>
  site((request, response: ServerResponse) => {
    seen.push(request)
    const [path, query = ''] = (request.url ?? '').split('?', 2)
    if (path === '/to') response.writeHead(302, { Location: decodeURIComponent(query) }).end('moved')
    else response.end('page')
  })

const to = (port: number, target: string) => `http://127.0.0.1:${port}/to?${encodeURIComponent(target)}`
const get = (fetcher: ReturnType<typeof testFetcher>, url: string, more: Partial<FetchRequest> = {}) => fetcher.fetch({ ...page, ...more, url }, callFor())
const textOf = (body: Uint8Array) => Buffer.from(body).toString()

describe('a fetch over http', () => {
  it('returns status, headers in order, and body', async () => {
    const port = await site((_request, response) => {
      response.sendDate = false
      response.writeHead(404, ['X-B', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-A', 'caf\u00e9', 'Content-Length', '4']).end('gone')
    })
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/x`)).toEqual({
      url: `http://127.0.0.1:${port}/x`,
      status: 404,
      headers: [['x-b', '1'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['x-a', 'café'], ['content-length', '4'], ['connection', 'keep-alive'], ['keep-alive', 'timeout=5']],
      body: new Uint8Array(Buffer.from('gone')),
      truncated: false,
      tlsVerified: true,
    })
  })

  it('does not send the fragment or the credentials of the address, and reports the fragment', async () => {
    const seen: IncomingMessage[] = []
    const port = await echoing(seen)
    const answer = await get(testFetcher(), `http://us%65r:p%40ss@127.0.0.1:${port}/p?q=1#part`)
    expect(answer.url).toBe(`http://127.0.0.1:${port}/p?q=1#part`)
    expect(seen.map((request) => [request.url, request.headers.authorization])).toEqual([['/p?q=1', `Basic ${btoa('user:p@ss')}`]])
  })

  it("sends the caller's headers instead of its own, and reuses the connection", async () => {
    const seen: IncomingMessage[] = []
    const port = await echoing(seen)
    const fetcher = testFetcher()
    await get(fetcher, `http://127.0.0.1:${port}/`, { headers: { 'USER-agent': 'me', Cookie: 'a=b', Host: 'evil.test' }, languages: ['fr-CA'] })
    await get(fetcher, `http://127.0.0.1:${port}/`)
    expect(seen.map(({ headers }) => [headers['user-agent']?.slice(0, 11), headers.cookie, headers.host, headers['accept-language']])).toEqual([
      ['me', 'a=b', `127.0.0.1:${port}`, 'fr-CA,fr;q=0.9'],
      ['Mozilla/5.0', undefined, `127.0.0.1:${port}`, 'en-US,en;q=0.9'],
    ])
    expect(seen[0]?.socket).toBe(seen[1]?.socket)
  })

  it('sends international names in their ASCII form', async () => {
    const seen: IncomingMessage[] = []
    const port = await echoing(seen)
    const names = await nameServer({ 'xn--bcher-kva.test': [['127.0.0.1']] })
    const answer = await get(testFetcher({ servers: [names.address] }), `http://Bücher.test.:${port}/`)
    expect([answer.url, seen[0]?.headers.host]).toEqual([`http://xn--bcher-kva.test.:${port}/`, `xn--bcher-kva.test.:${port}`])
  })

  it.each(['ftp://a.test/', 'file:///etc/passwd', 'javascript:1', 'nonsense', '', `http://a.test/${'x'.repeat(8_192)}`, `http://${'a'.repeat(64)}.test/`])(
    'refuses the address %s',
    async (url) => expect(await outcome(get(testFetcher(), url))).toBe('BAD_REQUEST'),
  )

  it('refuses headers that HTTP does not allow', async () => {
    expect(await outcome(get(testFetcher(), 'http://127.0.0.1:1/', { headers: { 'X-A': 'x\r\nY: z' } }))).toBe('BAD_REQUEST')
  })

  it('fetches two hundred pages at the same time', async () => {
    const port = await echoing()
    const fetcher = testFetcher()
    const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => get(fetcher, `http://127.0.0.1:${port}/${at}`)))
    expect(new Set(answers.map((answer) => textOf(answer.body)))).toEqual(new Set(['page']))
  })

  it('fetches as many pages again over the same connections', async () => {
    const connections = new Set<unknown>()
    const port = await site((request, response) => {
      connections.add(request.socket)
      setTimeout(() => response.end('page'), 100)
    })
    const fetcher = testFetcher()
    const fifty = () => Promise.all(Array.from({ length: 50 }, () => get(fetcher, `http://127.0.0.1:${port}/`)))
    await fifty()
    await fifty()
    expect(connections.size).toBe(50)
  })

  it('does not try each of many connections that the server has closed', async () => {
    let dead = 0
    const port = await site((request, response) => {
      if (Reflect.get(request.socket, 'used') === true) return void (dead++, request.socket.resetAndDestroy())
      Reflect.set(request.socket, 'used', true)
      setTimeout(() => response.end('page'), 100)
    })
    const fetcher = testFetcher()
    await Promise.all(Array.from({ length: 50 }, () => get(fetcher, `http://127.0.0.1:${port}/`)))
    expect((await get(fetcher, `http://127.0.0.1:${port}/`)).status).toBe(200)
    expect(dead).toBe(1)
  })

  it('succeeds after the server has closed the persistent connections', async () => {
    let kept = 0
    const port = await site((request, response) => {
      // The second request on a connection fails.
      if (Reflect.get(request.socket, 'used') === true) return void request.socket.resetAndDestroy()
      Reflect.set(request.socket, 'used', true)
      kept++
      response.end('page')
    })
    const fetcher = testFetcher()
    const three = () => Promise.all([1, 2, 3].map(() => get(fetcher, `http://127.0.0.1:${port}/`)))
    expect([...(await three()), ...(await three())].map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(kept).toBe(6)
  })
})

describe('a conditional request', () => {
  const unless = (port: number, path: string) => ({ url: `http://127.0.0.1:${port}${path}`, etag: '"a"', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' })

  it('sends the condition to the address that it belongs to, after all other headers, and to no other', async () => {
    const seen: IncomingMessage[] = []
    const port = await site((request, response) => {
      seen.push(request)
      if (request.url === '/start') response.writeHead(302, { Location: '/end', 'Set-Cookie': 'a=b' }).end()
      else response.writeHead(304, { ETag: '"a"', 'Content-Encoding': 'gzip' }).end()
    })
    const answer = await get(testFetcher(), `http://127.0.0.1:${port}/start#part`, { unless: unless(port, '/end') })
    expect(answer).toMatchObject({ url: `http://127.0.0.1:${port}/end#part`, status: 304, body: new Uint8Array() })
    expect(seen.map((request) => [request.url, request.headers['if-none-match'], request.headers['if-modified-since']])).toEqual([['/start', undefined, undefined], ['/end', '"a"', 'Sat, 21 Nov 2026 10:00:00 GMT']])
    expect(seen[1]?.rawHeaders.filter((_, at) => at % 2 === 0).slice(-3)).toEqual(['Cookie', 'If-None-Match', 'If-Modified-Since'])
  })

  it('sends no condition to an address that a page has moved to, nor to another origin', async () => {
    const seen: IncomingMessage[] = []
    const port = await echoing(seen)
    const other = await echoing(seen)
    await get(testFetcher(), to(port, `http://127.0.0.1:${other}/end`), { unless: unless(port, '/end') })
    expect(seen.map((request) => request.headers['if-none-match'])).toEqual([undefined, undefined])
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('of status %i are followed', async (status) => {
    const port = await site((request, response) => (request.url === '/' ? response.writeHead(status, { Location: 'next#x' }).end() : response.end('page')))
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/#y`)).toMatchObject({ url: `http://127.0.0.1:${port}/next#x`, status: 200 })
  })

  it.each([300, 304, 305, 200])('are not followed for status %i with a location', async (status) => {
    const port = await site((_request, response) => response.writeHead(status, { Location: '/next' }).end())
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/`)).toMatchObject({ url: `http://127.0.0.1:${port}/`, status })
  })

  it('are answers if their location is missing, empty or invalid', async () => {
    const port = await site((request, response) => response.writeHead(302, request.url === '/' ? {} : { Location: request.url === '/empty' ? '' : 'http://[' }).end('here'))
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/`)).toMatchObject({ status: 302 })
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/empty`)).toMatchObject({ status: 302 })
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/bad`)).toMatchObject({ status: 302 })
  })

  it.each(['mailto:who@example.com', 'file:///etc/passwd', 'javascript:void(0)', 'data:text/html,x', 'tel:+15550100'])('to %s do not lead to a web page', async (location) => {
    const port = await site((_request, response) => response.writeHead(302, { Location: location }).end())
    await expect(get(testFetcher(), `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR', message: 'The site redirects to something that is not a web page.' })
  })

  it('keep the fragment if they name none, and may be written in UTF-8', async () => {
    const port = await site((request, response) => {
      if (request.url === '/') response.writeHead(302, { Location: Buffer.from('/größe').toString('latin1') }).end()
      else response.end(request.url)
    })
    const answer = await get(testFetcher(), `http://127.0.0.1:${port}/#part`)
    expect([answer.url, textOf(answer.body)]).toEqual([`http://127.0.0.1:${port}/gr%C3%B6%C3%9Fe#part`, '/gr%C3%B6%C3%9Fe'])
  })

  it('are reported before they are followed, and not followed if the callback throws', async () => {
    const asked: (string | undefined)[] = []
    const port = await site((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { Location: request.url === '/' ? '/one' : '/two' }).end()
    })
    const told: string[] = []
    const onRedirect = (url: string): void => {
      told.push(url)
      if (url.endsWith('/two')) throw new Error('not there')
    }
    await expect(get(testFetcher(), `http://127.0.0.1:${port}/`, { onRedirect })).rejects.toThrow('not there')
    expect([told, asked]).toEqual([[`http://127.0.0.1:${port}/one`, `http://127.0.0.1:${port}/two`], ['/', '/one']])
  })

  it('are followed ten times but not more', async () => {
    const port = await site((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('page')
      else response.writeHead(302, { Location: `/${left - 1}` }).end()
    })
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/10`)).toMatchObject({ url: `http://127.0.0.1:${port}/0`, status: 200 })
    expect(await outcome(get(testFetcher(), `http://127.0.0.1:${port}/11`))).toBe('SCRAPE_SITE_ERROR')
  })

  it('in a cycle end', async () => {
    const port = await site((_request, response) => response.writeHead(302, { Location: '/' }).end())
    expect(await outcome(get(testFetcher(), `http://127.0.0.1:${port}/`))).toBe('SCRAPE_SITE_ERROR')
  })

  it.each(['http://127.0.0.2/', 'http://169.254.169.254/latest/', '//[::1]/', 'http://localhost:1/', 'https://10.0.0.1/', 'http://0x7f.2/'])(
    'to %s are refused',
    async (target) => {
      const port = await echoing()
      expect(await outcome(get(testFetcher({ allow: [`127.0.0.1:${port}`] }), to(port, target)))).toBe('FORBIDDEN')
    },
  )

  it.each(['ftp://127.0.0.1/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'about:blank', `/${'x'.repeat(8_200)}`, `http://${'a'.repeat(64)}.test/`, 'http://a..test/'])(
    'to %s are an error of the site',
    async (target) => {
      const port = await site((_request, response) => response.writeHead(302, { Location: target }).end())
      expect(await outcome(get(testFetcher(), `http://127.0.0.1:${port}/`))).toBe('SCRAPE_SITE_ERROR')
    },
  )

  it("keep the caller's headers within the same origin only", async () => {
    const [here, there]: IncomingMessage[][] = [[], []]
    const [port, other] = [await echoing(here), await echoing(there)]
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Key': 'k', 'User-Agent': 'me', 'Accept-Language': 'xx' }
    await get(testFetcher(), to(port, `/to?${encodeURIComponent(`http://user:pass@127.0.0.1:${other}/`)}`), { headers })
    const own = ({ headers: h }: IncomingMessage) => [h.authorization, h.cookie, h['x-key'], h['user-agent'], h['accept-language']]
    expect(here?.map(own)).toEqual([['Bearer x', 'a=b', 'k', 'me', 'xx'], ['Bearer x', 'a=b', 'k', 'me', 'xx']])
    expect(there?.map(own)).toEqual([[undefined, undefined, undefined, 'me', 'xx']])
  })

  it('do not restore headers on the way back to the origin', async () => {
    const seen: IncomingMessage[] = []
    const [port, other] = [await echoing(seen), await echoing()]
    await get(testFetcher(), to(port, to(other, `http://127.0.0.1:${port}/end`)), { headers: { Authorization: 'Bearer x' } })
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', undefined])
  })

  it('send the cookies that the site sets during the chain, and forget them afterwards', async () => {
    const port = await site((request, response) => {
      if (request.headers.cookie?.includes('seen=1') === true) response.end(request.headers.cookie)
      else response.writeHead(302, { Location: '/', 'Set-Cookie': 'seen=1; Path=/' }).end()
    })
    const fetcher = testFetcher()
    expect(textOf((await get(fetcher, `http://127.0.0.1:${port}/`, { headers: { cookie: 'own=2' } })).body)).toBe('own=2; seen=1')
    expect(textOf((await get(fetcher, `http://127.0.0.1:${port}/`)).body)).toBe('seen=1')
  })

  it('with endless bodies do not delay the fetch', async () => {
    const port = await site((request, response) => {
      if (request.url === '/end') return void response.end('page')
      response.writeHead(302, { Location: '/end' })
      const more = () => { while (!response.destroyed && response.write('x'.repeat(65_536))); }
      response.on('drain', more)
      more()
    })
    expect(await get(testFetcher(), `http://127.0.0.1:${port}/`)).toMatchObject({ url: `http://127.0.0.1:${port}/end`, status: 200 })
  })
})
