import { inflateSync } from 'node:zlib'
import { withBitmapNames } from './bitmap-fonts.ts'
import { mayHaveNames, withBuiltIn } from './built-in.ts'
import { withDrawnGaps } from './drawn-gaps.ts'
import { withUsualNames } from './glyph-names.ts'
import { Objects } from '../file/objects.ts'
import { mayInherit, withOwnResources } from './own-resources.ts'
import { withNamedGlyphs } from './unnamed-glyphs.ts'
import { withObjects } from '../file/update.ts'

/** A file as the native library must see it. */
export interface GlyphCoded {
  readonly file: Buffer
  /** Whether all its fonts could be seen to. */
  readonly isSure: boolean
  /** Whether fonts do not say what some letters are. */
  readonly haveUnknown: boolean
  /** Whether it may have tags. */
  readonly isTagged: boolean
}

const glyphFont = String.raw`/Subtype\s{0,4}/CIDFontType2(?![\w-])`
/** A list of glyph names is shorter than this, in bytes. */
const glyphNames = String.raw`/Differences\s{0,4}\[[^[\]<>()]{0,8000}\]`
const ofFonts = new RegExp(`${glyphFont}|${glyphNames}`, 'g')
const ofFontsAndStreams = new RegExp(`endstream|endobj|stream[\\r\\n]|${ofFonts.source}`, 'g')
/** Most bytes of all object streams of a file, inflated. */
const mostInflated = 100_000_000
const tagTree = '/StructTreeRoot'
/** Longest dictionary of an object stream, in bytes. */
const longestHead = 1_000
/** Most characters of an object's number and what follows it. */
const longestName = 30

/** What the library must see in place of the type of such a font, or of the glyph names of any font; of the same length. */
const seen = (found: string): string => (found.startsWith('/D') ? withUsualNames(found) : `${found.slice(0, -1)}0`)

/**
 * The file as the native library must see it; the same bytes when it needs no change. Browsers and word processors use the
 * glyph numbers of the original font as codes. Where the table of widths ends before the last letter, because that has the
 * default width, the library believes that some strings of them are numbers of the embedded glyphs: "01.05.2024" becomes
 * "FGCFQCJFJP", or another number. It does so in TrueType fonts only. As fonts of the other type, they are read by the table
 * that says which letters the codes are (`ToUnicode`), as in viewers. Fonts are found in the file and in its object streams
 * (PDF 1.7, 7.5.7), unless these are encrypted.
 */
export function withGlyphCodes(bytes: Buffer): GlyphCoded {
  const { changed: streams, packed, isSure } = changedStreams(bytes)
  const plain = withPlainFonts(bytes)
  const [hasNames, inherits] = [mayHaveNames(plain, packed), mayInherit(plain, packed)]
  const isEncrypted = plain.includes('/Encrypt')
  const objects = new Objects(plain, packed)
  const { changed: fonts, haveUnknown } = hasNames && !isEncrypted ? namedFonts(objects) : { changed: [], haveUnknown: false }
  const changed = new Map([...streams, ...fonts, ...(inherits && !isEncrypted ? withOwnResources(objects) : []), ...(isEncrypted ? [] : withDrawnGaps(objects))])
  const file = changed.size === 0 ? plain : withObjects(plain, changed)
  const isTagged = !isSure || plain.includes(tagTree) || [...packed.values()].some((text) => text.includes(tagTree))
  return { file: file ?? plain, isSure: isSure && file !== null && !(inherits && isEncrypted), haveUnknown, isTagged }
}

/** The fonts of a file with usual names of their letters, by number. */
function namedFonts(objects: Objects): { changed: readonly (readonly [number, Buffer])[]; haveUnknown: boolean } {
  const { changed, haveUnknown } = withNamedGlyphs(objects.dictionaries())
  const named = [...changed, ...withBitmapNames(objects.dictionaries())].map(([number, text]) => [number, Buffer.from(text, 'latin1')] as const)
  return { changed: [...named, ...withBuiltIn(objects)], haveUnknown }
}

