import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** The output of a stream in one run. */
export interface Said {
  readonly text: string
  readonly cut: boolean
}

/** Collects the output of a stream by run; a mark in the stream ends a run. */
export interface Output {
  /** Waits for the mark from now on; resolves when it arrived, or when the stream ended. */
  until(mark: string): Promise<void>
  /** The output since the last call. */
  take(): Said
}

/** The mark at the end of cut output. */
export const cutMark = (bytes: number): string => `\n[output cut at ${Math.round(bytes / 1024)} KB]`

/** A time in the words of a message. */
export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** Keeps at most `limit` bytes of each run; calls `onFlood` when a run writes more than `flood`. */
export function output(stream: Readable, limits: { readonly limit: number; readonly flood: number }, onFlood: () => void): Output {
  // One piece of memory that grows: what is written byte by byte would cost a piece for each.
  let kept = Buffer.alloc(0)
  let keptBytes = 0
  let allBytes = 0
  // The end of the data may be the beginning of the mark.
  let tail = Buffer.alloc(0)
  let mark: Buffer | null = null
  let found = (): void => undefined
  let ended = false

  function keep(bytes: Buffer): void {
    allBytes += bytes.length
    const taken = bytes.subarray(0, limits.limit - keptBytes)
    const needed = keptBytes + taken.length
    if (needed > kept.length) kept = Buffer.concat([kept.subarray(0, keptBytes)], Math.max(needed, Math.min(limits.limit, 2 * kept.length)))
    keptBytes += taken.copy(kept, keptBytes)
    if (allBytes > limits.flood) onFlood()
  }

  function search(piece: Buffer): void {
    const bytes = tail.length === 0 ? piece : Buffer.concat([tail, piece])
    tail = Buffer.alloc(0)
    if (mark === null) return keep(bytes)
    const at = bytes.indexOf(mark)
    if (at < 0) {
      const sure = Math.max(0, bytes.length - mark.length + 1)
      tail = Buffer.from(bytes.subarray(sure))
      return keep(bytes.subarray(0, sure))
    }
    keep(bytes.subarray(0, at))
    // What follows belongs to the next run.
    tail = Buffer.from(bytes.subarray(at + mark.length))
    mark = null
    found()
  }

  stream.on('data', search)
  stream.on('error', () => undefined)
  stream.on('close', () => {
    ended = true
    found()
  })

  return {
    until: (text) =>
      new Promise((resolve) => {
        if (ended) return resolve()
        mark = Buffer.from(text)
        found = resolve
      }),
    take() {
      if (mark !== null) keep(tail)
      const [text, cut] = [wholeText(kept.subarray(0, keptBytes)), allBytes > keptBytes]
      const rest = mark === null ? tail : Buffer.alloc(0)
      kept = Buffer.alloc(0)
      keptBytes = 0
      allBytes = 0
      mark = null
      tail = Buffer.alloc(0)
      keep(rest)
      return { text: cut ? `${text}${cutMark(limits.limit)}` : text, cut }
    },
  }
}

/** Bytes as text, without a character that was cut. */
export const wholeText = (bytes: Buffer): string => new StringDecoder('utf8').write(bytes)
