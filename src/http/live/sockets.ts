import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { StoreAway } from '../../domain/errors.ts'
import type { LiveFrame, LiveNews, LiveView } from '../../domain/sessions/live-browser.ts'
import { once } from '../../lib/once.ts'
import { asServiceError } from '../errors.ts'
import type { HttpOptions, HttpPorts } from '../ports.ts'
import { answerRaw, asksForWebSocket, refuseHandshake } from '../sockets.ts'
import { heartbeatMs, keepAlive } from '../keep-alive.ts'
import type { WebSocket } from '../websocket.ts'
import { type Admitted, admit, recognise, wantedBy } from './door.ts'
import { relay } from './relay.ts'
import { viewerMessage, viewerRate } from './viewer-messages.ts'

/** Longest message of a driver: it may contain a file for a page, in base64. */
const maxCommand = 32 * 1024 ** 2
const closeTimeout = 2_000
/** Longest message of a viewer: it may contain pasted text. */
const maxInput = 512 * 1024
/** Sent frames that the viewer has not confirmed. */
const unconfirmed = 3
/** Above this number of unsent bytes no frame is sent. */
const fullBytes = 1024 ** 2

/** Unread news after which a viewer is disconnected: pages decide how much there is to tell. */
const mostUnread = 16 * 1024 ** 2

/** The wire form of a frame: width and height of the page's window, two bytes each, then the JPEG. */
function packed({ jpeg, width, height }: LiveFrame): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(Math.min(width, 65_535), 0)
  head.writeUInt16BE(Math.min(height, 65_535), 2)
  return Buffer.concat([head, jpeg])
}

/** Sends frames no faster than the viewer receives them. */
function pictures(socket: WebSocket): { send(frame: LiveFrame): Promise<void>; confirm(): void } {
  let out = 0
  let free = (): void => undefined
  const room = (): boolean => out < unconfirmed && socket.bufferedAmount < fullBytes
  return {
    async send(frame) {
      out++
      await new Promise<void>((resolve) => void socket.send(packed(frame), () => resolve()))
      if (!room()) await new Promise<void>((resolve) => (free = resolve))
    },
    confirm() {
      out = Math.max(0, out - 1)
      if (room()) free()
    },
  }
}

/** Handles a viewer's messages; ignores those that it does not understand. */
function viewerMessages(socket: WebSocket, view: LiveView, { door, access }: Admitted, confirm: () => void): void {
  const pauseAfter = viewerRate(() => performance.now())
  socket.on('message', (data, binary) => {
    const bytes = data as Buffer // the library's default
    const pauseMs = pauseAfter(bytes.length)
    if (pauseMs > 0 && !socket.isPaused) {
      socket.pause()
      setTimeout(() => socket.resume(), pauseMs).unref()
    }
    if (binary) return
    const text = String(bytes)
    if (text === 'ok') return confirm()
    // Messages of viewers without control are not even parsed.
    if (access !== 'control') return
    const message = viewerMessage(text)
    if (message === null) return
    if (message === 'no address') return socket.send(JSON.stringify({ type: 'refused', reason: 'This is not an address of the web.' } satisfies LiveNews))
    door.touch()
    view.input(message)
  })
}

function serveView(socket: WebSocket, admitted: Admitted): void {
  const { door, access } = admitted
  const say = (news: object): void => {
    if (socket.bufferedAmount > mostUnread) socket.terminate()
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(news))
  }
  const out = pictures(socket)
  // Told by the session: waiting for its end would keep each socket until then, however soon it closes.
  const ended = (): void => {
    say({ type: 'ended' })
    socket.close(1000, 'session ended')
  }
  // First of all, but only to one who may stay: others try again, at longer and longer intervals.
  const hello = once(() => say({ type: 'hello', control: access === 'control' }))
  const tell = (news: LiveNews): void => {
    hello()
    say(news)
  }
  const view = door.browser.watch({ frame: (frame) => out.send(frame), tell, ended }, access === 'control' ? 'control' : 'view')
  hello()
  door.touch()
  viewerMessages(socket, view, admitted, out.confirm)
  socket.once('close', () => view.close())
}

