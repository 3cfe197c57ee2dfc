import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Unreachable } from '../domain/errors.ts'
import { peerHeader } from '../http/ports.ts'
import { ownEndpoints } from '../net/index.ts'
import { assertPeers, peers } from './peers.ts'
import { loadConfig } from './settings/config.ts'

it.each(['', 'a.b', `${Date.now()}.n.dGVhbQ....${'x'.repeat(43)}`, `${Date.now()}.n.dGVhbQ....${'é'.repeat(43)}`])('refuses a proof that was not made with the secret of the fleet: %s', (header) => {
  const fleet = peers(loadConfig({ TRAWL_PEER_SECRET: 'a-secret-of-a-fleet' }), ownEndpoints(), Date.now)
  onTestFinished(() => fleet?.close())
  expect(() => fleet?.sender({ method: 'POST', path: '/v2/browser', header })).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
})

/** A request as another process of the fleet sends it, with the proof that its header is. */
async function sent(now: () => number, key: string | null = 'k1') {
  const fleet = peers(loadConfig({ TRAWL_PEER_SECRET: 'a-secret-of-a-fleet' }), ownEndpoints(), now)
  onTestFinished(() => fleet?.close())
  let header: string | undefined
  const server = createServer(({ headers }, response) => {
    header = String(headers[peerHeader])
    response.writeHead(503, { 'retry-after': '7' }).end('{}')
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())))
  const { port } = server.address() as AddressInfo // it listens
  const request = { method: 'POST', path: '/v2/browser?x=1' }
  const answer = await fleet?.send({ ...request, team: 'öl', key, base: 'http://public.test', body: Buffer.from('{"a":1}') }, { id: 'w', url: `http://127.0.0.1:${port}`, open: true, sessions: 0, seenAt: 0, until: 0 }, AbortSignal.timeout(10_000))
  return { answer, request: { ...request, header } }
}

const inFleet = (now: () => number, secret = 'a-secret-of-a-fleet') => {
  const fleet = peers(loadConfig({ TRAWL_PEER_SECRET: secret }), ownEndpoints(), now)
  onTestFinished(() => fleet?.close())
  return fleet ?? expect.fail('it has a secret')
}

it('knows by the proof of a request for whom it was sent, and whether its body is the one that was sent', async () => {
  const { answer, request } = await sent(() => 1_000_000)
  expect(answer).toMatchObject({ status: 503, retryAfter: '7' })
  const sender = inFleet(() => 1_000_000).sender(request)
  expect(sender).toMatchObject({ team: 'öl', key: 'k1', base: 'http://public.test' })
  expect(() => sender?.assertBody(Buffer.from('{"a":1}'))).not.toThrow()
  expect(() => sender?.assertBody(Buffer.from('{"a":2}'))).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
  expect(inFleet(() => 1_000_000).sender((await sent(() => 1_000_000, null)).request)?.key).toBeNull()
  expect(inFleet(() => 1_000_000).sender({ method: 'POST', path: '/', header: undefined })).toBeNull()
})

it('refuses a proof of another request, of another fleet, and of another time', async () => {
  const { request } = await sent(() => 1_000_000)
  const refusal = expect.objectContaining({ code: 'UNAUTHORIZED' })
  const [time = '', nonce = '', team = '', ...rest] = (request.header ?? '').split('.')
  const others = [{ ...request, method: 'DELETE' }, { ...request, path: '/v2/browser?x=2' }, { ...request, header: [time, nonce, `${team}A`, ...rest].join('.') }, { ...request, header: [Number(time) + 1, nonce, team, ...rest].join('.') }]
  for (const other of others) expect(() => inFleet(() => 1_000_000).sender(other)).toThrow(refusal)
  expect(() => inFleet(() => 1_000_000, 'the-secret-of-another').sender(request)).toThrow(refusal)
  for (const now of [939_999, 1_060_001]) expect(() => inFleet(() => now).sender(request)).toThrow(refusal)
  for (const now of [940_000, 1_060_000]) expect(inFleet(() => now).sender(request)).not.toBeNull()
})

it('takes a proof once, for as long as it could be used', async () => {
  let now = 940_000
  const fleet = inFleet(() => now)
  const { request } = await sent(() => 1_000_000)
  expect(fleet.sender(request)).not.toBeNull()
  for (now of [940_000, 1_059_999, 1_060_000]) expect(() => fleet.sender(request)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
})

it('needs a secret that is not guessed', () => {
  const use = (settings: Readonly<Record<string, string>>) => () => assertPeers(loadConfig(settings))
  expect(use({ TRAWL_PEER_URL: 'http://10.0.0.7:3002' })).toThrow('TRAWL_PEER_URL needs TRAWL_PEER_SECRET.')
  expect(use({ TRAWL_PEER_SECRET: 'fifteen-letters' })).toThrow('TRAWL_PEER_SECRET must have 16 characters or more.')
  expect(use({ TRAWL_PEER_SECRET: 'sixteen-letters!' })).not.toThrow()
})

it('refuses an address of a process with a path, which nobody would ask for', () => {
  const use = (url: string) => () => assertPeers(loadConfig({ TRAWL_PEER_URL: url, TRAWL_PEER_SECRET: 'a-secret-of-a-fleet' }))
  expect(use('http://10.0.0.7:3002/trawl')).toThrow('TRAWL_PEER_URL must have no path: http://10.0.0.7:3002.')
  for (const url of ['http://10.0.0.7:3002', 'https://worker.example/']) expect(use(url)).not.toThrow()
})

it('sends nothing over a connection of an earlier request, whose process may have died since', async () => {
  const fleet = peers(loadConfig({ TRAWL_PEER_SECRET: 'a-secret-of-a-fleet' }), ownEndpoints(), Date.now)
  onTestFinished(() => fleet?.close())
  // Its connections are cut at the second request, as by a death that was not heard of yet.
  const asked = new WeakSet()
  const server = createServer(({ socket }, response) => void (asked.has(socket) ? socket.destroy() : asked.add(socket) && response.end('{}')))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // it listens
  const send = () => fleet?.send({ method: 'POST', path: '/v2/browser', team: 't', key: null, base: 'http://x', body: Buffer.from('{}') }, { id: 'w', url: `http://127.0.0.1:${port}/`, open: true, sessions: 0, seenAt: 0, until: 0 }, AbortSignal.timeout(10_000))
  expect([(await send())?.status, (await send())?.status]).toEqual([200, 200])
  await new Promise((done) => void server.close(done))
  await expect(send()).rejects.toThrow(Unreachable)
})
