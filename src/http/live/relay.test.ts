import { PassThrough } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import type { HttpPorts } from '../ports.ts'
import { relay } from './relay.ts'

it('a client that leaves while the process with its session is connected to leaves no connection behind', async () => {
  const [client, there] = [new PassThrough(), new PassThrough()]
  const request = { method: 'GET', url: '/', httpVersion: '1.1', rawHeaders: [] } as unknown as IncomingMessage // what is passed on of it
  const connect = async (): Promise<PassThrough> => {
    client.destroy()
    return there
  }
  const ports = { sessions: { ownerOf: async () => ({ id: 'other' }) }, peers: { connect } } as unknown as Pick<HttpPorts, 'sessions' | 'peers'> // what is asked of them
  expect(await relay({ id: 's', request, stream: client, head: Buffer.alloc(0) }, ports)).toBe(true)
  expect([client.destroyed, there.destroyed]).toEqual([true, true])
})
