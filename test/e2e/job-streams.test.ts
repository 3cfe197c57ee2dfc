import { connect, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { bodyRoom } from '../../src/app/body-room.ts'
import type { HttpOptions, HttpPorts } from '../../src/http/ports.ts'
import { fakeAccounts } from '../fakes.ts'
import { type JobEdge, leaving, openJobEdge, until } from '../job-edge.ts'
import { openSocket, readAnswer } from '../raw-http.ts'
import { testKey } from '../service.ts'

const open: JobEdge[] = []

async function edgeOf(ports: Partial<HttpPorts> = {}, options: Partial<HttpOptions> = {}): Promise<JobEdge> {
  const edge = await openJobEdge(ports, options)
  open.push(edge)
  return edge
}
afterEach(() => Promise.all(open.splice(0).map((edge) => edge.close())))

/** Collects the text of an answer as it arrives. */
function reading(response: Response): { text: () => string; ended: Promise<void> } {
  let text = ''
  const ended = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString() // bytes, by the standard
  })()
  return { text: () => text, ended }
}

/** A client that sends a request and does not read until it is told to. */
function sleeper(edge: JobEdge, path: string): Socket {
  const socket = connect(Number(new URL(edge.base).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n\r\n`)
  return socket
}

const idsOf = (text: string): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))

it.each(['', '/errors', '/export', '/events'])('no cache may keep what is told of a job: GET …%s', async (path) => {
  const edge = await edgeOf()
  const id = await edge.fake.start()
  edge.fake.end(id, 'completed')
  const known = await edge.get(`/v2/crawl/${id}${path}`)
  const unknown = await edge.get(`/v2/crawl/${crypto.randomUUID()}${path}`)
  expect([known, unknown].map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store'])
  await Promise.all([known.text(), unknown.text()])
})

describe('the event stream of a job', () => {
  it('contains past events, future events, and then ends', async () => {
    const edge = await edgeOf()
    const id = await edge.fake.start()
    const response = await edge.get(`/v2/crawl/${id}/events`)
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store'])
    const { text, ended } = reading(response)
    await until(() => idsOf(text()).length === 1)
    await edge.fake.deliver(id, { markdown: 'x' }, edge.blobs)
    await until(() => idsOf(text()).length === 2)
    edge.fake.end(id, 'completed')
    await ended
    expect(idsOf(text())).toEqual([1, 2, 3])
    expect([...text().matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual(['started', 'page', 'completed'])
  })

  it.each([
    ['?lastEventId=2', {}, [3, 4]], ['', { 'last-event-id': '3' }, [4]], ['?lastEventId=1', { 'last-event-id': '3' }, [4]], ['?lastEventId=4', {}, []], ['', {}, [1, 2, 3, 4]],
  ])('resumes after the last received event: %s %j', async (query, headers, ids) => {
    const edge = await edgeOf()
    const id = await edge.fake.start({ kind: 'batch' })
    for (let i = 0; i < 2; i++) await edge.fake.deliver(id, {}, edge.blobs)
    edge.fake.end(id, 'failed')
    const answer = await edge.get(`/v2/batch/scrape/${id}/events${query}`, headers)
    // A browser reconnects endlessly unless a 204 says that there is nothing more.
    expect([idsOf(await answer.text()), answer.status]).toEqual([ids, ids.length === 0 ? 204 : 200])
  })

  it.each([['?lastEventId=-1', {}], ['?lastEventId=x', {}], ['', { 'last-event-id': 'x' }], ['', { 'last-event-id': '99999999999' }]])('refuses %s %j', async (query, headers) => {
    const edge = await edgeOf()
    expect((await edge.get(`/v2/crawl/${await edge.fake.start()}/events${query}`, headers)).status).toBe(400)
  })

  it('sends a heartbeat at once and while nothing happens', async () => {
    const edge = await edgeOf({}, { heartbeatMs: 20 })
    const id = await edge.fake.start()
    const { text, ended } = reading(await edge.get(`/v2/crawl/${id}/events?lastEventId=1`))
    await until(() => text().length >= 9)
    expect(text()).toMatch(/^(:\n\n)+$/)
    edge.fake.end(id, 'completed')
    await ended
  })

  it('continues after the store was unavailable', async () => {
    const source = await edgeOf()
    const id = await source.fake.start()
    const { sources, leave } = leaving({ jobs: source.fake.jobs, blobs: source.blobs }, 3)
    const edge = await edgeOf({ ...sources, onChange: source.fake.onChange }, { pace: { soonestMs: 1, latestMs: 20 } })
    const { text, ended } = reading(await edge.get(`/v2/crawl/${id}/events`))
    await until(() => idsOf(text()).length === 1)
    leave()
    await source.fake.deliver(id, { markdown: 'x' }, source.blobs)
    await until(() => idsOf(text()).length === 2)
    leave()
    source.fake.end(id, 'completed')
    await ended
    expect([idsOf(text()), edge.lines.filter(({ event }) => event === 'answer-failed')]).toEqual([[1, 2, 3], []])
  })

  it('ends when its key is revoked, even if the job continues', async () => {
    let revokedAt: number | null = null
    const edge = await edgeOf({ accounts: { ...fakeAccounts, keys: async () => (await fakeAccounts.keys()).map((key) => ({ ...key, revokedAt })) } })
    const id = await edge.fake.start()
    const { text, ended } = reading(await edge.get(`/v2/crawl/${id}/events`))
    await pass(600)
    await edge.fake.deliver(id, {}, edge.blobs)
    await until(() => idsOf(text()).length === 2)
    revokedAt = 1
    await ended
    await edge.fake.deliver(id, {}, edge.blobs)
    expect(idsOf(text())).toEqual([1, 2])
  })

  it('ends when its key is revoked while a slow client reads past events', async () => {
    let revokedAt: number | null = null
    const edge = await edgeOf({ accounts: { ...fakeAccounts, keys: async () => (await fakeAccounts.keys()).map((key) => ({ ...key, revokedAt })) } }, { pace: { soonestMs: 1, latestMs: 20 } })
    const id = await edge.fake.start()
    for (let i = 0; i < 150; i++) await edge.fake.deliver(id, { markdown: 'x'.repeat(200_000) }, edge.blobs)
    edge.fake.end(id, 'completed')
    const response = await edge.get(`/v2/crawl/${id}/events`)
    await pass(200)
    revokedAt = 1
    await pass(200)
    const { text, ended } = reading(response)
    await ended
    expect(idsOf(text()).length).toBeLessThan(100)
  })

  it('ends when the process stops, which does not wait for the job, and leaves nothing behind when the client disconnects', async () => {
    const edge = await edgeOf({}, { followers: 1 })
    const id = await edge.fake.start()
    const gone = new AbortController()
    await fetch(`${edge.base}/v2/crawl/${id}/events`, { headers: { authorization: `Bearer ${testKey}` }, signal: gone.signal })
    expect((await edge.get(`/v2/crawl/${id}/events`)).status).toBe(429)
    gone.abort()
    let response = await edge.get(`/v2/crawl/${id}/events`)
    while (response.status === 429) response = await edge.get(`/v2/crawl/${id}/events`)
    const { text, ended } = reading(response)
    await edge.app.drain(60_000)
    await ended
    expect(idsOf(text())).toEqual([1])
  })
})

describe('large answers', () => {
  async function large(ports: (edge: JobEdge) => Partial<HttpPorts> = () => ({}), options: Partial<HttpOptions> = {}): Promise<{ edge: JobEdge; id: string; read: () => number }> {
    const source = await edgeOf()
    const id = await source.fake.start()
    for (let i = 0; i < 60; i++) await source.fake.deliver(id, { markdown: 'm'.repeat(500_000), links: [String(i)] }, source.blobs)
    source.fake.end(id, 'completed')
    let read = 0
    const blobs = { ...source.blobs, get: (key: string) => ((read += 1), source.blobs.get(key)) }
    return { edge: await edgeOf({ jobs: source.fake.jobs, blobs, ...ports(source) }, options), id, read: () => read }
  }

  it('export line by line', async () => {
    const { edge, id } = await large()
    const response = await edge.get(`/v2/crawl/${id}/export`)
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual(['application/x-ndjson; charset=utf-8', `attachment; filename="${id}.ndjson"`])
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { links: string[] }).links[0])).toEqual(Array.from({ length: 60 }, (_, i) => String(i))) // asserted here
  })

  it('are cut off when their key is revoked while a slow client reads them', async () => {
    let revokedAt: number | null = null
    const { edge, id, read } = await large(() => ({ accounts: { ...fakeAccounts, keys: async () => (await fakeAccounts.keys()).map((key) => ({ ...key, revokedAt })) } }), { pace: { soonestMs: 1, latestMs: 20 } })
    const response = await edge.get(`/v2/crawl/${id}/export`)
    await pass(200)
    revokedAt = 1
    await pass(200)
    await expect(response.text()).rejects.toThrow()
    expect(read()).toBeLessThan(60)
  })

  it('are produced no faster than they are read, and cut off if nobody reads', { timeout: 30_000 }, async () => {
    const { edge, id, read } = await large(undefined, { stalledMs: 1_000 })
    const socket = sleeper(edge, `/v2/crawl/${id}/export`)
    await until(() => edge.lines.some(({ event }) => event === 'answer-left'))
    expect(read()).toBeLessThan(40)
    socket.destroy()
  })

  it('are cut off after the time for which they may be left unread, and not before', { timeout: 30_000 }, async () => {
    const { edge, id } = await large(undefined, { stalledMs: 2_000 })
    const started = performance.now()
    const socket = sleeper(edge, `/v2/crawl/${id}/export`)
    await until(() => edge.lines.some(({ event }) => event === 'answer-left'))
    expect(performance.now() - started).toBeGreaterThan(1_900)
    socket.destroy()
  })

  it('wait for a slow store however long it takes, since no client leaves that unread', async () => {
    let [reads, bytes] = [0, 0]
    const late = <T>(value: Promise<T>, ms: number): Promise<T> => new Promise((resolve) => setTimeout(() => resolve(value), ms))
    const { edge, id } = await large((source) => ({ blobs: { ...source.blobs, get: (key) => (++reads <= 2 ? late(source.blobs.get(key), 700) : source.blobs.get(key)) } }), { stalledMs: 200 })
    for await (const part of (await edge.get(`/v2/crawl/${id}?limit=3`)).body ?? []) bytes += part.length
    expect(bytes).toBeGreaterThan(1_500_000)
  })

  it('end the connection, not the answer, on an error in the middle; at the start, they are an error answer', async () => {
    let broken = 3
    const { edge, id } = await large((source) => ({ blobs: { ...source.blobs, get: (key) => (broken-- > 0 ? source.blobs.get(key) : Promise.reject(new Error('a secret of ours'))) } }))
    const response = await edge.get(`/v2/crawl/${id}`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
    expect(edge.lines.filter(({ event }) => event === 'answer-failed')).toHaveLength(1)
    const second = await edge.get(`/v2/crawl/${id}/export`)
    expect([second.status, ((await second.json()) as { code: string }).code, second.headers.get('content-type'), second.headers.get('content-disposition')]).toEqual([500, 'UNKNOWN_ERROR', 'application/json; charset=utf-8', null]) // asserted here
  })

  it('that wait too long for memory end at a whole page, which names the next, or are refused for now', { timeout: 30_000 }, async () => {
    const bodies = bodyRoom({ bytes: 10_000_000, largest: 0 })
    const { edge, id } = await large(() => ({ bodies }), { memoryWaitMs: 300 })
    const other = bodies.open('default')
    other.add(10_000_000)
    const first = (await (await edge.get(`/v2/crawl/${id}`)).json()) as { data: readonly unknown[]; next: string } // asserted here
    expect([first.data.length, new URL(first.next).search]).toEqual([2, '?skip=2'])
    await expect((await edge.get(`/v2/crawl/${id}/export`)).text()).rejects.toThrow()
    const huge = await edgeOf({ bodies }, { memoryWaitMs: 300 })
    const job = await huge.fake.start()
    await huge.fake.deliver(job, { markdown: 'm'.repeat(2_000_000) }, huge.blobs)
    const refused = await huge.get(`/v2/crawl/${job}`)
    expect([refused.status, ((await refused.json()) as { code: string }).code, refused.headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '5']) // asserted here
    other.close()
    expect((await huge.get(`/v2/crawl/${job}`)).status).toBe(200)
    await expect.poll(() => bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })

  it('to other requests, and the bodies of requests, are refused for now when they wait too long for memory', { timeout: 30_000 }, async () => {
    const bodies = bodyRoom({ bytes: 10_000_000, largest: 0 })
    const edge = await edgeOf({ bodies }, { memoryWaitMs: 300 })
    const stored = (): Promise<Response> => edge.get('/v2/scrape/0192f6c4-7a51-7c3e-8f2b-5d1e9a6b7c80')
    const sent = (): Promise<Response> => fetch(`${edge.base}/v2/scrape`, { method: 'POST', headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: 'x'.repeat(2_000_000) }) })
    const said = (answers: readonly Response[]): Promise<readonly unknown[]> => Promise.all(answers.map(async (answer) => [answer.status, ((await answer.json()) as { code: string }).code, answer.headers.get('retry-after')])) // asserted here
    const other = bodies.open('default')
    other.add(10_000_000)
    expect(await said([await stored(), await sent()])).toEqual([[503, 'OVERLOADED', '5'], [503, 'OVERLOADED', '5']])
    other.close()
    expect(await said([await stored(), await sent()])).toEqual([[404, 'NOT_FOUND', null], [400, 'BAD_REQUEST', null]])
    await expect.poll(() => bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })

  it('that end halfway look no whole to a client that takes the end of the connection for theirs', async () => {
    let broken = 3
    let fail = (): void => undefined
    const gone = new Promise<never>((_, reject) => {
      fail = () => reject(new Error('gone'))
    })
    const { edge, id } = await large((source) => ({ blobs: { ...source.blobs, get: (key) => (broken-- > 0 ? source.blobs.get(key) : gone) } }))
    const socket = await openSocket(edge.base)
    const answer = readAnswer(socket)
    socket.write(`GET /v2/crawl/${id}/export HTTP/1.0\r\nAuthorization: Bearer ${testKey}\r\n\r\n`)
    // Only a client that has read everything is told of a reset for certain.
    await expect.poll(() => socket.bytesRead).toBeGreaterThan(1_500_000)
    await pass(200)
    fail()
    await expect(answer).rejects.toThrow('ECONNRESET')
  })

  it('leave nothing behind when their client goes while they wait behind another on its connection', async () => {
    const bodies = bodyRoom({ bytes: 50_000_000, largest: 0 })
    const edge = await edgeOf({ bodies }, { followers: 3 })
    const id = await edge.fake.start()
    await edge.fake.deliver(id, { markdown: 'm'.repeat(2_000_000) }, edge.blobs)
    const status = async (): Promise<number> => {
      const gone = new AbortController()
      const answer = await fetch(`${edge.base}/v2/crawl/${id}/events`, { headers: { authorization: `Bearer ${testKey}` }, signal: gone.signal })
      gone.abort()
      return answer.status
    }
    const socket = await openSocket(edge.base)
    socket.write(['events', 'events', 'events', 'export'].map((part) => `GET /v2/crawl/${id}/${part} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n\r\n`).join(''))
    await expect.poll(status).toBe(429)
    await expect.poll(() => bodies.load().bytes).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => bodies.load()).toEqual({ bytes: 0, waiting: 0 })
    expect([await status(), await status()]).toEqual([200, 200])
    await expect.poll(() => edge.lines.filter(({ event }) => event === 'answer-left').length).toBe(6)
  })

  it('of followers count until they are sent, and wait for each other', { timeout: 30_000 }, async () => {
    const bodies = bodyRoom({ bytes: 50_000_000, largest: 0 })
    const edge = await edgeOf({ bodies })
    const id = await edge.fake.start()
    await edge.fake.deliver(id, { markdown: 'm'.repeat(8_000_000) }, edge.blobs)
    const sleepers = Array.from({ length: 4 }, () => sleeper(edge, `/v2/crawl/${id}/events`))
    await until(() => bodies.load().waiting === 2)
    await pass(300)
    expect(bodies.load().bytes).toBeGreaterThan(40_000_000)
    for (const socket of sleepers) socket.destroy()
    await expect.poll(() => bodies.load()).toEqual({ bytes: 0, waiting: 0 })
  })

  it('do not delay a stop, nor do idle connections or incomplete requests', async () => {
    const edge = await edgeOf()
    const sockets = [0, 1].map(() => connect(Number(new URL(edge.base).port), '127.0.0.1').on('error', () => undefined))
    sockets[1]?.write('GET /health HTTP/1.1\r\nHost: x\r\n')
    await edge.get('/health')
    await edge.app.drain(100)
    expect(edge.app.server.listening).toBe(false)
  })

  it('are cut off at the end of the grace period when the process stops', async () => {
    const { edge, id, read } = await large()
    sleeper(edge, `/v2/crawl/${id}/export`)
    await until(() => read() > 0)
    await edge.app.drain(200)
    await pass(0)
    expect(read()).toBeLessThan(40)
  })
})
