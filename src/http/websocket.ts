import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'

/** An accepted connection. */
export type WebSocket = Parameters<Parameters<WebSocketServer['handleUpgrade']>[3]>[0]

/** Completes a handshake; the first sub-protocol that the client offers is accepted, whatever it is (contract §5.7). */
export type Accept = (request: IncomingMessage, stream: Duplex, head: Buffer, then: (socket: WebSocket) => void) => void

/** Longest message in bytes, and milliseconds that a client may take to answer our close frame. */
export interface SocketLimits {
  readonly maxPayload: number
  readonly closeTimeout: number
}

/**
 * Accepts WebSockets; a message that is too long ends the connection. `refuse` handles invalid handshakes. This module is
 * loaded when the first client connects.
 */
export function websocketAcceptor(limits: SocketLimits, refuse: (stream: Duplex, cause: Error) => void): Accept {
  // A separate constant: the types do not know `closeTimeout` yet.
  const terms = { ...limits, noServer: true, perMessageDeflate: false, clientTracking: false }
  const server = new WebSocketServer(terms)
  server.on('wsClientError', (error, stream) => refuse(stream, error))
  return (request, stream, head, then) => server.handleUpgrade(request, stream, head, then)
}
