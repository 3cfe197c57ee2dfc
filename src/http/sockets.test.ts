import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { fakeApp } from '../../test/fakes.ts'
import { openSocket } from '../../test/raw-http.ts'
import { StoreAway } from '../domain/errors.ts'
import type { LiveSessions } from '../domain/sessions/live-browser.ts'

/** The head of the answer to a handshake at the path, where sessions are found as given. */
async function refusedAt(path: string, live: Partial<LiveSessions>): Promise<readonly string[]> {
  const app = fakeApp({ live: { find: () => null, ...live } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.drain(0))
  const { port } = app.server.address() as AddressInfo // a TCP server's address
  const socket = await openSocket(`http://127.0.0.1:${port}`)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text.split('\r\n\r\n', 1)[0]?.split('\r\n') ?? []
}

it('a handshake for a session that is not there is refused with the words of its status', async () => {
  expect((await refusedAt('/v2/browser/abc/view?token=t', {}))[0]).toBe('HTTP/1.1 404 Not Found')
})

it('while the store is away nobody says that a session is not there, and the client is told when to ask again', async () => {
  const away = async (): Promise<never> => {
    throw new StoreAway('away')
  }
  const head = await refusedAt('/v2/browser/abc/cdp?token=t', { tokens: away })
  expect(head[0]).toBe('HTTP/1.1 503 Service Unavailable')
  expect(head.find((line) => line.toLowerCase().startsWith('retry-after:'))).toMatch(/^retry-after: \d+$/)
})
