import { deflateSync, inflateSync } from 'node:zlib'

/** Most operators of one stream that show text or save the state of drawing: a page full of newsprint has a tenth of it. */
const mostOperators = 400_000
/** The shortest operator with its operand, in bytes, and the most that one byte can inflate to. */
const [shortest, widest] = [2, 1_032]
/** Most bytes of one stream that are looked at, and of all long streams of a file. */
const [mostBytes, mostInflated] = [100_000_000, 400_000_000]
/** Longest dictionary of a stream, in bytes. */
const longestHead = 2_000
/** What is no content of a page: pictures, fonts, and streams of objects. */
const isOther = /\/Image|\/ObjStm|\/XRef|\/Metadata|\/Length[123]\b|\/Predictor|CIDFontType0C|Type1C/

const [space, quotes, close, greater] = [0x20, [0x22, 0x27], 0x29, 0x3e]
const isBlank = (byte: number | undefined): boolean => byte === undefined || byte <= space

/** Where the last operator ends that is read; null when all of them are. */
function endOf(content: Buffer): number | null {
  let count = 0
  for (let i = 1; i < content.length; i++) {
    const byte = content[i]
    const before = content[i - 1]
    const isShown = byte === 0x6a || byte === 0x4a ? before === 0x54 : (byte === quotes[0] || byte === quotes[1]) && (before === close || before === greater || isBlank(before))
    const isSaved = byte === 0x71 && isBlank(before) && isBlank(content[i + 1])
    if ((isShown || isSaved) && ++count > mostOperators) return i + 1
  }
  return null
}

/** The start of some content, compressed to at most `room` bytes. */
function packed(content: Buffer, end: number, room: number): Buffer {
  for (let size = end; size > 0; size = size >> 1) {
    const made = deflateSync(content.subarray(0, size), { level: 9 })
    if (made.length <= room) return made
  }
  return Buffer.alloc(0)
}

/** The start of a stream with more operators than are read; null for any other. */
function cut(data: Buffer): { start: Buffer | null; inflated: number } {
  try {
    const content = inflateSync(data, { maxOutputLength: mostBytes })
    const end = content.length < mostOperators * shortest ? null : endOf(content)
    return { start: end === null ? null : packed(content, end, data.length), inflated: content.length }
  } catch (error) {
    // What is broken, or longer than all that is looked at, is left to the libraries, which are stopped for their memory.
    return { start: null, inflated: error instanceof RangeError ? mostBytes : 0 }
  }
}

/**
 * A file whose pages have so many operators that reading them takes minutes, with the start of each such stream only (R20); `isCut`
 * tells whether there are any. A few kilobytes can inflate to millions of operators, of which neither library stops at any.
 */
export function withCutStreams(bytes: Buffer): { file: Buffer; isCut: boolean } {
  let file = bytes
  let left = mostInflated
  for (let at = bytes.indexOf('stream'); at >= 0 && left > 0; ) {
    const end = bytes.indexOf('endstream', at)
    if (end < 0) break
    const from = at + 'stream'.length + (bytes[at + 'stream'.length] === 13 ? 2 : 1)
    const before = bytes.toString('latin1', Math.max(0, at - longestHead), at)
    const head = before.slice(before.lastIndexOf('obj') + 3)
    if ((end - from) * widest > mostOperators * shortest && head.includes('/FlateDecode') && !isOther.test(head)) {
      const { start, inflated } = cut(bytes.subarray(from, end))
      if (inflated > mostOperators * shortest) left -= inflated
      if (start !== null) {
        if (file === bytes) file = Buffer.from(bytes)
        file.fill(0, from, end)
        start.copy(file, from)
      }
    }
    at = bytes.indexOf('stream', end + 'endstream'.length)
  }
  return { file, isCut: file !== bytes }
}
