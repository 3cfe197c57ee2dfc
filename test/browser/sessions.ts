import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { type FindOptions, sessionBrowsers, type SessionBrowsersOptions, type SessionBrowser, source } from '../../src/browser/index.ts'
import { allowList, egress, nameResolver, ownEndpoints, tunnel } from '../../src/net/index.ts'
import { findOptions } from './pool.ts'

/**
 * Session browsers with their own tunnel and egress guard; `stop` ends everything. Their folders are below `parent`.
 */
export async function testSessions(allow: readonly string[], options: Partial<SessionBrowsersOptions> = {}, { folder, find = findOptions }: { readonly folder?: string; readonly find?: FindOptions } = {}) {
  const parent = folder ?? (await mkdtemp(join(tmpdir(), 'trawl-sessions-')))
  // Root's browsers run as another user, who must be able to enter the folder.
  await chmod(parent, 0o711)
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: [], clock: Date })
  const way = egress({ resolver, own, allow: allowList(allow) })
  const proxy = await tunnel(way, own)
  const said: string[] = []
  const say = (event: string): void => void said.push(event)
  const sessions = sessionBrowsers({ source: source({ find, tunnel: proxy, say, parent }), visiting: { clock: Date, maxBytes: 10_000_000 }, say, egress: way, ...options })
  return {
    sessions,
    parent,
    proxy,
    said,
    async stop() {
      await sessions.stop()
      await proxy.close()
      resolver.close()
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** Serves the DevTools protocol of a session over a WebSocket, as the HTTP edge does; for drivers. */
export async function cdpServer(session: SessionBrowser): Promise<{ readonly url: string; readonly server: Server; close(): void }> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket) => {
    const early: string[] = []
    socket.on('message', (data) => void early.push(String(data)))
    void session.cdp.connect(() => socket.bufferedAmount).then((line) => {
      line.onMessage((text) => socket.send(text))
      socket.removeAllListeners('message')
      for (const text of early) line.send(text)
      socket.on('message', (data) => line.send(String(data)))
      socket.on('close', () => line.close())
      void line.closed.then(() => socket.close())
    }, () => socket.close())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address
  return {
    url: `ws://127.0.0.1:${port}/`,
    server,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
    },
  }
}
