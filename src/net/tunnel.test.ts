import { request as httpRequest } from 'node:http'
import { connect, createServer, Server, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { callFor, type EgressSettings, listening, nameServer, outcome, rawSite, site, testEgress } from '../../test/net/servers.ts'
import { refusalHeader, tunnel, type Tunnel } from './tunnel.ts'

async function started(settings?: EgressSettings) {
  const made = testEgress(settings)
  const proxy = await tunnel(made.egress, made.own)
  onTestFinished(() => proxy.close())
  return { proxy, ...made }
}

const credentials = ({ username, password }: Tunnel) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Everything that the proxy answers to a request head, until it closes or the first line is complete. */
async function firstLine(proxy: Tunnel, head: string): Promise<string> {
  const socket = connect(proxy.port, proxy.host)
  onTestFinished(() => void socket.destroy())
  socket.write(head)
  for await (const chunk of socket) return String(chunk).split('\r\n', 1)[0] ?? ''
  return ''
}

const connectHead = (proxy: Tunnel, target: string, authorization = credentials(proxy)) =>
  `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${authorization}\r\n\r\n`

describe('the tunnel', () => {
  it('relays bytes both ways after CONNECT', async () => {
    const { proxy } = await started()
    const port = await rawSite(false, (socket) => socket.end('bye'))
    const socket = connect(proxy.port, proxy.host)
    socket.write(`${connectHead(proxy, `127.0.0.1:${port}`)}hello`)
    expect(await text(socket)).toBe('HTTP/1.1 200 Connection Established\r\n\r\nbye')
  })

  it.each(['', 'Basic', 'Basic dHJhd2w6', 'Bearer x'])('requires credentials when given "%s"', async (authorization) => {
    const { proxy } = await started()
    expect(await firstLine(proxy, connectHead(proxy, '127.0.0.1:1', authorization))).toBe('HTTP/1.1 407 Proxy Authentication Required')
    expect(await firstLine(proxy, `GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${authorization}\r\n\r\n`)).toBe(
      'HTTP/1.1 407 Proxy Authentication Required',
    )
  })

  it.each(['127.0.0.1:80', '[::1]:80', '169.254.169.254:80', 'localhost:80', '127.1:80', 'a.test', 'a.test:0', 'a.test:99999', 'u@a.test:80'])(
    'refuses to connect to %s',
    async (target) => {
      const { proxy } = await started({ allow: [] })
      expect(await firstLine(proxy, connectHead(proxy, target))).toBe('HTTP/1.1 403 Forbidden')
    },
  )

  it('does not start on a machine that has no socket left, and says so', async () => {
    vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
      this.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' }))
      return this
    })
    const { egress, own } = testEgress()
    await expect(tunnel(egress, own)).rejects.toMatchObject({ code: 'OVERLOADED', retryAfterSeconds: 5 })
  })

  it('closes when the connection breaks just as it is established', async () => {
    const { own } = testEgress()
    const broken = async (): Promise<Socket> => new Socket().destroy()
    const proxy = await tunnel({ vet: async () => [], dial: broken }, own)
    onTestFinished(() => proxy.close())
    expect(await firstLine(proxy, connectHead(proxy, 'a.test:80'))).toBe('')
  })

  it('answers 502 if nothing listens or the name does not exist', async () => {
    const { proxy } = await started({ servers: [(await nameServer({})).address] })
    expect(await firstLine(proxy, connectHead(proxy, '127.0.0.1:1'))).toBe('HTTP/1.1 502 Bad Gateway')
    expect(await firstLine(proxy, connectHead(proxy, 'nowhere.invalid:80'))).toBe('HTTP/1.1 502 Bad Gateway')
  })

  const through = (proxy: Tunnel, url: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: object; body: string }>((resolve, reject) => {
      const request = httpRequest(
        { host: proxy.host, port: proxy.port, path: url, headers: { 'Proxy-Authorization': credentials(proxy), ...headers } },
        (response) => text(response).then((body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }), reject),
      )
      request.on('error', reject)
      request.end()
    })

  it('forwards http requests without the headers of the connection', async () => {
    const { proxy } = await started()
    const port = await site((request, response) => {
      response.setHeader('X-Seen', JSON.stringify([request.url, request.headers]))
      response.end('page')
    })
    const answer = await through(proxy, `http://127.0.0.1:${port}/a?b`, { 'X-Own': '1', 'Proxy-Connection': 'keep-alive', TE: 'trailers' })
    expect(answer.body).toBe('page')
    expect(answer.headers).toMatchObject({ 'x-seen': JSON.stringify(['/a?b', { host: `127.0.0.1:${port}`, 'x-own': '1', connection: 'close' }]) })
  })

  it('refuses forbidden and foreign targets of forwarded requests', async () => {
    const { proxy } = await started({ allow: [] })
    expect((await through(proxy, 'http://127.0.0.1:1/')).status).toBe(403)
    expect((await through(proxy, 'ftp://a.test/')).status).toBe(403)
    expect((await through(proxy, '/')).status).toBe(403)
  })

  it('marks its own refusals in a way that no site can fake', async () => {
    const refused = await through((await started({ allow: [] })).proxy, 'http://127.0.0.1:1/')
    expect(refused.headers).toMatchObject({ [refusalHeader]: 'address' })
    const port = await site((_request, response) => void response.writeHead(403, { [refusalHeader]: 'address', 'X-Other': '1' }).end())
    const answer = await through((await started()).proxy, `http://127.0.0.1:${port}/`)
    expect(answer).toMatchObject({ status: 403, headers: { 'x-other': '1' } })
    expect(answer.headers).not.toHaveProperty(refusalHeader)
  })

  it.each(['000', '099'])('takes an answer with status %s for none, and goes on', async (status) => {
    const { proxy } = await started()
    const port = await rawSite(false, (socket) => socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 4\r\n\r\npage`))
    const answer = await through(proxy, `http://127.0.0.1:${port}/`)
    expect(answer).toMatchObject({ status: 502, headers: { [refusalHeader]: 'failure' }, body: '' })
  })

  it('cannot be a target itself, whatever the allow-list contains', async () => {
    const { proxy, egress } = await started({ allow: ['0.0.0.0/0'] })
    expect(await outcome(egress.vet('127.0.0.1', proxy.port, callFor()))).toBe('FORBIDDEN')
  })

  it('tells the owner of a grant why a connection failed, until one succeeds', async () => {
    const { proxy } = await started({ allow: ['127.0.0.1'] })
    const grant = proxy.grant()
    const other = proxy.grant()
    const port = await site((_request, response) => response.end('there'))
    await through({ ...proxy, ...grant }, 'http://10.0.0.1/')
    await through({ ...proxy, ...grant }, `http://127.0.0.1:${port}/`)
    expect([grant.failureOf('10.0.0.1', 80)?.code, grant.failureOf('127.0.0.1', port), other.failureOf('10.0.0.1', 80)]).toEqual(['FORBIDDEN', null, null])
  })

  it('gives no answer to a silent grant where there was none, and the answers of sites as they are', async () => {
    const { proxy } = await started({ allow: ['127.0.0.1'] })
    const grant = proxy.grant(undefined, 'all')
    const port = await site((request, response) => (request.url === '/gone' ? request.socket.destroy() : response.writeHead(502).end('of the site')))
    const asked = ['http://10.0.0.1/', 'http://127.0.0.1:1/', `http://127.0.0.1:${port}/gone`, `http://127.0.0.1:${port}/`].map((url) => through({ ...proxy, ...grant }, url).then(({ status, body }) => [status, body], () => 'none'))
    expect(await Promise.all(asked)).toEqual(['none', 'none', 'none', [502, 'of the site']])
  })

  it('answers a grant that is silent about parts when it asks for a document, and for nothing else', async () => {
    const { proxy } = await started({ allow: ['127.0.0.1'] })
    const grant = proxy.grant(undefined, 'parts')
    const headersOf: readonly Record<string, string>[] = [{}, { 'Upgrade-Insecure-Requests': '1' }]
    const asked = headersOf.flatMap((headers) => ['http://10.0.0.1/', 'http://127.0.0.1:1/'].map((url) => through({ ...proxy, ...grant }, url, headers).then(({ status, headers: given }) => [status, (given as Record<string, unknown>)[refusalHeader]], () => 'none')))
    expect(await Promise.all(asked)).toEqual(['none', 'none', [403, 'address'], [502, 'failure']])
  })

  it('accepts the credentials of a grant until it is revoked, which closes its connections', async () => {
    const { proxy } = await started()
    const port = await rawSite(false, (socket) => socket.write('hello'))
    const grant = proxy.grant()
    const authorization = credentials({ ...proxy, ...grant })
    const socket = connect(proxy.port, proxy.host)
    socket.write(`${connectHead(proxy, `127.0.0.1:${port}`, authorization)}x`)
    await new Promise((resolve) => socket.once('data', resolve))
    const gone = new Promise((resolve) => socket.once('close', resolve))
    grant.revoke()
    await gone
    expect(await firstLine(proxy, connectHead(proxy, `127.0.0.1:${port}`, authorization))).toBe('HTTP/1.1 407 Proxy Authentication Required')
    expect(await firstLine(proxy, `${connectHead(proxy, `127.0.0.1:${port}`)}x`)).toBe('HTTP/1.1 200 Connection Established')
  })

  it('closes idle connections beyond 256, and no others', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { proxy } = await started()
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket.resume())
      socket.once('close', () => open.delete(socket))
    })
    const port = await listening(server)
    const clients = await Promise.all(Array.from({ length: 260 }, async () => {
      const socket = connect(proxy.port, proxy.host)
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.write(connectHead(proxy, `127.0.0.1:${port}`))
      await new Promise((resolve) => socket.once('data', resolve))
      return socket
    }))
    await expect.poll(() => open.size).toBe(260)
    vi.advanceTimersByTime(5_000)
    clients.slice(0, 100).forEach((socket) => socket.write('busy'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    vi.advanceTimersByTime(5_000)
    await expect.poll(() => open.size).toBe(256)
    await expect.poll(() => clients.slice(0, 100).filter((socket) => socket.destroyed || socket.readableEnded)).toEqual([])
  })

  it('closes the onward connection when its client disconnects, and vice versa', async () => {
    const { proxy } = await started()
    const gone: string[] = []
    const server = createServer((socket) => void socket.once('close', () => gone.push('server side')))
    const port = await listening(server)
    const client = connect(proxy.port, proxy.host)
    client.write(connectHead(proxy, `127.0.0.1:${port}`))
    await new Promise((resolve) => client.once('data', resolve))
    client.destroy()
    await expect.poll(() => gone).toEqual(['server side'])
  })

  it('aborts a forwarded request when its client disconnects, even before an answer', async () => {
    const { proxy } = await started()
    const seen: string[] = []
    const server = createServer((socket) => {
      socket.once('data', () => seen.push('asked'))
      socket.once('close', () => seen.push('gone'))
      socket.on('error', () => undefined)
    })
    const port = await listening(server)
    const client = connect(proxy.port, proxy.host)
    client.write(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nProxy-Authorization: ${credentials(proxy)}\r\n\r\n`)
    await expect.poll(() => seen).toEqual(['asked'])
    client.destroy()
    await expect.poll(() => seen).toEqual(['asked', 'gone'])
  })
})
