import iconv from 'iconv-lite'
import { longAt, slice, type Streams, wordAt } from '../compound.ts'
import { UnreadableDocument } from '../unreadable.ts'

/** Indices of entries in the list of the table stream's parts, an offset and a length each ([MS-DOC] 2.5.6). */
const tables = { styles: 1, noteReferences: 2, noteTexts: 3, runs: 12, paragraphs: 13, fonts: 15, pieces: 33, shapes: 40, endnoteReferences: 46, endnoteTexts: 47, boxTexts: 56, lists: 73, listOverrides: 74 }
const firstTable = 154

/** The consecutive texts of a file, by the offset of their length ([MS-DOC] 2.5.4). */
const lengths = { main: 76, notes: 80, headers: 84, macros: 88, comments: 92, endnotes: 96, boxes: 100 }

/** Start of a Word 97 or later file, offset of its flags, and the flags ([MS-DOC] 2.5.2). */
const sign = 0xa5ec
const flagsAt = 10
const flags = { encrypted: 0x100, secondTable: 0x200 }

/** R20: further letters of a file are not read. */
const maxCharacters = 10_000_000

/** A part of the text, and its offset in the file. */
interface Piece {
  readonly from: number
  readonly to: number
  readonly offset: number
  /** Bytes per letter. */
  readonly width: 1 | 2
}

/** A range of the text; `to` is exclusive. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A Word 97 to 2003 file: the letters of all its texts as one string, and its tables. */
export class WordFile {
  readonly main: Buffer
  readonly data: Buffer
  readonly text: string
  readonly #table: Buffer
  readonly #pieces: readonly Piece[]
  /** Whether the file has more letters than are read. */
  readonly isCut: boolean

  /** Throws `UnreadableDocument` when the file is encrypted, older than Word 97, or broken. */
  constructor(streams: Streams) {
    this.main = streams.get('WordDocument') ?? Buffer.alloc(0)
    this.data = streams.get('Data') ?? Buffer.alloc(0)
    if (wordAt(this.main, 0) !== sign) throw new UnreadableDocument('unknown')
    const bits = wordAt(this.main, flagsAt)
    if ((bits & flags.encrypted) !== 0) throw new UnreadableDocument('encrypted')
    const table = streams.get((bits & flags.secondTable) === 0 ? '0Table' : '1Table')
    if (table === undefined) throw new UnreadableDocument('broken')
    this.#table = table
    const { pieces, isCut } = piecesIn(this.table('pieces'))
    this.#pieces = pieces
    this.isCut = isCut
    this.text = this.#pieces.map(({ from, to, offset, width }) => {
      const bytes = slice(this.main, offset, (to - from) * width)
      // One byte per letter: [MS-DOC] 2.9.73.
      return (width === 2 ? bytes.toString('utf16le') : iconv.decode(bytes, 'windows-1252')).padEnd(to - from, ' ')
    }).join('')
  }

  /** A table of the file; empty when the file has none. */
  table(name: keyof typeof tables): Buffer {
    const at = firstTable + tables[name] * 8
    return slice(this.#table, longAt(this.main, at), longAt(this.main, at + 4))
  }

  /** The bytes after a table, because some continue there. */
  behind(name: keyof typeof tables): Buffer {
    const at = firstTable + tables[name] * 8
    return this.#table.subarray(longAt(this.main, at) + longAt(this.main, at + 4))
  }

  /** The range of one of the texts. */
  range(name: keyof typeof lengths): Range {
    let from = 0
    for (const [key, at] of Object.entries(lengths)) {
      const to = from + longAt(this.main, at)
      if (key === name) return this.within({ from, to })
      from = to
    }
    return { from: 0, to: 0 }
  }

  /** A range, cut at the end of the text. */
  within({ from, to }: Range): Range {
    return { from: Math.min(from, this.text.length), to: Math.min(to, this.text.length) }
  }

  /** The offset of a letter in the file, its bytes, and the end of the piece that it is in. */
  place(position: number): { readonly offset: number; readonly width: number; readonly to: number } {
    let low = 0
    let high = this.#pieces.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#pieces[middle]?.from ?? 0) <= position) low = middle
      else high = middle - 1
    }
    const { from, to, offset, width } = this.#pieces[low] ?? { from: 0, to: 0, offset: 0, width: 1 }
    return { offset: offset + (position - from) * width, width, to }
  }
}

/** [MS-DOC] 2.9.38: property changes of earlier saves, then the pieces. */
function piecesIn(table: Buffer): { readonly pieces: readonly Piece[]; readonly isCut: boolean } {
  let at = 0
  while (table[at] === 1) at += 3 + wordAt(table, at + 1)
  if (table[at] !== 2) throw new UnreadableDocument('broken')
  const { count, position, entry } = plc(slice(table, at + 5, longAt(table, at + 1)), 8)
  const pieces: Piece[] = []
  let isCut = false
  for (let i = 0; i < count; i++) {
    const from = pieces.at(-1)?.to ?? 0
    const place = longAt(entry(i), 2)
    const isNarrow = (place & 0x4000_0000) !== 0
    const to = Math.min(position(i + 1), maxCharacters)
    if (position(i) !== from || position(i + 1) <= from) break
    isCut = position(i + 1) > to
    if (to === from) break
    pieces.push(isNarrow ? { from, to, offset: (place & 0x3fff_ffff) / 2, width: 1 } : { from, to, offset: place & 0x3fff_ffff, width: 2 })
  }
  return { pieces, isCut }
}

/** A list of positions, one more than entries, followed by the entries between them, `size` bytes each ([MS-DOC] 2.2.2). */
export function plc(table: Buffer, size: number): { readonly count: number; position(i: number): number; entry(i: number): Buffer } {
  const count = Math.max(0, Math.floor((table.length - 4) / (4 + size)))
  return { count, position: (i) => longAt(table, i * 4), entry: (i) => slice(table, (count + 1) * 4 + i * size, size) }
}
