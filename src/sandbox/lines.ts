import { StringDecoder } from 'node:string_decoder'
import type { Duplex } from 'node:stream'

/** Texts to and from a confined process, each ended by a zero byte. What arrives is untrusted. */
export interface Line {
  send(text: string): void
  /** Bytes that the process has not read yet. */
  waiting(): number
  /** Pauses and resumes receiving. */
  hear(on: boolean): void
}

export interface LineTerms {
  /** Longest text that is accepted, in bytes. */
  readonly longest: number
  readonly onText: (text: string) => void
  /** Called when the process sent a text that is too long; nothing more is received. */
  readonly onTooLong: () => void
}

/** A line over a socket. It does not report its end: the end of the process does. */
export function line(socket: Duplex, { longest, onText, onTooLong }: LineTerms): Line {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let length = 0
  // Errors after the process has gone do not matter.
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    let begin = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, begin)) {
      const text = parts.join('') + decoder.write(bytes.subarray(begin, end))
      parts = []
      length = 0
      begin = end + 1
      if (text !== '') onText(text)
    }
    if (begin === bytes.length) return
    parts.push(decoder.write(bytes.subarray(begin)))
    length += bytes.length - begin
    if (length <= longest) return
    socket.destroy()
    onTooLong()
  })
  return {
    send: (text) => void (socket.writable && socket.write(`${text}\0`)),
    waiting: () => socket.writableLength,
    hear: (on) => void (on ? socket.resume() : socket.pause()),
  }
}
