import { longAt, streamsOf, type Streams, summaryOf, wordAt } from '../compound.ts'
import type { Converted } from '../converted.ts'
import { Pictures } from '../html.ts'
import { openPpt, type PptFile } from './file.ts'
import { designsOf } from './designs.ts'
import { type PptRecord, types, type Walk } from './records.ts'
import { readShapes, type ShapeSetting, type SlideContent } from './shapes.ts'
import { type Numbering, numberingsOf } from './styles.ts'
import { type PptText, textsIn } from './text.ts'

/** Instances of the lists of slides and notes pages. */
const lists = { slides: 0, notes: 2 }
/** Offsets in a list entry (`SlidePersistAtom`): the persist id, and the slide id that others refer to. */
const persist = { part: 0, slide: 12 }
/**
 * Offsets in a slide: the ids of its master and its notes (`SlideAtom`), and its flags, with the bit of a hidden one
 * (`SlideShowSlideInfoAtom`).
 */
const slideFields = { master: 12, notes: 16 }
const showFlagsAt = 10
const hiddenBit = 4
const firstNumberAt = 32

interface Entry {
  readonly part: number
  readonly slide: number
  /** Its texts that are in the list instead of the drawing. */
  readonly texts: PptRecord[]
}

function entriesOf({ walk, document }: PptFile, list: number): Entry[] {
  const entries: Entry[] = []
  const body = walk.all(document, types.slideList).find(({ instance }) => instance === list)?.body
  for (const record of walk.in(body)) {
    walk.spend(1)
    if (record.type === types.slidePersist) entries.push({ part: longAt(record.body, persist.part), slide: longAt(record.body, persist.slide), texts: [] })
    else entries.at(-1)?.texts.push(record)
  }
  return entries
}

/** Link targets by id (`ExHyperlinkContainer`). */
function targetsOf({ walk, document }: PptFile): ReadonlyMap<number, string> {
  const targets = new Map<number, string>()
  for (const { body } of walk.all(walk.first(document, types.externalObjects), types.hyperlink)) {
    const strings = new Map(walk.all(body, types.string).map(({ instance, body: text }) => [instance, text.toString('utf16le')]))
    const place = strings.get(3) ?? ''
    targets.set(longAt(walk.first(body, types.hyperlinkAtom) ?? Buffer.alloc(0), 0), (strings.get(1) ?? '') + (place === '' ? '' : `#${place}`))
  }
  return targets
}

/** Record types of pictures that browsers can show (`OfficeArtBlip`). */
const pictureKinds: ReadonlyMap<number, string> = new Map([[0xf01d, 'jpeg'], [0xf02a, 'jpeg'], [0xf01e, 'png']])
const pictureAt = 28

function picturesOf({ walk, document }: PptFile, stream: Buffer): ShapeSetting['picture'] {
  const entries = walk.all(walk.first(document, types.drawingOfGroup, types.drawingGroup, types.pictures), types.pictureEntry)
  return (number) => {
    const entry = entries[number - 1]
    const picture = entry === undefined ? undefined : walk.at(stream, longAt(entry.body, pictureAt))
    // With an odd instance, two ids precede the picture.
    return { kind: pictureKinds.get(picture?.type ?? 0) ?? '', bytes: picture?.body.subarray((picture.instance & 1) === 1 ? 33 : 17) }
  }
}

/** Numberings of texts in the slide list, by slide and text type (`OutlineTextProps9Container`). */
function outlineNumberings({ walk, document }: PptFile): ReadonlyMap<number, ReadonlyMap<number, readonly (Numbering | undefined)[]>> {
  const found = new Map<number, Map<number, readonly (Numbering | undefined)[]>>()
  let header: Buffer = Buffer.alloc(0)
  for (const { type, body } of walk.in(walk.first(walk.tagged(walk.first(document, types.programInfo), '___PPT9'), types.outlineStyles))) {
    if (type === types.outlineStyleHeader) header = body
    else if (type === types.laterStyle) {
      const slide = longAt(header, 0)
      found.set(slide, (found.get(slide) ?? new Map()).set(longAt(header, 4), numberingsOf(body)))
    }
  }
  return found
}

/**
 * Reads a presentation of PowerPoint 97 to 2003: slides in order, with titles as headings, lists, tables, pictures and
 * speaker's notes. Throws `UnreadableDocument`.
 */
export async function readPpt(bytes: Uint8Array): Promise<Converted> {
  const streams = await streamsOf(bytes)
  const file = openPpt(streams)
  const pictures = new Pictures()
  const { slides, hidden, missing } = slidesOf(file, streams, pictures)
  const warnings = [
    ...(hidden === 0 ? [] : [`Hidden slides are left out (${hidden}).`]),
    ...(missing === 0 ? [] : [`Slides that the file does not hold whole are left out (${missing}).`]),
    ...pictures.warnings(),
  ]
  return { html: slides.filter((html) => html.trim() !== '').join('<hr>\n'), metadata: summaryOf(streams), warnings }
}

function slidesOf(file: PptFile, streams: Streams, pictures: Pictures): { readonly slides: readonly string[]; readonly hidden: number; readonly missing: number } {
  const { walk, document } = file
  const designs = designsOf(file)
  const notes = new Map(entriesOf(file, lists.notes).map((entry) => [entry.slide, entry]))
  const firstNumber = wordAt(walk.first(document, types.documentAtom) ?? Buffer.alloc(0), firstNumberAt)
  const shared = { walk, pictures, targets: targetsOf(file), picture: picturesOf(file, streams.get('Pictures') ?? Buffer.alloc(0)) }
  const numberings = outlineNumberings(file)
  const slides: string[] = []
  let hidden = 0
  let missing = 0
  for (const [i, entry] of entriesOf(file, lists.slides).entries()) {
    const slide = file.part(entry.part)
    if (slide?.type !== types.slide) {
      missing++
      continue
    }
    if ((wordAt(walk.first(slide.body, types.slideShowInfo) ?? Buffer.alloc(0), showFlagsAt) & hiddenBit) !== 0) {
      hidden++
      continue
    }
    const atom = walk.first(slide.body, types.slideAtom) ?? Buffer.alloc(0)
    const setting = { ...shared, slideNumber: firstNumber + i, bullet: designs(longAt(atom, slideFields.master)) }
    const content = contentOf(slide.body, { ...setting, outline: outlineOf(entry, walk), outlineNumberings: numberings.get(entry.slide) ?? new Map() })
    const page = notes.get(longAt(atom, slideFields.notes))
    const noted = page === undefined ? undefined : file.part(page.part)
    const below = noted?.type === types.notes ? contentOf(noted.body, { ...setting, bullet: () => false, outline: outlineOf(page, walk), outlineNumberings: new Map() }) : undefined
    const said = below?.notes || below?.html || ''
    slides.push(content.titles.map((title) => `<h2>${title}</h2>\n`).join('') + content.html + content.notes + (said === '' ? '' : `<blockquote>${said}</blockquote>\n`))
  }
  return { slides, hidden, missing }
}

const outlineOf = (entry: Entry | undefined, walk: Walk): PptText[] => textsIn(entry?.texts ?? [], walk)
const contentOf = (body: Buffer, setting: ShapeSetting): SlideContent => readShapes(setting.walk.first(body, types.drawing), setting)
