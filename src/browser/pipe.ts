import { StringDecoder } from 'node:string_decoder'
import type { Readable, Writable } from 'node:stream'

/** Messages to and from a Chromium: JSON texts over a pipe, each ended by a zero byte. */
export interface Pipe {
  send(message: object): void
  /** Hears each message, one per turn of the event loop, in order; and when the other end is gone. */
  listen(onMessage: (message: object) => void, onClose: () => void): void
  close(): void
}

/** A pipe over the two streams of `--remote-debugging-pipe`. */
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
