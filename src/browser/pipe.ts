import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { WebSocket } from 'ws'

/** Messages to and from a Chromium. */
export interface Pipe {
  send(message: object): void
  /** Hears each message, one per turn of the event loop, in order; and when the other end is gone. */
  listen(onMessage: (message: object) => void, onClose: () => void): void
  close(): void
}

/** A pipe over the two streams of `--remote-debugging-pipe`: JSON texts, each ended by a zero byte. */
export function pipe(to: Writable, from: Readable): Pipe {
  let open = true
  let ended = (): void => undefined
  const close = (): void => {
    if (!open) return
    open = false
    to.destroy()
    from.destroy()
    setImmediate(() => ended())
  }
  // Whoever writes hears of the end by the close of the other stream.
  to.on('error', close)
  from.on('error', close)
  from.on('close', close)
  return {
    close,
    send(message) {
      if (open) to.write(`${JSON.stringify(message)}\0`)
    },
    listen(onMessage, onClose) {
      ended = onClose
      const take = cut((text) => setImmediate(() => open && onMessage(JSON.parse(text) as object))) // the protocol sends objects only
      from.on('data', take)
    },
  }
}

/** A pipe to a Chromium elsewhere: at a WebSocket, or where an address names one (`/json/version`). Rejects when nobody answers in time. */
export async function remotePipe(address: string, limitMs: number): Promise<Pipe> {
  const { WebSocket: Client } = await import('ws')
  const socket = new Client(await socketAddress(address, limitMs), { handshakeTimeout: limitMs, perMessageDeflate: false, maxPayload: longestMessage })
  await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socketPipe(socket)
}

// A picture or a page of the greatest size that we take, as base64 and with room.
const longestMessage = 512 * 1024 ** 2

async function socketAddress(address: string, limitMs: number): Promise<string> {
  if (address.startsWith('ws')) return address
  const answer = await fetch(new URL(`${address.replace(/\/+$/, '')}/json/version`), { signal: AbortSignal.timeout(limitMs) })
  const { webSocketDebuggerUrl } = (await answer.json()) as { readonly webSocketDebuggerUrl?: unknown } // as Chromium answers
  if (typeof webSocketDebuggerUrl !== 'string') throw new Error('The address does not answer as a Chromium that takes commands.')
  return webSocketDebuggerUrl
}

function socketPipe(socket: WebSocket): Pipe {
  // Its close comes after its errors.
  socket.on('error', () => undefined)
  return {
    close: () => socket.close(),
    send(message) {
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    },
    listen(onMessage, onClose) {
      socket.on('message', (data) => setImmediate(() => onMessage(JSON.parse(String(data)) as object))) // the protocol sends objects only
      socket.on('close', () => setImmediate(onClose))
    },
  }
}

/** Cuts a stream of bytes at its zero bytes; what arrived of a long message is not looked through again. */
function cut(whole: (text: string) => void): (bytes: Buffer) => void {
  let parts: string[] = []
  // A character may arrive in two halves.
  const decoder = new StringDecoder('utf8')
  return (bytes) => {
    let begin = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, begin)) {
      const text = parts.join('') + decoder.write(bytes.subarray(begin, end))
      parts = []
      begin = end + 1
      if (text !== '') whole(text)
    }
    if (begin < bytes.length) parts.push(decoder.write(bytes.subarray(begin)))
  }
}
