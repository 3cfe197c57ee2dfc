import { byteAt, slice, wordAt } from '../compound.ts'
import { styled } from '../text-body.ts'
import { type Change, changes } from './formats.ts'

/** A style: what it means for a paragraph, and for its letters. */
export interface Style {
  readonly heading: number
  readonly quote: boolean
  readonly paragraph: readonly Change[]
  readonly letters: readonly Change[]
}

interface Definition {
  readonly name: string
  /** Word's own id of a built-in style. */
  readonly own: number
  readonly base: number
  readonly paragraph: readonly Change[]
  readonly letters: readonly Change[]
}

const plain: Style = { heading: 0, quote: false, paragraph: [], letters: [] }
/** Limits of the inheritance depth, and of the styles in a file. */
const maxBases = 20
const maxStyles = 4_096
/** Ids of built-in styles, which do not depend on the user's language ([MS-DOC] 2.9.271). */
const headings = { first: 1, last: 9 }
const title = 62
const kinds = { paragraph: 1, letters: 2 }

/** The styles of a file by index ([MS-DOC] 2.9.271, `STSH`). */
export class Styles {
  readonly #definitions: readonly (Definition | undefined)[]
  readonly #known = new Map<number, Style>()

  constructor(table: Buffer) {
    const head = wordAt(table, 0)
    const size = wordAt(table, 4)
    const found: (Definition | undefined)[] = []
    let at = 2 + head
    for (let i = 0; i < Math.min(wordAt(table, 2), maxStyles) && at < table.length; i++) {
      const length = wordAt(table, at)
      found.push(length === 0 ? undefined : definition(slice(table, at + 2, length), size))
      at += 2 + length
    }
    this.#definitions = found
  }

  of(number: number): Style {
    const known = this.#known.get(number) ?? this.#resolve(number)
    this.#known.set(number, known)
    return known
  }

  #resolve(number: number): Style {
    const chain: Definition[] = []
    for (let next = this.#definitions[number]; next !== undefined && chain.length < maxBases; next = this.#definitions[next.base]) chain.unshift(next)
    if (chain.length === 0) return plain
    const named = chain.map(({ name }) => styled(name))
    const own = chain.findLast(({ own }) => own >= headings.first && own <= headings.last)?.own ?? 0
    const heading = own > 0 ? own : chain.some((one) => one.own === title) ? 1 : (named.findLast((one) => one.heading > 0)?.heading ?? 0)
    return { heading, quote: named.some((one) => one.quote), paragraph: chain.flatMap((one) => one.paragraph), letters: chain.flatMap((one) => one.letters) }
  }
}

function definition(bytes: Buffer, size: number): Definition {
  const length = wordAt(bytes, size)
  const kind = wordAt(bytes, 2) & 0xf
  const formats: Buffer[] = []
  let at = size + 2 + length * 2 + 2
  for (let i = 0; i < (wordAt(bytes, 4) & 0xf) && at < bytes.length; i++) {
    const own = wordAt(bytes, at)
    formats.push(slice(bytes, at + 2, own))
    // Each starts at an even offset.
    at += 2 + own + (own % 2)
  }
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = formats
  return {
    name: slice(bytes, size + 2, length * 2).toString('utf16le'),
    own: wordAt(bytes, 0) & 0xfff,
    base: wordAt(bytes, 2) >> 4,
    paragraph: kind === kinds.paragraph ? changes(first.subarray(2)) : [],
    letters: kind === kinds.paragraph ? changes(second) : kind === kinds.letters ? changes(first) : [],
  }
}

/** A font, as far as it affects the meaning of letters. */
export interface Font {
  readonly name: string
  /** Whether it is monospaced. */
  readonly even: boolean
}

const maxFonts = 10_000
const pitch = { mask: 3, fixed: 1 }
const family = { mask: 0x70, modern: 0x30 }
/** Offset of a font's name in its description ([MS-DOC] 2.9.83). */
const nameAt = 40

/** The fonts of a file by index. */
export function fontsOf(table: Buffer): readonly Font[] {
  const fonts: Font[] = []
  let at = 4
  for (let i = 0; i < Math.min(wordAt(table, 0), maxFonts) && at < table.length; i++) {
    const length = byteAt(table, at) + 1
    const kind = byteAt(table, at + 1)
    const name = slice(table, at + nameAt, length - nameAt).toString('utf16le').split('\0', 1)[0] ?? ''
    fonts.push({ name, even: (kind & pitch.mask) === pitch.fixed && (kind & family.mask) === family.modern })
    at += length
  }
  return fonts
}
