import { expect, it, onTestFinished } from 'vitest'
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
