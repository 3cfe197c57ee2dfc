import { createServer as createHttps } from 'node:https'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callFor, http2Site, listening, outcome, page, selfSigned, site, testEgress, testFetcher } from '../../test/net/servers.ts'
import { within } from '../../test/order.ts'
import { ServiceError, Unreachable } from '../domain/errors.ts'
import type { FetchRequest } from '../domain/fetching/fetcher.ts'
import { requestHeaders } from './browser-headers.ts'
import { impersonatedHttps } from './impersonated-https.ts'
import { tunnel } from './tunnel.ts'

const get = (fetcher: ReturnType<typeof testFetcher>, url: string, more: Partial<FetchRequest> = {}) => fetcher.fetch({ ...page, ...more, url }, callFor())
const textOf = (body: Uint8Array) => Buffer.from(body).toString()

describe('a fetch over https', () => {
  it('uses HTTP/2 with the headers of a browser, in its order', async () => {
    let seen: readonly [string, readonly string[]] = ['', []]
    const port = await http2Site((request, response) => {
      seen = [request.httpVersion, request.rawHeaders]
      response.end('page')
    })
    const answer = await get(testFetcher(), `https://localhost:${port}/p#part`, { headers: { 'X-Own': '1', Cookie: 'a=b' } })
    expect([answer.url, answer.status, textOf(answer.body)]).toEqual([`https://localhost:${port}/p#part`, 200, 'page'])
    expect([seen[0], seen[1].filter((_, at) => at % 2 === 0)]).toEqual(['2.0', [
      ':method', ':authority', ':scheme', ':path', 'sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'upgrade-insecure-requests', 'user-agent',
      'accept', 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-user', 'sec-fetch-dest', 'accept-encoding', 'accept-language', 'priority', 'x-own', 'cookie',
    ]])
    expect(seen[1][seen[1].indexOf('user-agent') + 1]).toBe(requestHeaders(new URL('http://a.test/'), ['en'], [], '').find(([name]) => name === 'User-Agent')?.[1])
  })

  it('sends a conditional request, and accepts a 304', async () => {
    let seen: readonly string[] = []
    const port = await http2Site((request, response) => {
      seen = request.rawHeaders
      response.writeHead(304, { etag: '"a"', 'content-length': '900', 'content-encoding': 'br' }).end()
    })
    const url = `https://localhost:${port}/`
    const answer = await get(testFetcher(), url, { unless: { url, etag: '"a"', lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT' } })
    expect([answer.status, answer.body.length, answer.headers.filter(([name]) => name === 'etag')]).toEqual([304, 0, [['etag', '"a"']]])
    expect(seen.slice(-4)).toEqual(['if-none-match', '"a"', 'if-modified-since', 'Sat, 21 Nov 2026 10:00:00 GMT'])
  })

  it('sends the same values over https as the client would by itself', async () => {
    let seen: readonly string[] = []
    const port = await http2Site((request, response) => {
      seen = request.rawHeaders
      response.end()
    })
    await get(testFetcher(), `https://localhost:${port}/`)
    const ours = seen
    const { Impit } = await import('impit')
    await (await new Impit({ browser: 'chrome151', ignoreTlsErrors: true }).fetch(`https://localhost:${port}/`)).bytes()
    expect(ours).toEqual(seen)
  })

  it('reports an invalid certificate or fails, as the caller wishes', async () => {
    const port = await http2Site((_request, response) => response.end('page'))
    const fetcher = testFetcher()
    expect(await get(fetcher, `https://localhost:${port}/`)).toMatchObject({ status: 200, tlsVerified: false })
    expect(await outcome(get(fetcher, `https://localhost:${port}/`, { skipTlsVerification: false }))).toBe('SCRAPE_SSL_ERROR')
  })

  it('reports an invalid certificate of a redirect, too', async () => {
    const plain = await site((_request, response) => response.end('page'))
    const port = await http2Site((_request, response) => response.writeHead(302, { location: `http://127.0.0.1:${plain}/` }).end())
    expect(await get(testFetcher(), `https://localhost:${port}/`)).toMatchObject({ url: `http://127.0.0.1:${plain}/`, tlsVerified: false })
  })

  it('goes on after its way out could not be opened once', async () => {
    const port = await http2Site((_request, response) => response.end('page'))
    const { egress, own } = testEgress()
    let starts = 0
    const transport = impersonatedHttps(async () => {
      starts++
      if (starts === 1) throw new Error('none yet')
      return tunnel(egress, own)
    })
    onTestFinished(() => transport.close())
    const send = () => transport.send({ url: new URL(`https://localhost:${port}/`), headers: [], signal: new AbortController().signal, timeLeft: 10_000, skipTlsVerification: true })
    await expect(send()).rejects.toThrow('none yet')
    const answer = await send()
    expect([answer.status, textOf((await answer.read(100)).body), starts]).toEqual([200, 'page', 2])
  })

  it.each([
    new ServiceError('OVERLOADED', 'no socket left', { retryAfterSeconds: 5 }),
    new ServiceError('SCRAPE_SITE_ERROR', 'no way', { cause: new Unreachable('ENETUNREACH', { host: 'a.test', cutOff: true }) }),
  ])('fails as the connection did: %s', async (failure) => {
    const { own } = testEgress()
    const transport = impersonatedHttps(() => tunnel({ vet: async () => [], dial: async () => Promise.reject(failure) }, own))
    onTestFinished(() => transport.close())
    const send = transport.send({ url: new URL('https://a.test/'), headers: [], signal: new AbortController().signal, timeLeft: 10_000, skipTlsVerification: true })
    await expect(send).rejects.toBe(failure)
  })

  it('reuses its connections', async () => {
    let connections = 0
    const server = createHttps(selfSigned, (_request, response) => response.end('page'))
    server.on('secureConnection', () => connections++)
    const port = await listening(server)
    const fetcher = testFetcher()
    for (let at = 0; at < 5; at++) await get(fetcher, `https://localhost:${port}/`)
    expect(connections).toBe(1)
  })

  it('succeeds after the server has closed the persistent connection', async () => {
    const server = createHttps({ ...selfSigned, keepAliveTimeout: 1 }, (_request, response) => response.end('page'))
    const port = await listening(server)
    const fetcher = testFetcher()
    for (let at = 0; at < 3; at++) {
      expect(await get(fetcher, `https://localhost:${port}/`)).toMatchObject({ status: 200 })
      server.closeAllConnections()
    }
  })

  it('fetches a hundred pages at the same time', async () => {
    const port = await http2Site((request, response) => response.end(request.url))
    const fetcher = testFetcher()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => get(fetcher, `https://localhost:${port}/${at}`)))
    expect(answers.map((answer) => textOf(answer.body))).toEqual(Array.from({ length: 100 }, (_, at) => `/${at}`))
  })

  it('connects only through the egress guard', async () => {
    const port = await http2Site((_request, response) => response.end('page'))
    expect(await outcome(get(testFetcher({ allow: [] }), `https://127.0.0.1:${port}/`))).toBe('FORBIDDEN')
    expect(await outcome(get(testFetcher({ allow: [] }), `https://[::1]:${port}/`))).toBe('FORBIDDEN')
  })

  it.each<[string, () => Promise<number>]>([
    ['nothing listens', async () => 1],
    ['no TLS is spoken', () => site((_request, response) => response.end('page'))],
    ['the connection is closed at once', () => listening(createServer((socket) => socket.destroy()))],
  ])('fails with a site error if %s', async (_what, port) => {
    expect(await outcome(get(testFetcher(), `https://127.0.0.1:${await port()}/`))).toBe('SCRAPE_SITE_ERROR')
  })

  it.each([
    [2, 'SCRAPE_SITE_ERROR'],
    [8, 'SCRAPE_SITE_ERROR'],
  ])('fails with a site error if the site resets the stream during the body with code %i', async (code, expected) => {
    const port = await http2Site((_request, response) => {
      response.setHeader('content-length', 10)
      response.write('abc', () => response.stream.close(code))
    })
    expect(await outcome(get(testFetcher(), `https://localhost:${port}/`))).toBe(expected)
  })
})

describe('the end of a call', () => {
  const silent = () => listening(createServer(() => {}))

  it.each(['http', 'https'])('aborts a fetch over %s at once, before and after the head', async (scheme) => {
    const headOnly = scheme === 'http'
      ? await site((_request, response) => void response.writeHead(200).write('x'))
      : await http2Site((_request, response) => (response.writeHead(200), void response.write('x')))
    const fetcher = testFetcher()
    for (const port of [await silent(), headOnly]) {
      const ended = new AbortController()
      const work = outcome(fetcher.fetch({ ...page, url: `${scheme}://127.0.0.1:${port}/` }, callFor(60_000, ended.signal)))
      await new Promise((resolve) => setTimeout(resolve, 100))
      ended.abort(new Error('gone'))
      expect(await within(0, work)).toBe('SCRAPE_TIMEOUT')
    }
  })

  it('before the fetch sends nothing', async () => {
    let requests = 0
    const port = await site((_request, response) => (requests++, response.end()))
    expect(await outcome(testFetcher().fetch({ ...page, url: `http://127.0.0.1:${port}/` }, callFor(0)))).toBe('SCRAPE_TIMEOUT')
    expect(await outcome(testFetcher().fetch({ ...page, url: `http://127.0.0.1:${port}/` }, callFor(10, AbortSignal.abort())))).toBe('SCRAPE_TIMEOUT')
    expect(requests).toBe(0)
  })

  it('comes when the fetcher is closed', async () => {
    const fetcher = testFetcher()
    const work = ['http', 'https'].map(async (scheme) => outcome(fetcher.fetch({ ...page, url: `${scheme}://127.0.0.1:${await silent()}/` }, callFor())))
    setTimeout(() => void fetcher.close(), 100)
    expect(await Promise.all(work)).toEqual(['SCRAPE_SITE_ERROR', 'SCRAPE_SITE_ERROR'])
    await fetcher.close()
    expect(await outcome(get(fetcher, 'http://127.0.0.1:1/'))).toBe('SHUTTING_DOWN')
  })
})
