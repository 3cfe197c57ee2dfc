import { byteAt, longAt, slice, wordAt } from '../compound.ts'
import { plc } from './file.ts'

/** A property change in a format: its code ([MS-DOC] 2.6) and its value. */
export interface Change {
  readonly code: number
  readonly value: Buffer
}

/** Bytes of a value by the highest bits of its code; a value of type 6 gives its own length. */
const sizes = [1, 1, 2, 4, 2, 2, 0, 3]
const defineTable = 0xd608
const changeTabs = 0xc615

/** The changes in a format. */
export function changes(format: Buffer): Change[] {
  const found: Change[] = []
  for (let at = 0; at + 2 < format.length; ) {
    const code = wordAt(format, at)
    at += 2
    const says = code >> 13 === 6
    const head = says ? (code === defineTable ? 2 : 1) : 0
    const size = code === defineTable ? wordAt(format, at) - 1 : says ? byteAt(format, at) : (sizes[code >> 13] ?? 1)
    // With too many tab stops for a byte, the length is not given: what follows cannot be found.
    if (size < 0 || (code === changeTabs && size === 255)) return found
    found.push({ code, value: slice(format, at + head, size) })
    at += head + size
  }
  return found
}

/** The format of a range of the file. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly format: Buffer
}

const pageSize = 512
const nothing = Buffer.alloc(0)

/** Formats by the file offset of the letters they apply to, in pages of 512 bytes ([MS-DOC] 2.9.31, 2.9.174). */
export class Formats {
  readonly #main: Buffer
  readonly #index: ReturnType<typeof plc>
  readonly #isOfParagraphs: boolean
  #last: Stretch = { from: 0, to: 0, format: nothing }

  constructor(main: Buffer, index: Buffer, of: 'runs' | 'paragraphs') {
    this.#main = main
    this.#index = plc(index, 4)
    this.#isOfParagraphs = of === 'paragraphs'
  }

  at(offset: number): Stretch {
    if (offset < this.#last.from || offset >= this.#last.to) this.#last = this.#find(offset)
    return this.#last
  }

  #find(offset: number): Stretch {
    let low = 0
    let high = this.#index.count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#index.position(middle) <= offset) low = middle
      else high = middle - 1
    }
    const page = slice(this.#main, (longAt(this.#index.entry(low), 0) & 0x3f_ffff) * pageSize, pageSize)
    const count = byteAt(page, pageSize - 1)
    for (let i = 0; i < count; i++) {
      const from = longAt(page, i * 4)
      const to = longAt(page, i * 4 + 4)
      if (offset >= from && offset < to) return { from, to, format: this.#isOfParagraphs ? paragraphFormat(page, count, i) : runFormat(page, count, i) }
    }
    const next = this.#index.position(low + 1)
    return { from: offset, to: next > offset ? next : Number.POSITIVE_INFINITY, format: nothing }
  }
}

function runFormat(page: Buffer, count: number, i: number): Buffer {
  const at = byteAt(page, (count + 1) * 4 + i) * 2
  return at === 0 ? nothing : slice(page, at + 1, byteAt(page, at))
}

/** The format of a paragraph, which starts with the id of its style. */
function paragraphFormat(page: Buffer, count: number, i: number): Buffer {
  const at = byteAt(page, (count + 1) * 4 + i * 13) * 2
  if (at === 0) return nothing
  const words = byteAt(page, at)
  return words === 0 ? slice(page, at + 2, byteAt(page, at + 1) * 2) : slice(page, at + 1, words * 2 - 1)
}
