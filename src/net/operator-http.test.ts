import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { nameServer } from '../../test/net/servers.ts'
import { allowList } from './addresses.ts'
import { nameResolver } from './dns.ts'
import { egress } from './egress.ts'
import { type OperatorHttp, operatorHttp, type OperatorRequest } from './operator-http.ts'
import { ownEndpoints } from './own-endpoints.ts'

const fixture = (name: string): string => readFileSync(fileURLToPath(new URL(`../../test/fixtures/tls/${name}`, import.meta.url)), 'utf8')
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function started(server: Server & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.close()
    server.closeAllConnections?.()
  })
  return (server.address() as AddressInfo).port // a listening TCP server
}

const serving = (listener: RequestListener): Promise<number> => started(createServer(listener))

function clientOf(url: string, options: { own?: ReturnType<typeof ownEndpoints>; servers?: readonly string[]; quietMs?: number } = {}): OperatorHttp {
  const { own = ownEndpoints(), servers = [], ...rest } = options
  const client = operatorHttp(new URL(url), { resolver: nameResolver({ servers, clock: { now: Date.now } }), own, ...rest })
  closing.push(() => client.close())
  return client
}

const asking = (url: string, more: Partial<OperatorRequest> = {}): OperatorRequest => ({ method: 'GET', url: new URL(url), headers: [], body: null, maxBytes: 1_000, signal: new AbortController().signal, ...more })

