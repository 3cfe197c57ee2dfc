import { analyse } from 'chardet'
import { isUtf8 } from 'node:buffer'
import { encodingOf } from './labels.ts'

const sampleBytes = 65_536

/** An encoding told from the bytes alone, and whether there is hardly a doubt. */
export interface Guess {
  readonly encoding: string
  readonly sure: boolean
}

/** Tells the encoding of undeclared text: UTF-16 by its zeros, UTF-8 by its form, the rest by letter statistics. */
export function guess(body: Uint8Array): Guess {
  const wide = wideEncoding(body)
  if (wide) return { encoding: wide, sure: true }
  if (isUtf8(body)) return escapes(body) ? { encoding: 'iso-2022-jp', sure: true } : { encoding: 'utf-8', sure: true }
  if (nearlyUtf8(body)) return { encoding: 'utf-8', sure: false }
  for (const match of analyse(textSample(body))) {
    const encoding = encodingOf(match.name)
    if (encoding && !encoding.startsWith('utf-')) return { encoding, sure: match.confidence >= 80 }
  }
  return { encoding: 'windows-1252', sure: false }
}

/** UTF-16 text of western markup has a zero in every other byte. */
function wideEncoding(body: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const end = Math.min(body.length & ~1, 1024)
  if (end < 16) return null
  let even = 0
  let odd = 0
  for (let i = 0; i < end; i += 2) {
    if (body[i] === 0) even++
    if (body[i + 1] === 0) odd++
  }
  const half = end / 2
  if (odd > half * 0.4 && even < half * 0.02) return 'utf-16le'
  return even > half * 0.4 && odd < half * 0.02 ? 'utf-16be' : null
}

/** The shift sequences of ISO-2022-JP are plain ASCII otherwise. */
function escapes(body: Uint8Array): boolean {
  for (let i = body.indexOf(0x1b); i >= 0 && i + 2 < body.length; i = body.indexOf(0x1b, i + 1)) {
    const [second, third] = [body[i + 1], body[i + 2]]
    if (second === 0x24 && (third === 0x42 || third === 0x40)) return true
  }
  return false
}

/** UTF-8 with a few broken bytes, as when a text was cut in the middle of a character or two files were joined. */
function nearlyUtf8(body: Uint8Array): boolean {
  let good = 0
  let bad = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] ?? 0
    if (byte < 0x80) continue
    const more = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0
    let seen = 0
    while (seen < more && ((body[i + seen + 1] ?? 0) & 0xc0) === 0x80) seen++
    if (more > 0 && seen === more && byte < 0xf5) good++
    else bad++
    i += seen
  }
  return good > 0 && bad * 20 <= good
}

/** The text between tags, so that markup does not outweigh the letters; all of it when there is hardly any. */
function textSample(body: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(body.length, sampleBytes))
  let length = 0
  let inTag = false
  for (let i = 0; i < body.length && length < sample.length; i++) {
    const byte = body[i] ?? 0
    if (byte === 0x3c && isTagStart(body[i + 1] ?? 0)) inTag = true
    if (!inTag) sample[length++] = byte
    if (byte === 0x3e) inTag = false
  }
  return length > 0 ? sample.subarray(0, length) : body.subarray(0, sampleBytes)
}

function isTagStart(byte: number): boolean {
  return byte === 0x2f || byte === 0x21 || byte === 0x3f || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}
