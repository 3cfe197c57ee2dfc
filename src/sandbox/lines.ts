import type { Duplex } from 'node:stream'
import { zeroEnded } from '../lib/zero-ended.ts'

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
  // Errors after the process has gone do not matter.
  socket.on('error', () => undefined)
  const giveUp = (): void => {
    socket.destroy()
    onTooLong()
  }
  socket.on('data', zeroEnded({ longest: () => longest, whole: onText, giveUp }))
  return {
    send: (text) => void (socket.writable && socket.write(`${text}\0`)),
    waiting: () => socket.writableLength,
    hear: (on) => void (on ? socket.resume() : socket.pause()),
  }
}
