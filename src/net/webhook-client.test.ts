import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type EgressSettings, listening, nameServer, rawSite, selfSigned, site, testEgress } from '../../test/net/servers.ts'
import { ServiceError } from '../domain/errors.ts'
import type { WebhookMessage } from '../domain/webhooks.ts'
import { allowList } from './addresses.ts'
import { nameResolver } from './dns.ts'
import { egress } from './egress.ts'
import { ownEndpoints } from './own-endpoints.ts'
import { webhookClient } from './webhook-client.ts'

const terms = { reserved: ['x-service-signature'], userAgent: 'Trawl/0' }
const client = (settings?: EgressSettings, timeoutMs = 10_000) => webhookClient({ ...terms, egress: testEgress(settings).egress, timeoutMs })
const never = new AbortController().signal
const body = Buffer.from('{"ü":"\\u2028"}')
const message = (url: string, more: Partial<WebhookMessage> = {}): WebhookMessage => ({ url, headers: {}, signature: {}, body, ...more })
const none = (why: string) => ({ kind: 'none', why })

interface Got {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly raw: readonly string[]
  readonly body: Buffer
}

/** A receiver that records its messages and answers with this status. */
async function receiver(status = 200, headers: Record<string, string> = {}): Promise<{ port: number; got: Got[] }> {
  const got: Got[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ method: request.method, url: request.url, headers: request.headers, raw: request.rawHeaders, body: Buffer.concat(chunks) })
      response.writeHead(status, headers).end('thanks')
    })
  }
  return { port: await site(listener), got }
}

describe('a webhook message', () => {
  it('arrives with its exact bytes, its own headers and ours', async () => {
    const { port, got } = await receiver(204)
    const sent = message(`http://127.0.0.1:${port}/hook?a=1#part`, { headers: { 'X-Mine': 'yes', Authorization: 'Bearer t' }, signature: { 'X-Service-Signature': 'sha256=ab' } })
    expect(await client().post(sent, never)).toEqual({ kind: 'answer', status: 204 })
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({
      method: 'POST', url: '/hook?a=1', body,
      headers: { host: `127.0.0.1:${port}`, 'content-type': 'application/json', 'content-length': String(body.length), 'x-mine': 'yes', authorization: 'Bearer t', 'x-service-signature': 'sha256=ab', 'user-agent': 'Trawl/0' },
    })
  })

  it('has each of our headers once, whatever its owner sets', async () => {
    const { port, got } = await receiver()
    const headers = {
      host: 'evil.test', 'Content-Length': '1', 'transfer-encoding': 'chunked', Connection: 'upgrade', Upgrade: 'h2c', Expect: '100-continue',
      'content-type': 'text/plain', 'Content-Encoding': 'gzip', 'X-SERVICE-signature': 'sha256=00', 'x-other-signature': 'forged', 'user-agent': 'mine',
    }
    const signature = { 'X-Other-Signature': 'true' }
    expect(await client().post(message(`http://127.0.0.1:${port}/`, { headers, signature }), never)).toEqual({ kind: 'answer', status: 200 })
    expect(got[0]?.raw).toEqual(['Host', `127.0.0.1:${port}`, 'Connection', 'close', 'Content-Length', String(body.length), 'user-agent', 'mine', 'Content-Type', 'application/json', 'X-Other-Signature', 'true'])
    expect(got[0]?.body).toEqual(body)
  })

  it.each([['a line feed', 'a\r\nX-Evil: 1'], ['a bare one', 'a\nb'], ['a NUL', 'a\0b']])('with %s in a header is not sent', async (_, value) => {
    const { port, got } = await receiver()
    expect(await client().post(message(`http://127.0.0.1:${port}/`, { headers: { 'X-Mine': value } }), never)).toEqual(none('unsendable'))
    expect(await client().post(message(`http://127.0.0.1:${port}/`, { headers: { [value]: 'x' } }), never)).toEqual(none('unsendable'))
    expect(got).toEqual([])
  })

  it('sends the credentials of the URL as a header, unless its owner sets that header', async () => {
    const { port, got } = await receiver()
    const url = `http://us%C3%A9r:p%40ss@127.0.0.1:${port}/`
    await client().post(message(url), never)
    await client().post(message(url, { headers: { authorization: 'own' } }), never)
    expect(got.map(({ headers }) => headers.authorization)).toEqual([`Basic ${Buffer.from('usér:p@ss').toString('base64')}`, 'own'])
  })

  it('returns the Retry-After of the receiver', async () => {
    const { port } = await receiver(429, { 'retry-after': '120' })
    expect(await client().post(message(`http://127.0.0.1:${port}/`), never)).toEqual({ kind: 'answer', status: 429, retryAfter: '120' })
  })

  it('does not follow redirects', async () => {
    const target = await receiver()
    const { port } = await receiver(307, { location: `http://127.0.0.1:${target.port}/` })
    expect(await client().post(message(`http://127.0.0.1:${port}/`), never)).toEqual({ kind: 'answer', status: 307 })
    expect(target.got).toEqual([])
  })
})

