import { StringDecoder } from 'node:string_decoder'

/** Where the texts of a stream go. */
export interface Texts {
  /** The most bytes of a text with that beginning (its first characters). */
  longest(start: string): number
  whole(text: string): void
  /** Called as soon as one is longer: nothing more of it is kept. */
  giveUp?(): void
  /** Called at the end of one that was longer, with its first and last characters. */
  skipped?(start: string, end: string): void
}

/** How many of the first and last characters are told. */
const edge = 100

/** Splits a stream of bytes into the texts that end with a zero byte, without searching the received part of a long one again; empty ones are left out. */
export function zeroEnded({ longest, whole, giveUp, skipped }: Texts): (bytes: Buffer) => void {
  let parts: string[] = []
  let [start, end] = ['', '']
  let length = 0
  let isLong = false
  // A character may arrive in two parts.
  const decoder = new StringDecoder('utf8')
  const take = (bytes: Buffer): void => {
    if (bytes.length === 0) return
    length += bytes.length
    if (isLong) return void (end = (end + decoder.write(bytes.subarray(-edge))).slice(-edge))
    const part = decoder.write(bytes)
    parts.push(part)
    if (start.length < edge) start = (start + part).slice(0, edge)
    if (length <= longest(start)) return
    isLong = true
    end = part.slice(-edge)
    parts = []
    giveUp?.()
  }
  const finish = (): void => {
    const text = parts.join('') + decoder.end()
    const told = isLong
    const edges = [start, end] as const
    parts = []
    start = ''
    end = ''
    length = 0
    isLong = false
    if (told) skipped?.(...edges)
    else if (text !== '') whole(text)
  }
  return (bytes) => {
    let begin = 0
    for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, begin)) {
      take(bytes.subarray(begin, at))
      begin = at + 1
      finish()
    }
    take(bytes.subarray(begin))
  }
}
