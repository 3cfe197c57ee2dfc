import { isAscii, isUtf8 } from 'node:buffer'

/** Two letters of GBK or Big5 may happen to be valid UTF-8; this many in a row, and nothing else, are not a coincidence. */
const plain = 5

/** The number of complete multi-byte characters, and the number of bytes that belong to none. */
interface Counted {
  readonly good: number
  readonly bad: number
}

/** Whether bytes are valid UTF-8 with enough non-ASCII letters to rule out all other encodings, whatever is declared. */
export function isPlainlyUtf8(body: Uint8Array): boolean {
  return !isAscii(body) && isUtf8(body) && count(body, plain).good >= plain
}

/** Whether bytes are UTF-8 with a few errors, as when a text was cut inside a character or two files were joined. */
export function isNearlyUtf8(body: Uint8Array): boolean {
  const { good, bad } = count(body)
  return good > 0 && bad * 20 <= good
}

/** Whether bytes may be UTF-8 as declared: not when more characters are broken than complete. */
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
