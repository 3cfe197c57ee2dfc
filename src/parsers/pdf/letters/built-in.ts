import { inflateSync } from 'node:zlib'
import { cffNames } from './cff.ts'
import { mathNames } from './math-names.ts'

const fontType = /\/Subtype\s{0,4}\/Type1(?![\w-])/
const reference = (name: string): RegExp => new RegExp(`/${name}\\s+(\\d{1,9})\\s+\\d+\\s+R`)
const [descriptorOf, typeOneOf, compactOf, lengthOf] = ['FontDescriptor', 'FontFile', 'FontFile3', 'Length'].map(reference)
/** Longest object, in bytes, most bytes of all objects that are looked at, most fonts, and most bytes of an embedded font, inflated. */
const [longest, mostSeen, mostFonts, mostBytes] = [20_000, 100_000_000, 500, 4_000_000]
/** Names that only count the glyphs of a font. */
const counted = /^(?!u(?:ni)?[\dA-F]{4,6}$)[A-Za-z]{1,5}\.?\d+$/
/** A code and its name in an embedded font of type 1. */
const typeOneNames = /dup\s+(\d{1,3})\s*\/([\w.]{1,60})\s+put/g

/** The objects of a file as text: those in object streams, and those beside them. */
class Objects {
  readonly #bytes: Buffer
  readonly #text: string
  readonly #packed: ReadonlyMap<number, string>
  readonly #places: ReadonlyMap<number, number>
  #left = mostSeen

  constructor(bytes: Buffer, packed: ReadonlyMap<number, string>) {
    this.#bytes = bytes
    this.#text = bytes.toString('latin1')
    this.#packed = packed
    // The last saved version of an object comes last in the file.
    this.#places = new Map([...this.#text.matchAll(/(?<![\d.])(\d{1,9})\s{1,3}\d{1,5}\s{1,3}obj(?![a-z])/g)].map(({ 0: { length }, 1: number, index }) => [Number(number), index + length]))
  }

  numbers(): number[] {
    return [...this.#packed.keys(), ...this.#places.keys()]
  }

  /** The dictionary of an object. */
  dictionary(number: number): string {
    const place = this.#places.get(number)
    if (place === undefined || this.#left < 0) return this.#packed.get(number) ?? ''
    const text = this.#text.slice(place, place + longest)
    const end = /endobj|stream[\r\n]/.exec(text)?.index
    this.#left -= end ?? longest
    return end === undefined ? '' : text.slice(0, end)
  }

  /** What is in a stream; null when it cannot be read. */
  stream(number: number): Buffer | null {
    const head = this.dictionary(number)
    const place = (this.#places.get(number) ?? 0) + head.length
    const size = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(head)?.[1] ?? this.dictionary(Number(lengthOf?.exec(head)?.[1])))
    const start = place + (this.#text.startsWith('stream\r\n', place) ? 8 : 7)
    const data = this.#bytes.subarray(start, Number.isSafeInteger(size) ? start + size : start)
    if (!head.includes('/Filter')) return data
    if (!/\/Filter\s*\[?\s*\/FlateDecode\s*\]?/.test(head) || head.includes('/DecodeParms')) return null
    try {
      return inflateSync(data, { maxOutputLength: mostBytes })
    } catch {
      return null
    }
  }
}

/** The names of letters in an embedded font; null when the library knows them without our help. */
function namesOf(objects: Objects, descriptor: string): ReadonlyMap<number, string> | null {
  const compact = compactOf?.exec(descriptor)?.[1]
  const program = objects.stream(Number(compact ?? typeOneOf?.exec(descriptor)?.[1]))
  if (program === null) return null
  if (compact !== undefined) return cffNames(program)
  const names = new Map([...program.toString('latin1', 0, Math.max(0, program.indexOf('eexec'))).matchAll(typeOneNames)].map(([, code, name = '']) => [Number(code), name]))
  return [...names.values()].some((name) => mathNames.has(name)) ? names : null
}

/**
 * The fonts of a file that say only in the embedded font which letters their codes are, by number, with that said in their
 * dictionaries. The native library does not read it in the compact format, and takes codes for ASCII whose names it does not
 * know: "\\input" becomes "ninput", and "x ≠ y" becomes "x 6= y". `packed` are the objects in object streams.
 */
export function withBuiltIn(bytes: Buffer, packed: ReadonlyMap<number, string>): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  const hasFonts = bytes.includes('/Type1') || [...packed.values()].some((text) => fontType.test(text))
  if (!hasFonts || bytes.includes('/Encrypt')) return found
  const objects = new Objects(bytes, packed)
  for (const number of objects.numbers()) {
    const font = objects.dictionary(number)
    const descriptor = descriptorOf?.exec(font)?.[1]
    if (descriptor === undefined || !fontType.test(font) || /\/(?:Encoding|ToUnicode)\b/.test(font)) continue
    const names = found.size < mostFonts ? namesOf(objects, objects.dictionary(Number(descriptor))) : null
    const rows = [...(names ?? [])].flatMap(([code, name]) => (name === '' || name === '.notdef' || counted.test(name) ? [] : [`${code} /${usualName(name)}`]))
    const end = font.lastIndexOf('>>')
    if (rows.length > 0 && end > 0) found.set(number, Buffer.from(`${font.slice(0, end)} /Encoding << /Type /Encoding /Differences [${rows.join(' ')}] >> >>`, 'latin1'))
  }
  return found
}

function usualName(name: string): string {
  const code = mathNames.get(name)
  return code === undefined ? name : `uni${code}`
}
