import type { Duplex } from 'node:stream'
import type { WebSocket } from './websocket.ts'

/** How often a connection is asked whether it lives, where nobody says otherwise. */
export const heartbeatMs = 15_000
/** How many times in a row it may have nothing to show for itself: a client that is slow hears our ping only behind all that is on its way to it. */
const silences = 4
/** Of a ping without content (RFC 6455 §5.2). */
const pingBytes = 2

/** How long a client may take to answer our farewell where nothing was on its way to it that it must have. */
const farewellMs = 2_000

/** Ends a connection shortly after our farewell, answered or not. */
export function endSoon(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), farewellMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/** What a server hands over for an upgrade counts. */
type Counting = Duplex & { readonly bytesRead: number; readonly bytesWritten: number }

/** Pings, and ends a connection that answers nothing and takes nothing for a while: four turns. `stream` is what it runs on. */
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
