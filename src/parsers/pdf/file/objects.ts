import { inflateSync } from 'node:zlib'
import { referencesIn } from './dictionary.ts'

/** Longest object, most bytes of all objects that are looked at, and most bytes of all streams, and of one, inflated. */
const [longest, mostSeen, mostInStreams, mostBytes] = [20_000, 100_000_000, 30_000_000, 4_000_000]
/** Characters of base 85: its digits are from "!" to "u", "z" is four zeros, and "~" ends it. */
const [exclamation, letterU, letterZ, tilde] = [0x21, 0x75, 0x7a, 0x7e]
const lengthOf = /\/Length\s+(\d{1,9})\s+\d+\s+R/

/** How filters of streams are undone (PDF 1.7, 7.4), as far as they are. */
const decoders: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  '/FlateDecode': (data) => inflateSync(data, { maxOutputLength: mostBytes }),
  '/ASCII85Decode': fromBase85,
}

/** The filters of a stream in the order in which they are undone. */
const filtersOf = (head: string): string[] => /\/Filter\s*(\[[^\]]{0,200}\]|\/\w+)/.exec(head)?.[1]?.match(/\/\w+/g) ?? (head.includes('/Filter') ? ['/Unknown'] : [])

/** Bytes of their notation in base 85 (PDF 1.7, 7.4.3), in which five characters are four bytes. */
function fromBase85(data: Buffer): Buffer {
  const made = Buffer.alloc(Math.min(data.length * 4, mostBytes))
  let [length, value, count] = [0, 0, 0]
  const write = (bytes: number): void => {
    for (let i = 0; i < bytes; i++) made[length++] = Math.floor(value / 256 ** (3 - i)) & 255
    ;[value, count] = [0, 0]
  }
  for (const byte of data) {
    if (byte === tilde || length > made.length) break
    if (byte === letterZ && count === 0) write(4)
    else if (byte >= exclamation && byte <= letterU) {
      value = value * 85 + byte - exclamation
      if (++count === 5) write(4)
    }
  }
  if (count > 1) {
    const missing = 5 - count
    const bytes = count - 1
    for (let i = 0; i < missing; i++) value = value * 85 + 84
    write(bytes)
  }
  return made.subarray(0, length)
}

/** The objects of a file as text: those in object streams (`packed`), and those beside them. */
export class Objects {
  readonly #bytes: Buffer
  readonly #packed: ReadonlyMap<number, string>
  #latin: string | null = null
  #places: ReadonlyMap<number, number> | null = null
  #dictionaries: ReadonlyMap<number, string> | null = null
  #left = mostSeen
  #leftOfStreams = mostInStreams

  constructor(bytes: Buffer, packed: ReadonlyMap<number, string>) {
    this.#bytes = bytes
    this.#packed = packed
  }

  numbers(): number[] {
    return [...this.#packed.keys(), ...this.#where().keys()]
  }

  /** The dictionaries of all objects, by number. */
  dictionaries(): ReadonlyMap<number, string> {
    if (this.#dictionaries !== null) return this.#dictionaries
    const found = new Map(this.#packed)
    for (const number of this.#where().keys()) found.set(number, this.dictionary(number))
    this.#dictionaries = found
    return found
  }

  /** The dictionary of an object. */
  dictionary(number: number): string {
    const place = this.#where().get(number)
    if (place === undefined || this.#left < 0) return this.#packed.get(number) ?? ''
    const text = this.#text.slice(place, place + longest)
    const end = /endobj|stream[\r\n]/.exec(text)?.index
    this.#left -= end ?? longest
    return end === undefined ? '' : text.slice(0, end)
  }

  /** A value, or the object that it refers to. */
  resolved(value: string): string {
    const [reference] = value.startsWith('[') || value.startsWith('<<') ? [] : referencesIn(value)
    return reference === undefined ? value : this.dictionary(reference)
  }

  /** What is in a stream; null when it cannot be read. */
  stream(number: number): Buffer | null {
    if (this.#leftOfStreams < 0) return null
    const found = this.#stream(number)
    this.#leftOfStreams -= found?.length ?? mostBytes
    return found
  }

  #stream(number: number): Buffer | null {
    const head = this.dictionary(number)
    const place = (this.#where().get(number) ?? 0) + head.length
    const size = Number(/\/Length\s+(\d+)(?!\d|\s+\d+\s+R)/.exec(head)?.[1] ?? this.dictionary(Number(lengthOf.exec(head)?.[1])))
    const start = place + (this.#text.startsWith('stream\r\n', place) ? 8 : 7)
    const data = this.#bytes.subarray(start, Number.isSafeInteger(size) ? start + size : start)
    const filters = filtersOf(head)
    if (filters.length > 2 || head.includes('/DecodeParms')) return null
    try {
      return filters.reduce<Buffer | null>((found, filter) => (found === null ? null : (decoders[filter]?.(found) ?? null)), data)
    } catch {
      return null
    }
  }

  get #text(): string {
    this.#latin ??= this.#bytes.toString('latin1')
    return this.#latin
  }

  /** Where the objects beside object streams are. The last saved version of an object comes last in the file. */
  #where(): ReadonlyMap<number, number> {
    if (this.#places !== null) return this.#places
    const found = new Map<number, number>()
    for (const { 0: { length }, 1: number, index } of this.#text.matchAll(/(?<![\d.])(\d{1,9})\s{1,3}\d{1,5}\s{1,3}obj(?![a-z])/g)) found.set(Number(number), index + length)
    this.#places = found
    return found
  }
}
