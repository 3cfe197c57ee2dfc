import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { StoreAway } from '../../src/domain/errors.ts'
import { bodyRoom } from '../../src/app/body-room.ts'
import type { HttpOptions, HttpPorts } from '../../src/http/ports.ts'
import { fakeAccounts } from '../fakes.ts'
import { type JobEdge, leaving, openJobEdge, until } from '../job-edge.ts'
import { openSocket, sendRaw } from '../raw-http.ts'
import { testKey } from '../service.ts'

const unknown = '00000000-0000-4000-8000-000000000000'
const open: JobEdge[] = []

async function edgeOf(ports: Partial<HttpPorts> = {}, options: Partial<HttpOptions> = {}): Promise<JobEdge> {
  const edge = await openJobEdge(ports, options)
  open.push(edge)
  return edge
}
afterEach(() => Promise.all(open.splice(0).map((edge) => edge.close())))

interface Frame {
  readonly type: string
  readonly data?: { readonly status?: string; readonly data?: readonly unknown[] } & Record<string, unknown>
  readonly error?: string
}

interface Watched {
  readonly frames: Frame[]
  readonly socket: WebSocket
  readonly closed: Promise<{ code: number; reason: string }>
}

function watch(edge: JobEdge, path: string, given: { protocols?: string[]; headers?: Record<string, string> } = { protocols: [testKey] }): Watched {
  const socket = new WebSocket(edge.base.replace('http', 'ws') + path, given.protocols ?? [], { headers: given.headers ?? {} })
  const frames: Frame[] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame)) // asserted on by the test
  const closed = new Promise<{ code: number; reason: string }>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  return { frames, socket, closed }
}

/** A client that never reads or answers. */
function deafTo({ base }: JobEdge, id: string): Socket {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.write(`GET /v2/crawl/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`)
  return socket.pause()
}

/**
 * The address of a relay to the server that transfers about two megabytes per second; the network buffers at its ends
 * hold several more.
 */
async function slowWayTo(base: string): Promise<string> {
  const way = createServer((client) => {
    const server = connect(Number(new URL(base).port), '127.0.0.1')
    client.on('error', () => server.destroy()).pipe(server)
    pipeline(server, async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        yield part
        await pass(part.length / 2_000)
      }
    }, client).catch(() => undefined)
  })
  await once(way.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void way.close())
  return `http://127.0.0.1:${(way.address() as AddressInfo).port}` // a server that listens
}

