import { byteAt, longAt, wordAt } from '../compound.ts'
import { escapeHtml, flow, type Paragraph, type Pictures } from '../html.ts'
import { type PptRecord, types, type Walk } from './records.ts'
import { type Numbering, numberingsOf } from './styles.ts'
import { type Place, tableOf } from './table.ts'
import { numberMark, paragraphsOf, type PptText, type TextSetting, textsIn, textTypes } from './text.ts'
import { UnreadableDocument } from '../unreadable.ts'

/** What the shapes of a slide may refer to. */
export interface ShapeSetting extends TextSetting {
  /** Texts that are in the slide list instead of the drawing, and their numberings by text type. */
  readonly outline: readonly PptText[]
  readonly outlineNumberings: ReadonlyMap<number, readonly (Numbering | undefined)[]>
  readonly pictures: Pictures
  /** A picture by its index in the file: its kind and its bytes. */
  picture(number: number): { readonly kind: string; readonly bytes: Buffer | undefined }
}

/** The content of a slide. */
export interface SlideContent {
  readonly titles: readonly string[]
  /** The speaker's notes: the only content of a notes page. */
  readonly notes: string
  readonly html: string
}

/** Deepest nesting of groups; drawings nest only a few. */
const maxDepth = 60
/** Placeholders (`PlaceholderEnum`) on every slide (date, number, footer, header), and those of titles. */
const furniture: ReadonlySet<number> = new Set([7, 8, 9, 10])
const titlePlaceholders: ReadonlySet<number> = new Set([1, 3, 13, 15, 17])
const notesPlaceholders: ReadonlySet<number> = new Set([6, 12])
const slideImages: ReadonlySet<number> = new Set([5, 11])
const placeholderAt = 4
/** Shape flags (`OfficeArtFSP`): deleted shapes stay in the file. */
const deletedBit = 0x8
const flagsAt = 4
/** Shape properties (`OfficeArtFOPT`): picture index, text of WordArt, description, and whether it is a table. */
const properties = { picture: 0x104, lettering: 0xc0, description: 0x381, table: 0x39f }
const complexBit = 0x8000

interface Property {
  readonly value: number
  readonly text: string
}

/** The properties of a shape: fixed-size entries, followed by the data that does not fit into them. */
function propertiesOf(record: PptRecord | undefined): ReadonlyMap<number, Property> {
  const found = new Map<number, Property>()
  if (record === undefined) return found
  const { body, instance } = record
  let after = instance * 6
  for (let i = 0; i < instance && i * 6 + 6 <= body.length; i++) {
    const id = wordAt(body, i * 6)
    const value = longAt(body, i * 6 + 2)
    const isComplex = (id & complexBit) !== 0
    const name = id & 0x3fff
    const isText = name === properties.lettering || name === properties.description
    found.set(name, { value, text: isComplex && isText ? (body.subarray(after, after + (value & ~1)).toString('utf16le').split('\0', 1)[0] ?? '') : '' })
    if (isComplex) after += value
  }
  return found
}

interface Shape {
  readonly flags: number
  readonly own: ReadonlyMap<number, Property>
  readonly textbox: Buffer | undefined
  readonly data: Buffer | undefined
  readonly place: Place | undefined
  readonly placeholder: number
  readonly isTable: boolean
}

function shapeOf(body: Buffer, walk: Walk): Shape {
  const records = new Map<number, PptRecord>()
  for (const record of walk.in(body)) if (!records.has(record.type)) records.set(record.type, record)
  const data = records.get(types.ownData)?.body
  const place = records.get(types.placeInGroup)?.body
  const formerly = walk.first(data, types.formerFurniture)
  const placeholder = walk.first(data, types.placeholder)
  return {
    flags: longAt(records.get(types.shapeAtom)?.body ?? Buffer.alloc(0), flagsAt),
    own: propertiesOf(records.get(types.properties)),
    textbox: records.get(types.textbox)?.body,
    data,
    place: place === undefined || place.length < 16 ? undefined : { left: place.readInt32LE(0), top: place.readInt32LE(4), right: place.readInt32LE(8), bottom: place.readInt32LE(12) },
    placeholder: formerly === undefined ? byteAt(placeholder ?? Buffer.alloc(0), placeholderAt) : byteAt(formerly, 0),
    isTable: ((propertiesOf(records.get(types.moreProperties)).get(properties.table)?.value ?? 0) & 1) === 1,
  }
}

