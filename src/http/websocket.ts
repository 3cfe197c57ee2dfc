import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

/** An accepted connection. */
export type WebSocket = Parameters<Parameters<WebSocketServer['handleUpgrade']>[3]>[0]

/** Answers a handshake; the first sub-protocol that the client offers is taken, whatever it is (contract §5.7). */
export type Accept = (request: IncomingMessage, stream: Duplex, head: Buffer, then: (socket: WebSocket) => void) => void

/** How long a client may take to answer our farewell. */
const closeTimeout = 2_000

/** Accepts WebSockets of messages up to `maxPayload` bytes; a longer one ends the connection. `refuse` answers what is no handshake. This file is loaded when the first client comes. */
export function websocketAcceptor(maxPayload: number, refuse: (stream: Duplex, cause: Error) => void): Accept {
  // A name of its own: the types do not know `closeTimeout` yet.
  const terms = { noServer: true, maxPayload, closeTimeout, perMessageDeflate: false, clientTracking: false }
  const server = new WebSocketServer(terms)
  server.on('wsClientError', (error, stream) => refuse(stream, error))
  return (request, stream, head, then) => server.handleUpgrade(request, stream, head, then)
}