describe('an endless answer', () => {
  it('is read up to 64 KiB, and counts', async () => {
    let written = 0
    let closed = (): void => undefined
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const port = await site((_, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(64 * 1024)
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
        written += chunk.length
      }
      response.on('drain', more)
      response.once('close', closed)
      more()
    })
    expect(await client().post(message(`http://127.0.0.1:${port}/`), never)).toEqual({ kind: 'answer', status: 200 })
    await gone
    // This fits into the buffers at both ends; a client that kept reading would have taken far more.
    expect(written).toBeLessThan(32 * 1024 * 1024)
  })

  it('that drips is abandoned, and counts', async () => {
    const port = await site((_, response) => void response.writeHead(200).write('a'))
    expect(await client().post(message(`http://127.0.0.1:${port}/`), never)).toEqual({ kind: 'answer', status: 200 })
  })

  it('of interim answers ends at the timeout', async () => {
    const port = await rawSite(false, (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 1)
      socket.once('close', () => clearInterval(timer))
    })
    expect(await client({}, 300).post(message(`http://127.0.0.1:${port}/`), never)).toEqual(none('timeout'))
  })
})

describe('a missing answer', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['nothing', 'timeout', () => undefined],
    ['half a head', 'timeout', (socket) => void socket.write('HTTP/1.1 200 OK\r\nA:')],
    ['a closed connection', 'broken', (socket) => void socket.destroy()],
    ['something else', 'broken', (socket) => void socket.end('220 mail.test ESMTP\r\n')],
    ['another protocol', 'broken', (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')],
    ['a head that is too long', 'broken', (socket) => void socket.end(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`)],
  ])('after %s is reported as %s', async (_, why, serve) => {
    const port = await rawSite(false, serve)
    expect(await client({}, 500).post(message(`http://127.0.0.1:${port}/`), never)).toEqual(none(why))
  })

  it('because nothing listens is reported as unreachable', async () => {
    expect(await client().post(message('http://127.0.0.1:1/'), never)).toEqual(none('unreachable'))
  })

  it('because this machine has no socket left is not blamed on the receiver', async () => {
    const full = { ...testEgress().egress, dial: async () => Promise.reject(new ServiceError('OVERLOADED')) }
    expect(await webhookClient({ ...terms, egress: full }).post(message('http://127.0.0.1:1/'), never)).toEqual(none('roomless'))
  })

  it('because the name is unknown is reported as unresolved', async () => {
    const { address } = await nameServer({})
    expect(await client({ servers: [address] }).post(message('http://r.test/'), never)).toEqual(none('unresolved'))
  })

  it('because of an invalid certificate is reported, and nothing is sent', async () => {
    const got: unknown[] = []
    const server = createHttps(selfSigned, (request) => void got.push(request.url))
    server.on('tlsClientError', () => {})
    expect(await client().post(message(`https://127.0.0.1:${await listening(server)}/`), never)).toEqual(none('certificate'))
    expect(got).toEqual([])
  })

  it('because the receiver hangs during TLS ends at the timeout', async () => {
    const port = await rawSite(false, () => undefined)
    expect(await client({}, 300).post(message(`https://127.0.0.1:${port}/`), never)).toEqual(none('timeout'))
  })

  it('is awaited until the service stops, whose reason is thrown', async () => {
    const stop = new AbortController()
    const port = await rawSite(false, () => stop.abort(new Error('stop')))
    await expect(client().post(message(`http://127.0.0.1:${port}/`), stop.signal)).rejects.toThrow('stop')
    await expect(client().post(message(`http://127.0.0.1:${port}/`), stop.signal)).rejects.toThrow('stop')
  })
})

describe('a receiver at an address that is not allowed', () => {
  it('receives nothing, not even a connection', async () => {
    let connections = 0
    const port = await site(() => undefined)
    const canary = await rawSite(false, () => connections++)
    expect(await client({ allow: [`127.0.0.1:${port}`] }).post(message(`http://127.0.0.1:${canary}/`), never)).toEqual(none('forbidden'))
    expect(connections).toBe(0)
  })

  it('is refused even if its name resolves there only later', async () => {
    const { port, got } = await receiver()
    const { address } = await nameServer({ 'r.test': [['127.0.0.1'], ['127.0.0.2']] })
    let time = 0
    const resolver = nameResolver({ servers: [address], clock: { now: () => time } })
    const moving = webhookClient({ ...terms, egress: egress({ resolver, allow: allowList([`127.0.0.1:${port}`]), own: ownEndpoints() }) })
    const url = `http://r.test:${port}/`
    await moving.assertReceiver({ url, headers: {} }, never)
    expect(await moving.post(message(url), never)).toEqual({ kind: 'answer', status: 200 })
    time = 31_000
    expect(await moving.post(message(url), never)).toEqual(none('forbidden'))
    expect(got).toHaveLength(1)
    resolver.close()
  })
})

describe('when a webhook is submitted', () => {
  const refusal = async (url: string, headers: Record<string, string> = {}, settings: EgressSettings = { allow: ['127.0.0.1:8080'] }): Promise<unknown> =>
    client(settings).assertReceiver({ url, headers }, never).then(() => 'accepted', (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error))

  it.each([
    'http://127.0.0.1:8081/', 'http://localhost:8081/', 'http://127.1:8081/', 'http://[::1]:8080/', 'http://[::ffff:127.0.0.1]:8081/', 'http://0.0.0.0/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data', 'http://2130706433/',
    'ftp://r.test/', 'r.test', '', 'http://', 'http://a..b/', `http://r.test/${'a'.repeat(9_000)}`, 'file:///etc/passwd', 'javascript:1',
  ])('%s is refused', async (url) => {
    expect(await refusal(url)).toBe('BAD_REQUEST')
  })

  it.each(['http://127.0.0.1:8080/', 'http://localhost:8080/', 'https://93.184.215.14/hook', 'http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/'])('%s is accepted', async (url) => {
    expect(await refusal(url)).toBe('accepted')
  })

  it('invalid headers are refused', async () => {
    expect(await refusal('http://127.0.0.1:8080/', { 'X-Mine': 'a\r\nb' })).toBe('BAD_REQUEST')
  })

  it('a name that does not resolve yet is accepted, and one that resolves to a private address is refused', async () => {
    const { address } = await nameServer({ 'in.test': [['10.0.0.1']], 'mixed.test': [['93.184.215.14', '127.0.0.1']] })
    const outcomes = await Promise.all(['later.test', 'in.test', 'mixed.test'].map((name) => refusal(`http://${name}/`, {}, { allow: [], servers: [address] })))
    expect(outcomes).toEqual(['accepted', 'BAD_REQUEST', 'BAD_REQUEST'])
  })
})