async function serveCdp(socket: WebSocket, { door }: Admitted): Promise<void> {
  // Messages that arrive before the connection is ready stay in the socket.
  socket.pause()
  const line = await door.browser.cdp.connect(() => socket.bufferedAmount)
  door.touch()
  line.onMessage((text) => socket.send(text))
  socket.on('message', (data, binary) => {
    if (binary) return socket.close(1003, 'texts only')
    door.touch()
    line.send(String(data))
  })
  socket.once('close', () => line.close())
  void line.closed.then(() => socket.close(1000, 'session ended'))
  if (socket.readyState !== socket.OPEN) line.close()
  socket.resume()
}

const handshakeOf = (request: IncomingMessage): ReturnType<typeof wantedBy> => (asksForWebSocket(request) ? wantedBy(request) : null)

/** Whether a request is a handshake for the WebSocket of a session. */
export const isForSession = (request: IncomingMessage): boolean => handshakeOf(request) !== null

/** The WebSockets of live sessions, for drivers and viewers with a token. */
export interface LiveSockets {
  /** Whether an upgrade request is for a session; if so, it is handled. */
  take(request: IncomingMessage, stream: Duplex, head: Buffer): boolean
  /** Disconnects all clients. */
  close(): void
}

/** Creates the handler of these WebSockets. */
export function liveSockets(ports: Pick<HttpPorts, 'live' | 'sessions' | 'peers' | 'newId' | 'log'>, options: Pick<HttpOptions, 'heartbeatMs'>): LiveSockets {
  const open = new Set<WebSocket>()
  const relayed = new Set<Duplex>()
  const acceptors = once(async () => {
    const { websocketAcceptor } = await import('../websocket.ts')
    const refuse = refuseHandshake(ports.newId)
    return { cdp: websocketAcceptor({ maxPayload: maxCommand, closeTimeout }, refuse), view: websocketAcceptor({ maxPayload: maxInput, closeTimeout }, refuse) }
  })

  function serve(socket: WebSocket, stream: Duplex, admitted: Admitted): void {
    const { access } = admitted
    const started = performance.now()
    open.add(socket)
    // A client that breaks the protocol or vanishes also closes the socket.
    socket.on('error', () => undefined)
    socket.once('close', (code) => {
      open.delete(socket)
      ports.log('info', 'live', { session: admitted.id, access, code, ms: Math.round(performance.now() - started) })
    })
    keepAlive(socket, stream, options.heartbeatMs ?? heartbeatMs)
    const failed = (error: unknown): void => socket.close(asServiceError(error).code === 'RATE_LIMITED' ? 1013 : 1011, 'the session cannot be reached')
    try {
      if (access === 'cdp') serveCdp(socket, admitted).catch(failed)
      else serveView(socket, admitted)
    } catch (error) {
      failed(error)
    }
  }

  return {
    take(request, stream, head) {
      const wanted = handshakeOf(request)
      if (wanted === null) return false
      const broken = (): void => void stream.destroy()
      stream.on('error', broken)
      Promise.all([acceptors(), admit(wanted, ports.live)]).then(
        ([accept, admitted]) => {
          stream.off('error', broken)
          accept[wanted.way](request, stream, head, (socket) => serve(socket, stream, admitted))
        },
        async (error: unknown) => {
          let refusal = error
          const passed = await recognise(wanted, ports.live).then(() => relay({ id: wanted.id, request, stream, head }, ports)).catch((later: unknown) => {
            // Nobody knows then whether another process has the session.
            if (later instanceof StoreAway) refusal = later
            return false
          })
          if (!passed) return answerRaw(stream, asServiceError(refusal), ports.newId)
          if (stream.destroyed) return
          relayed.add(stream)
          stream.once('close', () => relayed.delete(stream))
        },
      )
      return true
    },
    close() {
      for (const socket of open) socket.close(1001, 'the service stops')
      for (const stream of relayed) stream.destroy()
    },
  }
}
