import type { Duplex } from 'node:stream'
import type { WebSocket } from './websocket.ts'

/** The default interval between signs of life on a connection that may be silent for long. */
export const heartbeatMs = 15_000
/** How many checks in a row may find no sign of life: a slow client receives our ping only after all data sent before. */
const silences = 4
/** The size of a ping without content (RFC 6455 §5.2). */
const pingBytes = 2

/** How long a client may take to answer our close frame when it can lose no data. */
const farewellMs = 2_000

/** Ends a connection shortly after our close frame, answered or not. */
export function endSoon(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), farewellMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** The server's upgraded streams count bytes. */
type Counting = Duplex & { readonly bytesRead: number; readonly bytesWritten: number }

/**
 * Pings a client, and ends the connection when four checks in a row find that it has neither answered nor received
 * anything. `stream` is the underlying connection.
 */
export function keepAlive(socket: WebSocket, stream: Duplex, everyMs: number): void {
  const { bytesRead: firstRead, bytesWritten: firstWritten } = stream as Counting // a socket
  let [taken, pings, silent] = [0, 0, 0]
  socket.on('pong', () => {
    silent = 0
  })
  const takenSoFar = (): number => {
    const { bytesRead, bytesWritten, writableLength } = stream as Counting // as above
    return bytesRead - firstRead + bytesWritten - firstWritten - writableLength - pings * pingBytes
  }
  const timer = setInterval(() => {
    const now = takenSoFar()
    silent = now > taken ? 0 : silent + 1
    taken = Math.max(taken, now)
    if (silent >= silences) return socket.terminate()
    pings++
    socket.ping()
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}
