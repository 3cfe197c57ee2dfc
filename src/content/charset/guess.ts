import { analyse } from 'chardet'
import { isUtf8 } from 'node:buffer'
import { encodingOf } from './labels.ts'
import { isNearlyUtf8 } from './utf8.ts'

const sampleBytes = 65_536

/** An encoding guessed from the bytes alone, and whether it is nearly certain. */
export interface Guess {
  readonly encoding: string
  readonly sure: boolean
}

/** Guesses the encoding of undeclared text: UTF-16 by its zero bytes, UTF-8 by its form, others by letter statistics. */
export function guess(body: Uint8Array): Guess {
  const wide = wideEncoding(body)
  if (wide) return { encoding: wide, sure: true }
  if (isUtf8(body)) return escapes(body) ? { encoding: 'iso-2022-jp', sure: true } : { encoding: 'utf-8', sure: true }
  if (isNearlyUtf8(body)) return { encoding: 'utf-8', sure: false }
  const sample = textSample(body)
  if (isThai(sample)) return { encoding: 'windows-874', sure: true }
  if (isShiftJis(sample)) return { encoding: 'shift_jis', sure: true }
  const guesses = analyse(sample).flatMap(({ name, confidence }): Guess[] => {
    const encoding = encodingOf(name)
    return encoding && !encoding.startsWith('utf-') ? [{ encoding, sure: confidence >= 80 }] : []
  })
  return guesses.find(({ encoding }) => isPossible(sample, encoding)) ?? guesses[0] ?? { encoding: 'windows-1252', sure: false }
}

/** More than one in so many letters that an encoding with one byte a letter lacks make it another: with few words, statistics may take Russian for Hebrew. */
const mostLacking = 20

function isPossible(text: Uint8Array, encoding: string): boolean {
  if (!/^(?:windows|iso-8859|koi8)-/.test(encoding)) return true
  const lacking = new TextDecoder(encoding).decode(text).split('\ufffd').length - 1
  return lacking === 0 || lacking * mostLacking < text.reduce((sum, byte) => sum + (byte < 0x80 ? 0 : 1), 0)
}

/** UTF-16 by its zero bytes: western markup has one in every other byte. */
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

/** With fewer letters, another text may look like Thai by chance. */
const fewThai = 60

/**
 * Whether text is single-byte Thai, which statistics take for Chinese: it has Thai consonants, and among them vowels and
 * tone marks, of which double-byte text has fewer, and other alphabets have little else.
 */
function isThai(text: Uint8Array): boolean {
  let high = 0
  let early = 0
  let late = 0
  let marks = 0
  for (const byte of text) {
    if (byte < 0x80) continue
    high++
    if (byte >= 0xa1 && byte <= 0xbf) early++
    else if (byte >= 0xc0 && byte <= 0xce) late++
    else if ((byte >= 0xd0 && byte <= 0xda) || (byte >= 0xe0 && byte <= 0xee)) marks++
  }
  return high >= fewThai && early + late + marks > high * 0.98 && early > high * 0.2 && late > high * 0.1 && marks > high * 0.27
}

/** Fewer bytes may be anything. */
const fewJapanese = 8

/**
 * Whether text is Shift_JIS with names and places, which are too rare for statistics: no other encoding has so many
 * adjacent bytes below 0xA0.
 */
function isShiftJis(text: Uint8Array): boolean {
  let high = 0
  let low = 0
  let beside = 0
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] ?? 0
    if (byte < 0x80) continue
    high++
    if (byte < 0xa0) low++
    if ((text[i - 1] ?? 0) >= 0x80 || (text[i + 1] ?? 0) >= 0x80) beside++
  }
  return high >= fewJapanese && low > high * 0.4 && beside > high * 0.5 && !new TextDecoder('shift_jis').decode(text).includes('\ufffd')
}

/** Whether text has shift sequences of ISO-2022-JP, which is plain ASCII otherwise. */
function escapes(body: Uint8Array): boolean {
  for (let i = body.indexOf(0x1b); i >= 0 && i + 2 < body.length; i = body.indexOf(0x1b, i + 1)) {
    const [second, third] = [body[i + 1], body[i + 2]]
    if (second === 0x24 && (third === 0x42 || third === 0x40)) return true
  }
  return false
}

/**
 * The text between tags, so that markup, scripts and styles do not outweigh the letters; everything when there is hardly
 * any.
 */
function textSample(body: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(body.length, sampleBytes))
  let length = 0
  let inTag = false
  /** A script or style continues to the next end tag that begins like its own. */
  let inCode = false
  for (let i = 0; i < body.length && length < sample.length; i++) {
    const byte = body[i] ?? 0
    if (byte === 0x3c && isTagStart(body[i + 1] ?? 0) && (!inCode || isEndOfCode(body, i))) {
      inTag = true
      inCode = isCode(body, i)
    }
    if (!inTag && !inCode) sample[length++] = byte
    if (byte === 0x3e) inTag = false
  }
  return length > 0 ? sample.subarray(0, length) : body.subarray(0, sampleBytes)
}

function isTagStart(byte: number): boolean {
  return byte === 0x2f || byte === 0x21 || byte === 0x3f || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

/** Whether a tag is `<script` or `<style`. */
const isCode = (body: Uint8Array, at: number): boolean => small(body[at + 1]) === 0x73 && ((small(body[at + 2]) === 0x63 && small(body[at + 3]) === 0x72) || (small(body[at + 2]) === 0x74 && small(body[at + 3]) === 0x79))

/** Whether a tag begins with `</s`. */
const isEndOfCode = (body: Uint8Array, at: number): boolean => body[at + 1] === 0x2f && small(body[at + 2]) === 0x73

const small = (byte: number | undefined): number => (byte ?? 0) | 0x20
