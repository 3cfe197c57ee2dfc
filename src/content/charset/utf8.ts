import { isAscii, isUtf8 } from 'node:buffer'

/** Two letters of GBK or Big5 may happen to be UTF-8; so many in a row, and nothing else, do not. */
const plain = 5

/** How many characters of more than one byte are whole, and how many bytes belong to none. */
interface Counted {
  readonly good: number
  readonly bad: number
}

/** Whether bytes are UTF-8 with enough letters beyond ASCII that they are nothing else, whatever is said of them. */
export function isPlainlyUtf8(body: Uint8Array): boolean {
  return !isAscii(body) && isUtf8(body) && count(body, plain).good >= plain
}

/** UTF-8 with a few broken bytes, as when a text was cut in the middle of a character or two files were joined. */
export function isNearlyUtf8(body: Uint8Array): boolean {
  const { good, bad } = count(body)
  return good > 0 && bad * 20 <= good
}

/** Whether bytes may be the UTF-8 that they are declared to be: where more is broken than whole they are something else. */
export function mayBeUtf8(body: Uint8Array): boolean {
  if (isUtf8(body)) return true
  const { good, bad } = count(body)
  return bad <= good
}

function count(body: Uint8Array, enough = Number.POSITIVE_INFINITY): Counted {
  let good = 0
  let bad = 0
  for (let i = 0; i < body.length && good < enough; i++) {
    const byte = body[i] ?? 0
    if (byte < 0x80) continue
    const more = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0
    let seen = 0
    while (seen < more && ((body[i + seen + 1] ?? 0) & 0xc0) === 0x80) seen++
    if (more > 0 && seen === more && byte < 0xf5) good++
    else bad++
    i += seen
  }
  return { good, bad }
}