/** The objects in the object streams of a file, by number, as the library must see them. */
export const packedObjects = (bytes: Buffer): ReadonlyMap<number, string> => changedStreams(bytes).packed

/** Changes fonts outside of streams. In streams the same letters are text that must stay what it is. */
function withPlainFonts(bytes: Buffer): Buffer {
  if (!bytes.includes('/CIDFontType2') && !bytes.includes('/Differences')) return bytes
  const made = Buffer.from(bytes)
  let isData = false
  for (const { 0: found, index } of bytes.toString('latin1').matchAll(ofFontsAndStreams)) {
    if (!found.startsWith('/')) isData = !found.startsWith('end')
    else if (!isData) made.write(seen(found), index, 'latin1')
  }
  return made.equals(bytes) ? bytes : made
}

/**
 * The object streams that have such fonts, changed, by number; all objects in object streams; `isSure` when all object
 * streams could be read.
 */
function changedStreams(bytes: Buffer): { changed: Map<number, Buffer>; packed: Map<number, string>; isSure: boolean } {
  const found = new Map<number, Buffer>()
  const packed = new Map<number, string>()
  let left = mostInflated
  for (let at = bytes.indexOf('/ObjStm'), next = 0; at >= 0; at = bytes.indexOf('/ObjStm', next)) {
    next = at + 1
    const length = bytes.subarray(at, at + longestHead).indexOf('stream')
    const first = Math.max(0, at - longestHead)
    const named = first + bytes.subarray(first, at).lastIndexOf('obj')
    if (length < 0 || named < first) continue
    const number = /(\d{1,9})\s+\d+\s+$/.exec(bytes.toString('latin1', Math.max(first, named - longestName), named))?.[1]
    if (number === undefined) continue
    const from = at + length + 'stream'.length
    const end = bytes.indexOf('endstream', from)
    if (end < 0) break
    next = end
    const head = bytes.toString('latin1', named + 3, at + length)
    const text = inflated(bytes.subarray(from + (bytes[from] === 13 ? 2 : 1), end), head, left)
    if (text === null) return { changed: found, packed, isSure: false }
    left -= text.length
    const other = text.replace(ofFonts, seen)
    for (const [one, body] of objectsIn(other, firstOf(head))) packed.set(one, body)
    // The last saved version comes last in the file.
    if (other === text) found.delete(Number(number))
    else found.set(Number(number), objectOf(head, other))
  }
  return { changed: found, packed, isSure: true }
}

/** What is in a stream; null when it cannot be read. */
function inflated(data: Buffer, head: string, most: number): string | null {
  const filter = /\/Filter\s*(\[[^\]]*\]|\/\w+)/.exec(head)?.[1]?.replace(/[[\]\s]/g, '')
  if (filter === undefined) return data.toString('latin1')
  if (filter !== '/FlateDecode' || head.includes('/Predictor')) return null
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, most) }).toString('latin1')
  } catch {
    return null
  }
}

const firstOf = (head: string): number => Number(/\/First\s+(\d+)/.exec(head)?.[1] ?? 0)

/**
 * The objects in an object stream, by number; `first` is where the first one begins. They are in the order of their places (PDF
 * 1.7, 7.5.7); what is not overlaps others, and would make a short stream a long one.
 */
function objectsIn(text: string, first: number): (readonly [number, string])[] {
  const found: (readonly [number, string])[] = []
  let end = text.length
  for (const [, number, place] of [...text.slice(0, first).matchAll(/(\d{1,10})\s+(\d{1,10})/g)].reverse()) {
    const start = first + Number(place)
    if (start >= end) continue
    found.push([Number(number), text.slice(start, end)])
    end = start
  }
  return found
}

function objectOf(head: string, text: string): Buffer {
  const numbers = ['N', 'First'].map((name) => `/${name} ${new RegExp(`/${name}\\s+(\\d+)`).exec(head)?.[1] ?? 0}`)
  return Buffer.from(`<< /Type /ObjStm ${numbers.join(' ')} /Length ${text.length} >>\nstream\n${text}\nendstream`, 'latin1')
}