describe('requests to an endpoint of the operator', () => {
  it('reach a private address and return the complete answer', async () => {
    const port = await serving((request, response) => {
      response.setHeader('x-saw', `${request.method} ${request.url} ${request.headers['x-a']} ${request.headers['content-length']}`)
      response.writeHead(299)
      request.pipe(response)
    })
    const url = `http://127.0.0.1:${port}/path?a=b`
    const answer = await clientOf(url).send(asking(url, { method: 'PUT', headers: [['x-a', 'b']], body: Buffer.from('bytes') }))
    expect([answer.status, Buffer.from(answer.body).toString(), answer.headers.find(([name]) => name === 'x-saw')?.[1]]).toEqual([299, 'bytes', 'PUT /path?a=b b 5'])
  })

  it('reach nothing else: no other port, and no redirect target', async () => {
    let asked = 0
    const other = await serving((_, response) => response.end(String(asked++)))
    const port = await serving((_, response) => response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end())
    const client = clientOf(`http://127.0.0.1:${port}/`)
    expect((await client.send(asking(`http://127.0.0.1:${port}/`))).status).toBe(302)
    for (const url of [`http://127.0.0.1:${other}/`, `http://localhost:${port}/`, `https://127.0.0.1:${port}/`]) await expect(client.send(asking(url))).rejects.toThrow('a request for another service')
    expect(asked).toBe(0)
  })

  it('make its private address unreachable for pages, under any name and despite any allow-list', async () => {
    const port = await serving((_, response) => response.end())
    const names = await nameServer({ 'store.test': [['127.0.0.1']], 'page.test': [['127.0.0.1']] })
    const own = ownEndpoints()
    const url = `http://store.test:${port}/`
    await clientOf(url, { own, servers: [names.address] }).send(asking(url))
    const pages = egress({ resolver: nameResolver({ servers: [names.address], clock: { now: Date.now } }), allow: allowList(['127.0.0.0/8']), own })
    for (const host of ['page.test', 'store.test', '127.0.0.1', 'localhost']) await expect(pages.vet(host, port, { signal: new AbortController().signal })).rejects.toThrow('not one that this service may reach')
    const literal = ownEndpoints()
    clientOf(`http://127.0.0.1:${port}/`, { own: literal })
    expect(literal.has({ address: '127.0.0.1', port })).toBe(true)
  })

  it.each<[string, RequestListener, RegExp]>([
    ['silence', () => {}, /^it has been quiet for too long$/],
    ['an answer that stops in the midst', (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('x'), /^Error ECONNRESET$/],
    ['a connection that is reset', (request) => void request.socket.resetAndDestroy(), /^Error ECONNRESET$/],
    ['an answer that is cut short', (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()), /^Error ECONNRESET$/],
    ['an answer that is too long', (_, response) => void response.end('x'.repeat(1_001)), /^its answer is too long$/],
    ['no HTTP', (request) => void request.socket.end('SSH-2.0-x\r\n'), /^Error HPE_/],
    ['another protocol', (_, response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end(), /^it switches to another protocol$/],
  ])('fail without an address in the message: %s', async (_, listener, message) => {
    const port = await serving(listener)
    const url = `http://127.0.0.1:${port}/`
    const error: unknown = await clientOf(url, { quietMs: 200 }).send(asking(url)).catch((thrown: unknown) => thrown)
    expect(error instanceof Error ? error.message : '').toMatch(message)
    expect(error instanceof Error ? String(error.stack) : '').not.toContain(String(port))
  })

  it('report that nothing listens, or that the name does not exist', async () => {
    await expect(clientOf('http://127.0.0.1:1/').send(asking('http://127.0.0.1:1/'))).rejects.toThrow(/^it does not accept connections$/)
    const names = await nameServer({})
    await expect(clientOf('http://none.test/', { servers: [names.address] }).send(asking('http://none.test/'))).rejects.toThrow(/^its name does not resolve$/)
  })

  it('end with the reason of their signal, while queued or in flight', async () => {
    let arrived = 0
    let full = (): void => {}
    const allThere = new Promise<void>((done) => (full = done))
    const port = await serving(() => void (++arrived === 32 && full()))
    const url = `http://127.0.0.1:${port}/`
    const client = clientOf(url)
    const controllers = Array.from({ length: 40 }, () => new AbortController())
    const sent = controllers.map(({ signal }) => client.send(asking(url, { signal })).catch((error: unknown) => error))
    await allThere
    for (const controller of controllers.toReversed()) controller.abort(new Error('gone'))
    expect(await Promise.all(sent)).toEqual(Array.from({ length: 40 }, () => new Error('gone')))
    expect(arrived).toBe(32)
    const after = await serving((_, response) => response.end('fine'))
    expect((await clientOf(`http://127.0.0.1:${after}/`).send(asking(`http://127.0.0.1:${after}/`))).status).toBe(200)
  })

  it('are not sent once the client is closed', async () => {
    let asked = 0
    const port = await serving((_, response) => response.end(String(asked++)))
    const url = `http://127.0.0.1:${port}/`
    const client = clientOf(url)
    await client.send(asking(url))
    client.close()
    await expect(client.send(asking(url))).rejects.toThrow(/^nothing is asked of it any more$/)
    expect(asked).toBe(1)
  })

  it('give their slots back to waiting requests', async () => {
    const port = await serving((_, response) => response.end('fine'))
    const url = `http://127.0.0.1:${port}/`
    const client = clientOf(url)
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.send(asking(url))))
    expect(answers.filter(({ status }) => status === 200).length).toBe(200)
  })

  it('do not trust a certificate of an unknown authority', async () => {
    const port = await started(createTlsServer({ key: fixture('issued-key.pem'), cert: fixture('issued-cert.pem') }, (_, response) => response.end('page')))
    const url = `https://localhost:${port}/`
    await expect(clientOf(url).send(asking(url))).rejects.toThrow(/^Error UNABLE_TO_VERIFY_LEAF_SIGNATURE$|^Error SELF_SIGNED_CERT_IN_CHAIN$/)
  })

  it('trust a certificate of an authority that this machine trusts, for the host that it names', async () => {
    const plain = tls.createSecureContext
    // The authority is added to the default context, as the machine would.
    const port = await started(createTlsServer({ key: fixture('issued-key.pem'), cert: fixture('issued-cert.pem') }, (request, response) => response.end(JSON.stringify([request.headers.host, Reflect.get(request.socket, 'servername')]))))
    const names = await nameServer({ 'wrong.test': [['127.0.0.1']] })
    try {
      tls.createSecureContext = (options) => plain({ ...options, ca: fixture('authority.pem') })
      // The name by which a server chooses its certificate has no dot at its end (RFC 6066 §3).
      for (const [host, name] of [['localhost', 'localhost'], ['localhost.', 'localhost'], ['127.0.0.1', false]] as const) { // pairs
        const url = `https://${host}:${port}/`
        expect(JSON.parse(Buffer.from((await clientOf(url).send(asking(url))).body).toString())).toEqual([`${host}:${port}`, name])
      }
      const wrong = `https://wrong.test:${port}/`
      await expect(clientOf(wrong, { servers: [names.address] }).send(asking(wrong))).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID')
    } finally {
      tls.createSecureContext = plain
    }
  })
})