describe('the socket of a job', () => {
  it('takes the key as subprotocol, which it echoes, or as header; sends the results and the end of the job', async () => {
    const edge = await edgeOf()
    const id = await edge.fake.start()
    const page = await edge.fake.deliver(id, { markdown: 'one' }, edge.blobs)
    edge.fake.end(id, 'completed')
    const [byProtocol, byHeader] = [watch(edge, `/v2/crawl/${id}`), watch(edge, `/v2/crawl/${id}/?origin=x`, { headers: { authorization: `Bearer ${testKey}` } })]
    for (const { closed, frames } of [byProtocol, byHeader]) {
      expect(await closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
      expect(frames).toMatchObject([{ type: 'catchup', data: { success: true, id, status: 'completed', data: [page] } }, { type: 'done', data: { status: 'completed', total: 1, completed: 1, creditsUsed: 1, data: [] } }])
    }
    expect([byProtocol.socket.protocol, byHeader.socket.protocol]).toEqual([testKey, ''])
  })

  it.each([
    ['an unknown job', unknown, {}, 1008], ['no id', 'nonsense', {}, 1008], ['a foreign job', 'foreign', {}, 3003], ['an expired job', 'expired', {}, 1008], ['a job at the address of another kind', 'batch', {}, 1008],
    ['an unknown key', 'own', { protocols: ['fc-unknown-key-000000'] }, 3000], ['no key', 'own', { protocols: [] }, 3000],
    ['a part of the results, which only the status has', 'own', { query: '?skip=1' }, 1008],
  ])('of %s is accepted, gets an error and is closed', async (_title, what, { query = '', ...given }: { protocols?: string[]; query?: string }, code) => {
    const edge = await edgeOf()
    const ids: Record<string, string> = { own: await edge.fake.start(), foreign: await edge.fake.start({ team: 'other' }), expired: await edge.fake.start(), batch: await edge.fake.start({ kind: 'batch' }) }
    edge.fake.set(ids['expired'] ?? '', { state: 'completed', expiresAt: 0 })
    const { frames, closed } = watch(edge, `/v2/crawl/${ids[what] ?? what}${query}`, { protocols: [testKey], ...given })
    expect((await closed).code).toBe(code)
    expect(frames.map(({ type, data }) => [type, data?.status])).toEqual([['error', undefined], ['status', 'failed']])
  })

  it('is there where clients are answered, not in a process that only others of the fleet may reach', async () => {
    const edge = await edgeOf({}, { peersOnly: true })
    const answer = await sendRaw(edge.base, `GET /v2/crawl/${await edge.fake.start()} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`)
    expect(answer.status).toBe(404)
  })

  it('of a client that answers no ping, or does not read, is closed; the others keep receiving', { timeout: 30_000 }, async () => {
    const edge = await edgeOf({}, { heartbeatMs: 300 })
    const id = await edge.fake.start()
    for (let i = 0; i < 8; i++) await edge.fake.deliver(id, { markdown: 'm'.repeat(1_000_000) }, edge.blobs)
    const deaf = deafTo(edge, id)
    const reading = watch(edge, `/v2/crawl/${id}`)
    await until(() => edge.lines.some(({ event }) => event === 'watch'))
    deaf.destroy()
    expect(reading.socket.readyState).toBe(WebSocket.OPEN)
    edge.fake.end(id, 'completed')
    expect(await reading.closed).toMatchObject({ code: 1000 })
    expect(reading.frames[0]?.data?.data).toHaveLength(8)
  })

  it('buffers only a little of what a client does not read', { timeout: 30_000 }, async () => {
    const edge = await edgeOf()
    const id = await edge.fake.start()
    for (let i = 0; i < 60; i++) await edge.fake.deliver(id, { markdown: 'm'.repeat(500_000), links: [String(i)] }, edge.blobs)
    let read = 0
    const slow = await edgeOf({ jobs: edge.fake.jobs, blobs: { ...edge.blobs, get: (key) => ((read += 1), edge.blobs.get(key)) } })
    const { socket, frames } = watch(slow, `/v2/crawl/${id}`)
    socket.once('open', () => socket.pause())
    await until(() => read > 0)
    let before = -1
    while (before !== read) {
      before = read
      await pass(200)
    }
    expect(read).toBeLessThan(40)
    socket.resume()
    await until(() => frames.length === 41)
    expect(read).toBe(60)
    socket.close()
  })

  it('counts what a client does not read against the memory of its team, results so far as well as new ones', { timeout: 30_000 }, async () => {
    const bodies = bodyRoom({ bytes: 50_000_000, largest: 0 })
    const edge = await edgeOf({ bodies })
    const markdown = 'm'.repeat(8_000_000)
    const [past, future] = [await edge.fake.start(), await edge.fake.start()]
    await edge.fake.deliver(past, { markdown }, edge.blobs)
    for (const id of [past, future]) {
      const deaf = Array.from({ length: 4 }, () => deafTo(edge, id))
      if (id === future) {
        await pass(300)
        await edge.fake.deliver(id, { markdown }, edge.blobs)
      }
      await until(() => bodies.load().waiting === 2)
      await pass(300)
      expect(bodies.load().bytes).toBeGreaterThan(40_000_000)
      for (const socket of deaf) socket.destroy()
      await expect.poll(() => bodies.load()).toEqual({ bytes: 0, waiting: 0 })
    }
    const { frames, closed } = watch(edge, `/v2/crawl/${future}`)
    edge.fake.end(future, 'completed')
    expect(await closed).toMatchObject({ code: 1000 })
    expect(frames[0]?.data?.data).toHaveLength(1)
    expect(bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })

  it('stays open while a slow client receives data, and until it has the end', { timeout: 60_000 }, async () => {
    const edge = await edgeOf({}, { heartbeatMs: 1_500 })
    const id = await edge.fake.start()
    for (let i = 0; i < 12; i++) await edge.fake.deliver(id, { markdown: 'm'.repeat(1_000_000) }, edge.blobs)
    edge.fake.end(id, 'completed')
    const { frames, closed } = watch({ ...edge, base: await slowWayTo(edge.base) }, `/v2/crawl/${id}`)
    expect(await closed).toMatchObject({ code: 1000 })
    expect(frames.map(({ type, data }) => [type, data?.data?.length])).toEqual([['catchup', 10], ['document', undefined], ['document', undefined], ['done', 0]])
  })

  it('is closed for messages that are too large, and ignores the rest', async () => {
    const edge = await edgeOf()
    const id = await edge.fake.start()
    const [loud, chatty] = [watch(edge, `/v2/crawl/${id}`), watch(edge, `/v2/crawl/${id}`)]
    await Promise.all([once(loud.socket, 'message'), once(chatty.socket, 'message')])
    loud.socket.send('x'.repeat(2_000))
    chatty.socket.send('{"cancel":true}')
    expect(await loud.closed).toMatchObject({ code: 1009 })
    await edge.fake.deliver(id, {}, edge.blobs)
    edge.fake.end(id, 'cancelled')
    expect(await chatty.closed).toMatchObject({ code: 1000 })
    expect(chatty.frames.map(({ type }) => type)).toEqual(['catchup', 'document', 'status'])
  })

  it('counts against a limit of its team; one more is closed without the report that the job failed', async () => {
    const edge = await edgeOf({}, { followers: 2 })
    const id = await edge.fake.start()
    const [first, second] = [watch(edge, `/v2/crawl/${id}`), watch(edge, `/v2/crawl/${id}`)]
    await Promise.all([once(first.socket, 'message'), once(second.socket, 'message')])
    const third = watch(edge, `/v2/crawl/${id}`)
    expect([(await third.closed).code, third.frames]).toEqual([1013, []])
    first.socket.close()
    await first.closed
    await until(() => edge.lines.filter(({ event }) => event === 'watch').length === 2)
    const fourth = watch(edge, `/v2/crawl/${id}`)
    await once(fourth.socket, 'message')
    edge.fake.end(id, 'completed')
    expect(await Promise.all([second.closed, fourth.closed])).toMatchObject([{ code: 1000 }, { code: 1000 }])
  })

  it('is closed without a statement about the job on an internal error', async () => {
    const edge = await edgeOf()
    const id = await edge.fake.start()
    const events = (): Promise<never> => Promise.reject(new Error('a secret of ours'))
    const broken = await edgeOf({ jobs: { ...edge.fake.jobs, events }, onChange: edge.fake.onChange })
    const { frames, socket, closed } = watch(broken, `/v2/crawl/${id}`)
    await once(socket, 'message')
    await edge.fake.deliver(id, {}, edge.blobs)
    const { code, reason } = await closed
    expect([code, reason, frames.map(({ type }) => type)]).toEqual([1011, '{"type":"error","code":"UNKNOWN_ERROR"}', ['catchup']])
  })

  it('continues after the store was unavailable', async () => {
    const source = await edgeOf()
    const id = await source.fake.start()
    const { sources, leave } = leaving({ jobs: source.fake.jobs, blobs: source.blobs }, 3)
    let away = 0
    const keys: typeof fakeAccounts.keys = (...args) => (away-- > 0 ? Promise.reject(new StoreAway(new Error('connect ECONNREFUSED'))) : fakeAccounts.keys(...args))
    const edge = await edgeOf({ ...sources, accounts: { ...fakeAccounts, keys }, onChange: source.fake.onChange }, { pace: { soonestMs: 1, latestMs: 20 } })
    const { frames, closed } = watch(edge, `/v2/crawl/${id}`)
    await until(() => frames.length === 1)
    leave()
    away = 3
    await source.fake.deliver(id, { markdown: 'x' }, source.blobs)
    await until(() => frames.length === 2)
    leave()
    source.fake.end(id, 'completed')
    expect([(await closed).code, frames.map(({ type }) => type), edge.lines.filter(({ event }) => event === 'watch-failed')]).toEqual([1000, ['catchup', 'document', 'done'], []])
  })

  it('is closed when its key is revoked, even if the job continues', async () => {
    let revokedAt: number | null = null
    const edge = await edgeOf({ accounts: { ...fakeAccounts, keys: async () => (await fakeAccounts.keys()).map((key) => ({ ...key, revokedAt })) } })
    const id = await edge.fake.start()
    const { frames, closed } = watch(edge, `/v2/crawl/${id}`)
    await until(() => frames.length > 0)
    revokedAt = 1
    expect((await closed).code).toBe(3000)
    expect(frames.map(({ type }) => type)).toEqual(['catchup', 'error', 'status'])
  })

  it.each([
    ['in the middle of a message', 'open', 1_000_000, 9, []],
    ['between two', 'message', 200_000, 200, ['error', 'status']],
  ] as const)('is closed when its key is revoked while a slow client hears of the past: %s', async (_when, first, size, count, ends) => {
    let revokedAt: number | null = null
    const edge = await edgeOf({ accounts: { ...fakeAccounts, keys: async () => (await fakeAccounts.keys()).map((key) => ({ ...key, revokedAt })) } }, { pace: { soonestMs: 1, latestMs: 20 } })
    const id = await edge.fake.start()
    for (let i = 0; i < count; i++) await edge.fake.deliver(id, { markdown: 'x'.repeat(size) }, edge.blobs)
    edge.fake.end(id, 'completed')
    const { frames, socket, closed } = watch(edge, `/v2/crawl/${id}`)
    await once(socket, first)
    socket.pause()
    revokedAt = 1
    await pass(200)
    socket.resume()
    expect((await closed).code).toBe(3000)
    expect(frames.slice(-2).map(({ type }) => type)).toEqual(ends)
    expect(frames.length).toBeLessThan(count)
  })

  it('is closed when the process stops, which does not wait for it', async () => {
    const edge = await edgeOf()
    const id = await edge.fake.start()
    const { socket, closed } = watch(edge, `/v2/crawl/${id}`)
    const deaf = deafTo(edge, id)
    await Promise.all([once(socket, 'message'), once(edge.app.server, 'upgrade').then(() => once(edge.app.server, 'upgrade'))])
    await edge.app.drain(60_000)
    expect(await closed).toMatchObject({ code: 1001 })
    deaf.destroy()
  })
})

describe('a request for an upgrade that is not granted', () => {
  const upgrade = ['Connection: keep-alive, Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA']

  it('is served like any other, including its body and what follows on the connection', async () => {
    const edge = await edgeOf({ startCrawl: async (request, { id }) => ({ id: request.url === 'http://a.test/' ? id : unknown }) })
    const socket = await openSocket(edge.base)
    const body = '{"url":"http://a.test/"}'
    const head = (method: string, path: string, more: readonly string[]): string => [`${method} ${path} HTTP/1.1`, 'Host: trawl.test', `Authorization: Bearer ${testKey}`, ...more].join('\r\n')
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.write(`${head('POST', '/v2/crawl', [...upgrade, 'Content-Type: application/json', `Content-Length: ${body.length}`])}\r\n\r\n${body.slice(0, 5)}`)
    await pass(50)
    socket.write(body.slice(5))
    await until(() => text.includes('"success":true'))
    expect(text).toContain('"url":"http://trawl.test/v2/crawl/')
    text = ''
    socket.write(`${head('GET', '/health', ['Connection: Upgrade', 'Upgrade: websocket'])}\r\n\r\n`)
    await until(() => text.includes('"status":"ok"'))
    socket.write(`${head('GET', '/health', ['Connection: close'])}\r\n\r\n`)
    await once(socket, 'close')
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })

  it('leaves the service intact when it follows a request that is still being answered', async () => {
    const edge = await edgeOf({ startCrawl: async (_request, { id }) => (await pass(100), { id }) })
    const socket = await openSocket(edge.base)
    let text = ''
    socket.on('data', (chunk) => (text += String(chunk)))
    const first = `POST /v2/crawl HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\nContent-Length: 23\r\n\r\n{"url":"http://a.test"}`
    socket.write(`${first}GET /health HTTP/1.1\r\nHost: x\r\n${upgrade.join('\r\n')}\r\n\r\n`)
    await until(() => text.includes('"success":true'))
    expect((await edge.get('/health')).status).toBe(200)
    socket.destroy()
  })

  it.each(['/v2/crawl/active', '/v2/crawl/ongoing/', '/v2/crawl/params-preview', '/v2/nowhere', `/v2/crawl/${unknown}/errors`])('gets the usual answer at %s', async (path) => {
    const edge = await edgeOf()
    const raw = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
    expect((await sendRaw(edge.base, raw)).status).toBe((await edge.get(path)).status)
  })

  it('is refused in the standard error shape if its handshake is invalid', async () => {
    const edge = await edgeOf()
    const answer = await sendRaw(edge.base, `GET /v2/crawl/${unknown} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n`)
    expect([answer.status, (JSON.parse(answer.text) as { code: unknown }).code]).toEqual([400, 'BAD_REQUEST']) // asserted here
  })
})
