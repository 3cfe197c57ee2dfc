import { byteAt, longAt, slice, wordAt } from '../compound.ts'
import type { Look } from '../html.ts'
import type { Place } from '../text-body.ts'
import { type Change, changes } from './formats.ts'
import type { Font, Style, Styles } from './styles.ts'

/** The codes of the changes that matter here ([MS-DOC] 2.6). */
const codes = {
  deleted: 0x0800, bold: 0x0835, italic: 0x0836, strike: 0x0837, hidden: 0x083c, special: 0x0855, struckTwice: 0x2a53, raised: 0x2a48, style: 0x4a30, font: 0x4a4f, symbol: 0x6a09,
  inTable: 0x2416, rowEnd: 0x2417, level: 0x260a, outline: 0x2640, headRow: 0x3404, indentFirst: 0x8411, indentFirstNew: 0x8460, list: 0x460b, depth: 0x6649, indent: 0x840f, indentNew: 0x845e, table: 0xd608, merge: 0xd62b,
}
/** Changes that refer to a paragraph format in another stream, because it is too large. */
const hugeParagraph: ReadonlySet<number> = new Set([0x6645, 0x6646])

/** The look of a text run, and whether it is shown. */
export interface Letters extends Look {
  readonly hidden: boolean
  /** Whether special characters among the letters stand for something other than text. */
  readonly special: boolean
  readonly font: string
  /** The character of a symbol font that replaces all letters. */
  readonly symbol: number | undefined
}

interface State {
  readonly bold: boolean
  readonly italic: boolean
  readonly strike: boolean
  readonly hidden: boolean
  readonly deleted: boolean
  readonly special: boolean
  readonly shift: number
  readonly font: number
  readonly symbol: { readonly font: number; readonly code: number } | undefined
}

const plain: State = { bold: false, italic: false, strike: false, hidden: false, deleted: false, special: false, shift: 0, font: -1, symbol: undefined }

/** The look of letters in a paragraph with a style: bold and italic toggle the style's. */
export function lettersOf(format: Buffer, style: Style, styles: Styles, fonts: readonly Font[]): Letters {
  const base = style.letters.reduce((state, change) => changed(state, change, plain), plain)
  const own = changes(format).flatMap((change) => (change.code === codes.style ? styles.of(wordAt(change.value, 0)).letters : [change]))
  const state = own.reduce((state, change) => changed(state, change, base), base)
  const font = fonts[state.symbol?.font ?? state.font]
  return {
    bold: state.bold && !base.bold,
    italic: state.italic && !base.italic,
    strike: state.strike,
    raised: state.shift === 1,
    lowered: state.shift === 2,
    code: font?.even === true,
    hidden: state.hidden || state.deleted,
    special: state.special,
    font: font?.name ?? '',
    symbol: state.symbol?.code,
  }
}

function changed(state: State, { code, value }: Change, base: State): State {
  if (code === codes.bold) return { ...state, bold: toggled(value, base.bold) }
  if (code === codes.italic) return { ...state, italic: toggled(value, base.italic) }
  if (code === codes.strike) return { ...state, strike: toggled(value, base.strike) }
  if (code === codes.struckTwice) return { ...state, strike: byteAt(value, 0) !== 0 }
  if (code === codes.hidden) return { ...state, hidden: toggled(value, base.hidden) }
  if (code === codes.deleted) return { ...state, deleted: byteAt(value, 0) !== 0 }
  if (code === codes.special) return { ...state, special: byteAt(value, 0) !== 0 }
  if (code === codes.raised) return { ...state, shift: byteAt(value, 0) }
  if (code === codes.font) return { ...state, font: wordAt(value, 0) }
  // The code is in the private use area, or that of the font.
  if (code === codes.symbol) return { ...state, symbol: { font: wordAt(value, 0), code: wordAt(value, 2) & 0xff } }
  return state
}

/** [MS-DOC] 2.9.327: on, off, as in the style, or the opposite of the style. */
function toggled(value: Buffer, styled: boolean): boolean {
  const says = byteAt(value, 0)
  return says === 0x80 ? styled : says === 0x81 ? !styled : says !== 0
}

/** The properties of a paragraph. */
export interface ParagraphLook {
  readonly style: Style
  readonly heading: number
  readonly inTable: boolean
  /** Whether its mark ends a table row. */
  readonly endsRow: boolean
  /** The number of its list; 0 for none. */
  readonly list: number
  readonly level: number
  readonly left: number
  readonly first: number
  readonly headRow: boolean
  /** The cells of the row that it ends. */
  readonly places: readonly Place[]
}

const signed = (value: Buffer): number => ((wordAt(value, 0) + 0x8000) & 0xffff) - 0x8000

/**
 * The properties of a paragraph by its format: the id of a style, then the changes. `data` has formats that are too long.
 */
export function paragraphOf(format: Buffer, styles: Styles, data: Buffer): ParagraphLook {
  const style = styles.of(wordAt(format, 0))
  const own = changes(format.subarray(2)).flatMap((change) => (hugeParagraph.has(change.code) ? hugeFormat(data, longAt(change.value, 0)) : [change]))
  const all = [...style.paragraph, ...own]
  const last = (...wanted: readonly number[]): Buffer | undefined => all.findLast(({ code }) => wanted.includes(code))?.value
  const flag = (code: number): boolean => byteAt(last(code) ?? Buffer.alloc(1), 0) !== 0
  const outline = last(codes.outline)?.[0] ?? 9
  const depth = longAt(last(codes.depth) ?? Buffer.alloc(4), 0)
  return {
    style,
    heading: style.heading || (outline < 6 ? outline + 1 : 0),
    inTable: flag(codes.inTable) || depth > 0,
    endsRow: flag(codes.rowEnd) && depth < 2,
    list: wordAt(last(codes.list) ?? Buffer.alloc(2), 0),
    level: last(codes.level)?.[0] ?? 0,
    left: signed(last(codes.indent, codes.indentNew) ?? Buffer.alloc(2)),
    first: signed(last(codes.indentFirst, codes.indentFirstNew) ?? Buffer.alloc(2)),
    headRow: flag(codes.headRow),
    places: placesOf(last(codes.table), all),
  }
}

function hugeFormat(data: Buffer, at: number): readonly Change[] {
  return changes(slice(data, at + 2, wordAt(data, at)))
}

/** Bytes of the structure TC80 of [MS-DOC], and the bits for vertical merging. */
const cellSize = 20
const merged = { shift: 5, mask: 3, on: 1 }

function placesOf(definition: Buffer | undefined, all: readonly Change[]): readonly Place[] {
  if (definition === undefined) return []
  const count = byteAt(definition, 0)
  const later = new Map(all.filter(({ code }) => code === codes.merge).map(({ value }) => [byteAt(value, 0), byteAt(value, 1)]))
  return Array.from({ length: count }, (_, i) => {
    const bits = wordAt(definition, 1 + (count + 1) * 2 + i * cellSize)
    const merge = later.get(i) ?? (bits >> merged.shift) & merged.mask
    return { edge: signed(slice(definition, 1 + (i + 1) * 2, 2)), continues: merge === merged.on }
  })
}
