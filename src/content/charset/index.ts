import iconv from 'iconv-lite'
import { isUtf8 } from 'node:buffer'
import { once } from '../../lib/once.ts'
import { type Guess, guess } from './guess.ts'
import { encodingOf } from './labels.ts'
import { charsetOf, prescan } from './prescan.ts'
import { decodeSingleByte } from './single-byte.ts'
import { isPlainlyUtf8, mayBeUtf8 } from './utf8.ts'

/** Decoded text, and how it was decoded. */
export interface Decoded {
  readonly text: string
  /** The encoding's name in the Encoding Standard, in lower case. */
  readonly encoding: string
  /** False when the encoding was guessed from letter statistics. */
  readonly sure: boolean
}

/**
 * Encodings that the platform decodes without their extensions (Encoding Standard, 11.1 and 12.1: Big5 with HKSCS, EUC-KR
 * with Unified Hangul).
 */
const extended: Readonly<Record<string, string>> = { big5: 'big5-hkscs', 'euc-kr': 'cp949' }
/** Encodings that have nearly the same letters in the same places as another. */
const sisters: Readonly<Record<string, string>> = { gbk: 'gb18030', 'iso-8859-2': 'windows-1250', 'iso-8859-7': 'windows-1253', 'iso-8859-8': 'windows-1255', 'iso-8859-8-i': 'windows-1255' }
const multiByte = new Set(['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'euc-jp', 'shift_jis', 'iso-2022-jp'])

/**
 * Decodes the bytes of a page. The encoding is that of the byte order mark or a UTF-16 tag, the header, the declaration in
 * the page, or statistics, in this order (HTML standard, 13.2.3.1); declarations that the bytes contradict are ignored.
 * Linear; never throws. What cannot be decoded becomes U+FFFD, NUL is removed, and surrogates are paired.
 */
export function decode(body: Uint8Array, contentType: string | undefined): Decoded {
  const found = encodingFor(body, contentType)
  const text = decodeAs(body, found.encoding)
  return { text: text.includes('\0') ? text.replaceAll('\0', '') : text, encoding: found.encoding, sure: found.sure }
}

function encodingFor(body: Uint8Array, contentType: string | undefined): Guess {
  const marked = byteOrderMark(body) ?? wideMarkup(body)
  if (marked !== null) return { encoding: marked, sure: true }
  const inHeader = encodingOf(charsetOf(contentType ?? '') ?? '')
  if (inHeader === 'utf-8' && isUtf8(body)) return { encoding: inHeader, sure: true }
  if (isPlainlyUtf8(body)) return { encoding: 'utf-8', sure: true }
  const inPage = once(() => prescan(body))
  return declared(body, inHeader, inPage) ?? declared(body, inPage(), () => null) ?? guess(body)
}

/**
 * A declaration as a certain guess; null when it says UTF-8 but the bytes are not, or when it is a server's default that
 * both the page and its letters contradict.
 */
function declared(body: Uint8Array, encoding: string | null, inPage: () => string | null): Guess | null {
  if (encoding === null) return null
  const refuted = encoding === 'utf-8' ? !mayBeUtf8(body) : encoding === 'windows-1252' && contradicted(body, inPage())
  return refuted ? null : { encoding, sure: true }
}

const contradicted = (body: Uint8Array, inPage: string | null): boolean => inPage !== null && inPage !== 'windows-1252' && kin(guess(body).encoding) === kin(inPage)

const kin = (encoding: string): string => sisters[encoding] ?? encoding

function byteOrderMark(body: Uint8Array): string | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : null
}

/**
 * UTF-16 without a byte order mark, recognised by a tag at the start: nothing else looks like that, whatever is declared.
 * The HTML standard (13.2.3.2) only looks for `<?x`.
 */
function wideMarkup(body: Uint8Array): string | null {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 64)).toString('latin1')
  if (/^(?:[\t\n\r ]\0)*<\0[a-z!?]\0/i.test(start)) return 'utf-16le'
  return /^(?:\0[\t\n\r ])*\0<\0[a-z!?]/i.test(start) ? 'utf-16be' : null
}

function decodeAs(body: Uint8Array, encoding: string): string {
  const wider = extended[encoding]
  if (wider !== undefined) return iconv.decode(Buffer.from(body.buffer, body.byteOffset, body.length), wider)
  // The Encoding Standard decodes GBK with the decoder of its superset.
  const name = encoding === 'gbk' ? 'gb18030' : encoding
  return multiByte.has(name) ? new TextDecoder(name).decode(body) : decodeSingleByte(body, name)
}
