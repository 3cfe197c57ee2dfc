import { StringDecoder } from 'node:string_decoder'

/** Where the texts of a stream go; `giveUp` is called for one of more than `longest` bytes, after which no more of it is kept. */
export interface Texts {
  readonly longest: number
  whole(text: string): void
  giveUp(): void
}

/** Splits a stream of bytes into the texts that end with a zero byte, without searching the received part of a long one again; empty ones are left out. */
export function zeroEnded({ longest, whole, giveUp }: Texts): (bytes: Buffer) => void {
  let parts: string[] = []
  let length = 0
  // A character may arrive in two parts.
  const decoder = new StringDecoder('utf8')
  return (bytes) => {
    let begin = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, begin)) {
      const text = parts.join('') + decoder.write(bytes.subarray(begin, end))
      parts = []
      length = 0
      begin = end + 1
      if (text !== '') whole(text)
    }
    if (begin === bytes.length) return
    parts.push(decoder.write(bytes.subarray(begin)))
    length += bytes.length - begin
    if (length <= longest) return
    parts = []
    giveUp()
  }
}
