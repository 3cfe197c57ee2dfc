import type { Readable, Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import { zeroEnded } from '../../lib/zero-ended.ts'
import { heard } from './spoken.ts'

/** Messages to and from a Chromium. */
export interface Pipe {
  send(message: object): void
  /**
   * Receives each message, in order, one per turn of the event loop, the results of large answers unread; and the end of
   * the connection.
   */
  listen(onMessage: (message: object) => void, onClose: () => void): void
  close(): void
}

/** What the driver accepts as its connection (`ConnectOverCDPTransport`). */
export interface Transport {
  send(message: object): void
  close(): void
  onmessage?: (message: object) => void
  onclose?: (reason?: string) => void
}

/** A pipe over the two streams of `--remote-debugging-pipe`: JSON texts, each ended by a zero byte. */
export function pipe(to: Writable, from: Readable, longest = longestMessage): Pipe {
  let open = true
  let ended = (): void => undefined
  const post = together((text) => void to.write(text))
  const close = (): void => {
    if (!open) return
    post.now()
    open = false
    to.destroy()
    from.destroy()
    setImmediate(() => ended())
  }
  // Writers learn of the end by the close of the other stream.
  to.on('error', close)
  from.on('error', close)
  from.on('close', close)
  return {
    close,
    send(message) {
      if (open) post(`${JSON.stringify(message)}\0`)
    },
    listen(onMessage, onClose) {
      ended = onClose
      // Pages decide how long an answer is: at one that does not fit into a text, it gives up.
      from.on('data', zeroEnded({ longest, whole: (text) => setImmediate(() => open && onMessage(heard(text))), giveUp: close }))
    },
  }
}

/** Writes the first text of a turn at once, and all others of that turn together: each writing is a call of the kernel, and wakes the browser. */
function together(write: (text: string) => void): { (text: string): void; now(): void } {
  let waiting: string | null = null
  const now = (): void => {
    const text = waiting ?? ''
    waiting = null
    if (text !== '') write(text)
  }
  const post = (text: string): void => {
    if (waiting !== null) return void (waiting += text)
    waiting = ''
    write(text)
    // After the promises of the turn, whose callbacks send, too.
    queueMicrotask(() => process.nextTick(now))
  }
  return Object.assign(post, { now })
}

/**
 * A pipe to a remote Chromium: at a WebSocket, or at an address that names one (`/json/version`). Rejects when nobody
 * answers in time.
 */
export async function remotePipe(address: string, limitMs: number): Promise<Pipe> {
  const { WebSocket: Client } = await import('ws')
  const socket = new Client(await socketAddress(address, limitMs), { handshakeTimeout: limitMs, perMessageDeflate: false, maxPayload: longestMessage })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socketPipe(socket)
}

/** Whether a Chromium at that address takes commands at the moment. */
export async function isAnswering(address: string, limitMs: number): Promise<boolean> {
  return remotePipe(address, limitMs).then((found) => (found.close(), true), () => false)
}

// A picture or page of the largest size that we take, in base64, with some room; just below what fits into one text.
const longestMessage = 511 * 1024 ** 2

async function socketAddress(address: string, limitMs: number): Promise<string> {
  if (address.startsWith('ws')) return address
  const answer = await fetch(new URL(`${address.replace(/\/+$/, '')}/json/version`), { signal: AbortSignal.timeout(limitMs) })
  const { webSocketDebuggerUrl } = (await answer.json()) as { readonly webSocketDebuggerUrl?: unknown } // as Chromium answers
  if (typeof webSocketDebuggerUrl !== 'string') throw new Error('The address does not answer as a Chromium that takes commands.')
  return webSocketDebuggerUrl
}

function socketPipe(socket: WebSocket): Pipe {
  // It closes after an error.
  socket.on('error', () => undefined)
  return {
    close: () => socket.close(),
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    },
    listen(onMessage, onClose) {
      socket.on('message', (data) => setImmediate(() => onMessage(heard(String(data)))))
      socket.on('close', () => setImmediate(onClose))
    },
  }
}
