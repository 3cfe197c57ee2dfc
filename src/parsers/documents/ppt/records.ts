import { longAt, slice, wordAt } from '../compound.ts'
import { UnreadableDocument } from '../unreadable.ts'

/** Record types of a presentation ([MS-PPT], `RecordType`; those from 0xf000 on, for drawings, are of [MS-ODRAW]). */
export const types = {
  document: 0x03e8, documentAtom: 0x03e9, slide: 0x03ee, slideAtom: 0x03ef, notes: 0x03f0, environment: 0x03f2, slidePersist: 0x03f3, slideShowInfo: 0x03f9, externalObjects: 0x0409, drawing: 0x040c, formerFurniture: 0x0420, programInfo: 0x07d0,
  placeholder: 0x0bc3, outlineReference: 0x0f9e, textHeader: 0x0f9f, wideText: 0x0fa0, textStyle: 0x0fa1, masterStyle: 0x0fa3, text: 0x0fa8, laterStyle: 0x0fac, outlineStyles: 0x0fae, outlineStyleHeader: 0x0faf, string: 0x0fba,
  hyperlinkAtom: 0x0fd3, hyperlink: 0x0fd7, slideNumberField: 0x0fd8, linkPlace: 0x0fdf, slideList: 0x0ff0, link: 0x0ff2, linkAtom: 0x0ff3, edit: 0x0ff5, dateField: 0x0ff7, otherDateField: 0x0ff8, headerField: 0x0ff9, footerField: 0x0ffa, formattedDateField: 0x1015,
  tags: 0x1388, tag: 0x138a, tagData: 0x138b, directory: 0x1772,
  pictures: 0xf001, group: 0xf003, shape: 0xf004, pictureEntry: 0xf007, shapeAtom: 0xf00a, properties: 0xf00b, textbox: 0xf00d, placeInGroup: 0xf00f, ownData: 0xf011, moreProperties: 0xf122, drawingGroup: 0xf000, drawingOfGroup: 0x040b, drawingInSlide: 0xf002,
} as const

/** A record: its type, its instance (which distinguishes records of one type), and its body. */
export interface PptRecord {
  readonly type: number
  readonly instance: number
  readonly body: Buffer
}

const headBytes = 8
/** Limit of the records read and other work: a file that refers to itself must not cost more. */
const maxSteps = 2_500_000
/** Limit of the characters in all texts. */
const maxCharacters = 16_000_000

/** Reads records within the limits; throws `UnreadableDocument` beyond them. */
export class Walk {
  #steps = maxSteps
  #characters = maxCharacters

  /** Counts work that a file causes. */
  spend(steps: number, characters = 0): void {
    this.#steps -= steps
    this.#characters -= characters
    if (this.#steps < 0 || this.#characters < 0) throw new UnreadableDocument('too-large')
  }

  /** The record at an offset; its body is cut at the end of the stream. */
  at(stream: Buffer, offset: number): PptRecord | undefined {
    this.spend(1)
    if (offset + headBytes > stream.length) return undefined
    return { type: wordAt(stream, offset + 2), instance: wordAt(stream, offset) >> 4, body: slice(stream, offset + headBytes, longAt(stream, offset + 4)) }
  }

  /** The records inside another, in order. */
  *in(body: Buffer | undefined): Generator<PptRecord> {
    if (body === undefined) return
    for (let offset = 0; offset + headBytes <= body.length; ) {
      const record = this.at(body, offset)
      if (record === undefined) return
      yield record
      offset += headBytes + longAt(body, offset + 4)
    }
  }

  /** The records of some types. Each counts twice, because it is kept. */
  all(body: Buffer | undefined, ...wanted: readonly number[]): PptRecord[] {
    const found: PptRecord[] = []
    for (const record of this.in(body)) {
      if (!wanted.includes(record.type)) continue
      this.spend(1)
      found.push(record)
    }
    return found
  }

  /** The body at a path of types: the first record of each type inside the one before. */
  first(body: Buffer | undefined, ...path: readonly number[]): Buffer | undefined {
    let found = body
    for (const type of path) found = this.#firstIn(found, type)
    return found
  }

  #firstIn(body: Buffer | undefined, type: number): Buffer | undefined {
    for (const record of this.in(body)) if (record.type === type) return record.body
    return undefined
  }

  /** The data that a later version of the program attached to a record, by the version's name (`ProgTags`). */
  tagged(body: Buffer | undefined, name: string): Buffer | undefined {
    for (const { body: tag } of this.all(this.first(body, types.tags), types.tag)) {
      if (this.first(tag, types.string)?.toString('utf16le') === name) return this.first(tag, types.tagData)
    }
    return undefined
  }
}
