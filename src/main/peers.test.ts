import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { Unreachable } from '../domain/errors.ts'
import { ownEndpoints } from '../net/index.ts'
import { assertPeers, peers } from './peers.ts'
import { loadConfig } from './settings/config.ts'

it.each(['', 'a.b', `${Date.now()}.n.dGVhbQ....${'x'.repeat(43)}`, `${Date.now()}.n.dGVhbQ....${'é'.repeat(43)}`])('refuses a proof that was not made with the secret of the fleet: %s', (header) => {
  const fleet = peers(loadConfig({ TRAWL_PEER_SECRET: 'a-secret-of-a-fleet' }), ownEndpoints(), Date.now)
  onTestFinished(() => fleet?.close())
  expect(() => fleet?.sender({ method: 'POST', path: '/v2/browser', header })).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
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