/** The text of a shape, wherever the file keeps it, with the numberings of its lists. */
function textOf(shape: Shape, setting: ShapeSetting): { readonly text: PptText; readonly paragraphs: Paragraph[] } | undefined {
  const { walk, outline, outlineNumberings } = setting
  const reference = walk.first(shape.textbox, types.outlineReference)
  const referred = reference === undefined ? undefined : outline[longAt(reference, 0)]
  const [text] = textsIn(walk.in(shape.textbox), walk, referred)
  if (text === undefined) return undefined
  const own = walk.first(walk.tagged(shape.data, '___PPT9'), types.laterStyle)
  const numberings = own === undefined && referred !== undefined ? outlineNumberings.get(text.type) : numberingsOf(own)
  return { text, paragraphs: paragraphsOf(text, setting, numberings ?? []) }
}

/** Reads the drawing of a slide, in order. Throws `UnreadableDocument` when it nests too deeply. */
export function readShapes(drawing: Buffer | undefined, setting: ShapeSetting): SlideContent {
  const titles: string[] = []
  let notes = ''
  const { walk } = setting

  const shapeHtml = (body: Buffer): string => {
    const shape = shapeOf(body, walk)
    if ((shape.flags & deletedBit) !== 0 || furniture.has(shape.placeholder) || slideImages.has(shape.placeholder)) return ''
    const content = textOf(shape, setting)
    const type = content?.text.type
    if (content !== undefined && (titlePlaceholders.has(shape.placeholder) || type === textTypes.title || type === textTypes.centredTitle)) {
      titles.push(content.paragraphs.map(({ html }) => html).join(' '))
      return ''
    }
    if (content !== undefined && (notesPlaceholders.has(shape.placeholder) || type === textTypes.notes)) {
      notes += flow(content.paragraphs)
      return ''
    }
    if (content?.text.text === numberMark) return ''
    const lettering = shape.own.get(properties.lettering)?.text ?? ''
    return pictureHtml(shape, setting) + (lettering === '' ? '' : `<p>${escapeHtml(lettering)}</p>\n`) + flow(content?.paragraphs ?? [])
  }

  const groupHtml = (body: Buffer, depth: number): string => {
    if (depth > maxDepth) throw new UnreadableDocument('broken')
    const parts = walk.all(body, types.shape, types.group)
    const isTable = parts[0]?.type === types.shape && shapeOf(parts[0].body, walk).isTable
    return (isTable ? tableHtml(parts, setting) : undefined) ?? parts.map((one) => (one.type === types.group ? groupHtml(one.body, depth + 1) : shapeHtml(one.body))).join('')
  }

  const root = walk.first(drawing, types.drawingInSlide, types.group)
  const html = root === undefined ? '' : groupHtml(root, 0)
  return { titles: titles.filter((title) => title.trim() !== ''), notes, html }
}

/** A group that is a table: cells by position, among lines. Undefined when the group has other content. */
function tableHtml(parts: readonly PptRecord[], setting: ShapeSetting): string | undefined {
  if (parts.some(({ type }) => type === types.group)) return undefined
  const cells = parts.map((one) => shapeOf(one.body, setting.walk)).filter(({ textbox }) => textbox !== undefined)
  const placed = cells.flatMap((cell) => (cell.place === undefined ? [] : [{ ...cell.place, html: (textOf(cell, setting)?.paragraphs ?? []).map(({ html }) => html).join('<br>') }]))
  return placed.length < cells.length ? undefined : tableOf(placed)
}

function pictureHtml({ own }: Shape, { pictures, picture }: ShapeSetting): string {
  const number = own.get(properties.picture)?.value ?? 0
  if (number === 0) return ''
  const { kind, bytes } = picture(number)
  const html = pictures.html(kind, bytes, own.get(properties.description)?.text ?? '')
  return html === '' ? '' : `<p>${html}</p>\n`
}
