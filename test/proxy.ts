import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** What the proxy does with a request: tunnel it, hang, reset the connection, or answer with a status. */
export type Manner = 'work' | 'hang' | 'reset' | number

/** A forward proxy on loopback that records its requests. */
export interface TestProxy {
  readonly port: number
  /** `host:port` of every requested connection, oldest first. */
  readonly targets: readonly string[]
  /** The credentials of each request, as sent. */
  readonly authorizations: readonly (string | undefined)[]
  manner: Manner
  reset(): void
  close(): Promise<void>
}

export interface TestProxyOptions {
  readonly manner?: Manner
  /** The local address that the proxy connects from, so that sites can recognize it. */
  readonly from?: string
  /** Targets (`host:port`) of names that only the proxy can resolve. */
  readonly names?: Readonly<Record<string, string>>
}

/** Starts a proxy on a free port of 127.0.0.1. */
export async function startProxy({ manner = 'work', from = '127.0.0.1', names = {} }: TestProxyOptions = {}): Promise<TestProxy> {
  const targets: string[] = []
  const authorizations: (string | undefined)[] = []
  const open = new Set<Duplex>()
  const keep = (socket: Duplex): void => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer((_request, response) => response.writeHead(501).end())
  server.on('connection', keep)
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const target = request.url ?? ''
    targets.push(target)
    authorizations.push(request.headers['proxy-authorization'])
    if (proxy.manner === 'hang') return
    if (proxy.manner === 'reset') return void client.resetAndDestroy()
    if (proxy.manner !== 'work') return void client.end(`HTTP/1.1 ${proxy.manner} No\r\nContent-Length: 0\r\n\r\n`)
    const [host = '', port] = (names[target] ?? target).split(':')
    const unreachable = (): void => void client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    const onward = connect({ host, port: Number(port), localAddress: from }, () => {
      onward.off('error', unreachable)
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(client).pipe(onward)
    })
    keep(onward)
    onward.once('error', unreachable)
    onward.once('close', () => client.destroySoon())
    client.once('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: TestProxy = {
    port: (server.address() as AddressInfo).port, // a TCP server's address
    targets,
    authorizations,
    manner,
    reset() {
      targets.length = 0
      authorizations.length = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
  return proxy
}
