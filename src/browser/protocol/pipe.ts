import type { Readable, Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import { zeroEnded } from '../../lib/zero-ended.ts'
import { heard, idIn, type Spoken, unread } from './spoken.ts'

/** Messages to and from a Chromium. */
export interface Pipe {
  send(message: object): void
  /**
   * Receives each message, in order, one per turn of the event loop, the results of large answers unread; and the end of
   * the connection. `most`: the bytes that the answer to a command may have; one that is longer becomes an error, without being kept.
   */
  listen(onMessage: (message: object) => void, onClose: () => void, most?: (id: number) => number): void
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
    listen(onMessage, onClose, most) {
      ended = onClose
      const deliver = (read: () => Spoken | null): void => void setImmediate(() => open && tell(read(), onMessage))
      from.on('data', zeroEnded({ longest: (start) => mostOf(start, most, longest), whole: (text) => deliver(() => heard(text)), skipped: (start, end) => deliver(() => unread(start, end)) }))
    },
  }
}

/** The bytes that a message with that beginning may have. Pages decide how long it is. */
function mostOf(start: string, most: ((id: number) => number) | undefined, longest: number): number {
  const id = idIn(start)
  return id === null || most === undefined ? longest : Math.min(longest, most(id))
}

function tell(message: Spoken | null, onMessage: (message: object) => void): void {
  if (message !== null) onMessage(message)
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

/** As much of the beginning and the end of a message as tells whose it is. */
const edge = 100

function socketPipe(socket: WebSocket): Pipe {
  // It closes after an error.
  socket.on('error', () => undefined)
  return {
    close: () => socket.close(),
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    },
    listen(onMessage, onClose, most) {
      const read = (data: Buffer): Spoken | null => {
        const start = String(data.subarray(0, edge))
        return data.length <= mostOf(start, most, longestMessage) ? heard(String(data)) : unread(start, String(data.subarray(-edge)))
      }
      socket.on('message', (data) => setImmediate(() => tell(read(data as Buffer), onMessage))) // the library's default
      socket.on('close', () => setImmediate(onClose))
    },
  }
}
