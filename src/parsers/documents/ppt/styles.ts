import { longAt, wordAt } from '../compound.ts'
import type { Look } from '../html.ts'

/** The paragraph style of a range of text. */
export interface ParagraphRun {
  readonly length: number
  readonly level: number
  /** Undefined when the slide's design decides. */
  readonly bullet: boolean | undefined
}

/** The character style of a range of text. */
export interface LookRun {
  readonly length: number
  readonly look: Look
  /** The index of the text's numbering that applies here. */
  readonly numbering: number
}

/** How a numbered list starts. */
export interface Numbering {
  readonly start: number
}

/** Reads consecutive numbers; 0 beyond the end. */
class Cursor {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer | undefined) {
    this.#bytes = bytes ?? Buffer.alloc(0)
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  word(): number {
    return wordAt(this.#bytes, this.skip(2))
  }

  long(): number {
    return longAt(this.#bytes, this.skip(4))
  }

  skip(bytes: number): number {
    this.#at += bytes
    return this.#at - bytes
  }
}

type Fields = readonly (readonly [bits: number, bytes: number])[]

/**
 * Optional fields after the flags of a paragraph, by their bits in the mask (`TextPFException`), before and after the tab
 * stops.
 */
const paragraphFields: Fields = [[0x80, 2], [0x10, 2], [0x40, 2], [0x20, 4], [0x800, 2], [0x1000, 2], [0x2000, 2], [0x4000, 2], [0x100, 2], [0x400, 2], [0x8000, 2]]
const laterParagraphFields: Fields = [[0x1_0000, 2], [0xe_0000, 2], [0x20_0000, 2]]
const bulletBits = 0xf
const tabBit = 0x10_0000
const maxLevel = 8

/** The same for characters (`TextCFException`), up to the position. */
const lookFields: Fields = [[0x1_0000, 2], [0x20_0000, 2], [0x40_0000, 2], [0x80_0000, 2], [0x2_0000, 2], [0x4_0000, 4]]
const lookBits = 0xffff
const positionBit = 0x8_0000
const groupBits = 0x3c00

/** The same for the additions of later versions (`TextCFException9`, `TextSIException`). */
const languageFields: Fields = [[1, 2], [2, 2], [4, 2], [0x40, 2], [0x20, 4]]

const skipAll = (cursor: Cursor, mask: number, fields: Fields): void => fields.forEach(([bits, bytes]) => (mask & bits) !== 0 && cursor.skip(bytes))

function bulletOf(cursor: Cursor): boolean | undefined {
  const mask = cursor.long()
  const flags = (mask & bulletBits) === 0 ? 0 : cursor.word()
  skipAll(cursor, mask, paragraphFields)
  if ((mask & tabBit) !== 0) cursor.skip(4 * cursor.word())
  skipAll(cursor, mask, laterParagraphFields)
  return (mask & 1) === 0 ? undefined : (flags & 1) === 1
}

function lookOf(cursor: Cursor): Omit<LookRun, 'length'> {
  const mask = cursor.long()
  const flags = (mask & lookBits) === 0 ? 0 : cursor.word()
  skipAll(cursor, mask, lookFields)
  const position = (mask & positionBit) === 0 ? 0 : (cursor.word() << 16) >> 16
  const on = mask & flags
  return { look: { bold: (on & 1) !== 0, italic: (on & 2) !== 0, raised: position > 0, lowered: position < 0 }, numbering: (mask & groupBits) === 0 ? 0 : (flags & groupBits) >> 10 }
}

/**
 * The styles of a text of that many characters (`StyleTextPropAtom`): paragraphs first, then characters; both include the
 * mark after the last paragraph.
 */
export function textStyles(bytes: Buffer | undefined, characters: number): { readonly paragraphs: readonly ParagraphRun[]; readonly looks: readonly LookRun[] } {
  const paragraphs: ParagraphRun[] = []
  const looks: LookRun[] = []
  const cursor = new Cursor(bytes)
  for (let left = characters + 1; left > 0 && !cursor.atEnd; ) {
    const length = cursor.long()
    left -= length
    const run = { length, level: Math.min(cursor.word(), maxLevel), bullet: bulletOf(cursor) }
    if (length > 0) paragraphs.push(run)
  }
  for (let left = characters + 1; left > 0 && !cursor.atEnd; ) {
    const length = cursor.long()
    left -= length
    const run = { length, ...lookOf(cursor) }
    if (length > 0) looks.push(run)
  }
  return { paragraphs, looks }
}

/** Whether a master gives bullets to a text type, by level (`TextMasterStyleAtom`). */
export function masterBullets(bytes: Buffer, textType: number): (boolean | undefined)[] {
  const cursor = new Cursor(bytes)
  const levels = Math.min(cursor.word(), maxLevel + 1)
  return Array.from({ length: levels }, () => {
    if (textType >= 5) cursor.word()
    const bullet = bulletOf(cursor)
    lookOf(cursor)
    return bullet
  })
}

/** The numberings of a text (`StyleTextProp9Atom`), by the index that characters refer to; undefined for other entries. */
export function numberingsOf(bytes: Buffer | undefined): (Numbering | undefined)[] {
  const found: (Numbering | undefined)[] = []
  const cursor = new Cursor(bytes)
  const most = groupBits >> 10
  while (!cursor.atEnd && found.length <= most) {
    const mask = cursor.long()
    skipAll(cursor, mask, [[0x80_0000, 2]])
    const numbered = (mask & 0x200_0000) !== 0 && cursor.word() === 1
    const start = (mask & 0x100_0000) === 0 ? 1 : cursor.long() >>> 16
    found.push(numbered ? { start } : undefined)
    skipAll(cursor, cursor.long(), [[0x10_0000, 4]])
    const language = cursor.long()
    skipAll(cursor, language, languageFields)
    if ((language & 0x200) !== 0) cursor.skip(4 * cursor.long())
  }
  return found
}
