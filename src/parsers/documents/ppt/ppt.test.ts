import { CFB } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../read.ts'

type Bytes = Buffer | readonly Buffer[]

/** A record of a presentation; a container if it consists of records. */
function record(type: number, body: Bytes = Buffer.alloc(0), instance = 0): Buffer {
  const inner = Buffer.isBuffer(body) ? body : Buffer.concat(body)
  const head = Buffer.alloc(8)
  head.writeUInt16LE((instance << 4) | (Buffer.isBuffer(body) ? 0 : 15), 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(inner.length, 4)
  return Buffer.concat([head, inner])
}
const longs = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
const words = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le')

const header = (type: number): Buffer => record(0x0f9f, longs(type))
const latin = (text: string): Buffer => record(0x0fa8, Buffer.from(text, 'latin1'))
const unicode = (text: string): Buffer => record(0x0fa0, wide(text))
/**
 * A paragraph run of a text, with or without a bullet; below, a character run with the bits for bold (1) and italic
 * (2).
 */
const paragraph = (length: number, level: number, bullet: 0 | 1): Buffer => Buffer.concat([longs(length), words(level), longs(1), words(bullet)])
const look = (length: number, style: number): Buffer => Buffer.concat([longs(length), longs(3), words(style)])
const styled = (...runs: readonly Buffer[]): Buffer => record(0x0fa1, Buffer.concat(runs))

interface ShapeParts {
  readonly text?: readonly Buffer[]
  readonly placeholder?: number
  readonly flags?: number
  readonly more?: readonly Buffer[]
}
const shape = ({ text, placeholder, flags = 0, more = [] }: ShapeParts): Buffer =>
  record(0xf004, [
    record(0xf00a, longs(1, flags)),
    ...more,
    ...(placeholder === undefined ? [] : [record(0xf011, [record(0x0bc3, Buffer.from([0, 0, 0, 0, placeholder, 0, 0, 0]))])]),
    ...(text === undefined ? [] : [record(0xf00d, text)]),
  ])
const group = (...shapes: readonly Buffer[]): Buffer => record(0xf003, shapes)
const drawing = (...shapes: readonly Buffer[]): Buffer => record(0x040c, [record(0xf002, [group(shape({}), ...shapes)])])
const slide = (shapes: readonly Buffer[], more: { readonly hidden?: boolean; readonly notes?: number; readonly master?: number } = {}): Buffer =>
  record(0x03ee, [record(0x03ef, longs(0, 0, 0, more.master ?? 0, more.notes ?? 0, 0)), ...(more.hidden === true ? [record(0x03f9, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0]))] : []), drawing(...shapes)])
const box = (text: string): Buffer => shape({ text: [header(4), latin(text)] })
/** The entry of a part in a list of a document (0 slides, 1 masters, 2 notes). */
const entry = (part: number, id = part + 255): Buffer => record(0x03f3, longs(part, 0, 0, id, 0))
const list = (instance: number, ...records: readonly Buffer[]): Buffer => record(0x0ff0, records, instance)
const documentOf = (...records: readonly Buffer[]): Buffer => record(0x03e8, [record(0x03e9, Buffer.concat([Buffer.alloc(32), words(1, 0, 0, 0)])), ...records])

/** The parts of a save by their numbers; 1 is the document. Saves follow one another. */
type Save = Readonly<Record<number, Buffer>>

function streamOf(saves: readonly Save[], lock: readonly number[] = []): { readonly stream: Buffer; readonly edit: number } {
  let stream = Buffer.alloc(0)
  let edit = 0
  const add = (bytes: Buffer): number => {
    stream = Buffer.concat([stream, bytes])
    return stream.length - bytes.length
  }
  for (const save of saves) {
    const rows = Object.entries(save).map(([id, bytes]) => longs(Number(id) | (1 << 20), add(bytes)))
    const directory = add(record(0x1772, Buffer.concat(rows)))
    edit = add(record(0x0ff5, longs(0, 0, edit, directory, 1, 100, 1, ...lock)))
  }
  return { stream, edit }
}

function fileOf(streams: Readonly<Record<string, Buffer>>): Uint8Array {
  const file = CFB.utils.cfb_new()
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, bytes)
  return CFB.write(file, { type: 'buffer' }) as Uint8Array // the type of that output
}
const user = (edit: number, mark = 0xe391c05f): Buffer => record(0x0ff6, longs(20, mark, edit, 0, 0))
function file(saves: readonly Save[], more: Readonly<Record<string, Buffer>> = {}): Uint8Array {
  const { stream, edit } = streamOf(saves)
  return fileOf({ 'Current User': user(edit), 'PowerPoint Document': stream, ...more })
}
/** A presentation with these slides as the parts 2, 3 and so on. */
const deck = (slides: readonly Buffer[], ...more: readonly Buffer[]): Save => Object.fromEntries([documentOf(...more, list(0, ...slides.map((_, i) => entry(i + 2)))), ...slides].map((bytes, i) => [i + 1, bytes]))

async function outcome(bytes: Uint8Array): Promise<string> {
  const reply = await readDocument(bytes)
  return 'problem' in reply ? reply.problem : [reply.converted.html.trim().replaceAll('\n', ''), ...reply.converted.warnings].join(' | ')
}

describe('a presentation of PowerPoint 97 to 2003', () => {
  it('contains text in both widths, bold and italic, and lists by level and line', async () => {
    const body = [header(1), latin('One\rTwo \xfc\r\x93plain'), styled(paragraph(4, 0, 1), paragraph(6, 1, 1), paragraph(7, 0, 0), look(1, 1), look(1, 2), look(15, 0))]
    const shapes = [shape({ text: body, placeholder: 14 }), shape({ text: [header(0), unicode('Ebbe\v& Flut')], placeholder: 13 })]
    expect(await outcome(file([deck([slide(shapes)])]))).toBe('<h2>Ebbe<br>&amp; Flut</h2><ul><li><strong>O</strong><em>n</em>e<ul><li>Two ü</li></ul></li></ul><p>“plain</p>')
  })

  it('contains the texts in its slide list, numbered where declared, with bullets from the master', async () => {
    const master = record(0x03f8, [record(0x0fa3, Buffer.concat([words(1), longs(1), words(1), longs(0)]), 1), record(0x0fa3, Buffer.concat([words(1), words(0), longs(1), words(0), longs(0)]), 5), drawing(box('Click to edit'))])
    const numbers = record(0x0fae, [record(0x0faf, longs(300, 1)), record(0x0fac, Buffer.concat([longs(0x300_0000), words(1, 3, 4), longs(0, 0)]))])
    const info = record(0x07d0, [record(0x1388, [record(0x138a, [record(0x0fba, wide('___PPT9')), record(0x138b, numbers)])])])
    const slides = list(0, entry(2, 300), header(0), latin('First'), header(1), latin('a\rb'), entry(3, 301), header(6), latin('Second'), header(5), latin('below'), header(1), latin('c'))
    const refer = (...index: readonly number[]): Buffer => slide(index.map((i) => shape({ text: [record(0x0f9e, longs(i))] })), { master: 900 })
    const save = { 1: documentOf(info, list(1, entry(4, 900)), slides), 2: refer(0, 1), 3: refer(0, 1, 2), 4: master }
    expect(await outcome(file([save]))).toBe('<h2>First</h2><ol start="4"><li>a</li><li>b</li></ol><hr><h2>Second</h2><p>below</p><ul><li>c</li></ul>')
  })

  it('is read as it was last saved, in the order of its slide list', async () => {
    const first = deck([slide([box('old')]), slide([box('kept')]), slide([box('removed')])])
    expect(await outcome(file([first]))).toBe('<p>old</p><hr><p>kept</p><hr><p>removed</p>')
    expect(await outcome(file([first, { 2: slide([box('new')]) }]))).toBe('<p>new</p><hr><p>kept</p><hr><p>removed</p>')
    expect(await outcome(file([first, { 2: slide([box('new')]) }, { 1: documentOf(list(0, entry(3), entry(2))) }]))).toBe('<p>kept</p><hr><p>new</p>')
  })

  it('omits hidden slides, and reports them and missing ones', async () => {
    const save = { ...deck([slide([box('shown')]), slide([box('secret')], { hidden: true })]) }
    expect(await outcome(file([save]))).toBe('<p>shown</p> | Hidden slides are left out (1).')
    expect(await outcome(file([{ ...save, 1: documentOf(list(0, entry(2), entry(77))) }]))).toBe('<p>shown</p> | Slides that the file does not hold whole are left out (1).')
  })

  it('contains the speaker notes below the slide, without what repeats on every page', async () => {
    const page = record(0x03f0, [record(0x03f1, longs(300, 0)), drawing(shape({ placeholder: 11 }), shape({ text: [header(2), latin('Say\rthis')], placeholder: 12 }), shape({ text: [header(4), latin('Header')], placeholder: 10 }), box('beside'))])
    const save = { 1: documentOf(list(0, entry(2, 300)), list(2, entry(3, 500))), 2: slide([box('Slide')], { notes: 500 }), 3: page }
    expect(await outcome(file([save]))).toBe('<p>Slide</p><blockquote><p>Say</p><p>this</p></blockquote>')
  })

  it('contains no dates, footers, deleted shapes or standalone slide numbers; numbers in a text are those of the slide', async () => {
    const star = (...before: readonly Buffer[]): Buffer => shape({ text: [header(4), ...before] })
    const former = record(0xf011, [record(0x0420, Buffer.from([9]))])
    const shapes = [shape({ text: [header(4), latin('7 May')], placeholder: 7 }), shape({ text: [header(4), latin('Confidential')], more: [former] }), shape({ text: [header(4), latin('gone')], flags: 8 }), star(latin('*'), record(0x0fd8, longs(0))), star(latin('Slide * of many'), record(0x0fd8, longs(6))), star(latin('* here'), record(0x0ff7, longs(0, 0)))]
    expect(await outcome(file([deck([slide([box('one')]), slide(shapes)])]))).toBe('<p>one</p><hr><p>Slide 2 of many</p><p> here</p>')
  })

  it('contains external links, and the text of groups and WordArt', async () => {
    const address = (id: number, ...strings: readonly (readonly [number, string])[]): Buffer => record(0x0fd7, [record(0x0fd3, longs(id)), ...strings.map(([kind, text]) => record(0x0fba, wide(text), kind))])
    const objects = record(0x0409, [address(1, [0, 'Tides'], [1, 'https://tides.example/a'], [3, 'low']), address(2, [1, 'javascript:alert(1)']), address(3, [3, '256,1,Slide 1'])])
    const to = (id: number, from: number, end: number, on = 0): readonly Buffer[] => [record(0x0ff2, [record(0x0ff3, longs(0, id, 4, 0))], on), record(0x0fdf, longs(from, end), on)]
    const text = shape({ text: [header(4), latin('see tides or pier <b>'), ...to(1, 4, 9), ...to(2, 13, 17), ...to(3, 0, 3), ...to(1, 13, 17, 1)] })
    const lettering = shape({ more: [record(0xf00b, Buffer.concat([words(0x80c0), longs(10), wide('Waves')]), 1)] })
    const deep = group(shape({}), group(shape({}), box('within')), lettering)
    expect(await outcome(file([deck([slide([text, deep])], objects)]))).toBe('<p>see <a href="https://tides.example/a#low">tides</a> or pier &lt;b&gt;</p><p>within</p><p>Waves</p>')
  })

  it('contains pictures that browsers show, with their descriptions; others are counted', async () => {
    const blip = (type: number, instance: number, uids: number): Buffer => record(type, Buffer.concat([Buffer.alloc(uids * 16 + 1), Buffer.from('data')]), instance)
    const stream = [blip(0xf01e, 0x6e0, 1), blip(0xf01d, 0x46b, 2), blip(0xf01a, 0x3d4, 1)]
    const starts = stream.map((_, i) => Buffer.concat(stream.slice(0, i)).length)
    const entries = starts.map((start) => record(0xf007, Buffer.concat([Buffer.alloc(28), longs(start, 0)]), 6))
    const pictures = record(0x040b, [record(0xf000, [record(0xf001, entries)])])
    const show = (number: number, alt = ''): Buffer => shape({ more: [record(0xf00b, Buffer.concat([words(0x4104), longs(number), words(0x8381), longs(alt.length * 2), wide(alt)]), 2)] })
    const save = deck([slide([show(1, 'A "map"'), show(2), show(3, 'A drawing'), show(9)])], pictures)
    const warning = 'Pictures that are large, or of a kind that browsers do not show, are left out (2).'
    expect(await outcome(file([save], { Pictures: Buffer.concat(stream) }))).toBe(`<p><img alt="A &quot;map&quot;" src="data:image/png;base64,ZGF0YQ=="></p><p><img alt="" src="data:image/jpeg;base64,ZGF0YQ=="></p><p><em>A drawing</em></p> | ${warning}`)
  })

  it('contains tables by the positions of their cells; other shapes keep their text', async () => {
    const cell = (text: string, ...place: readonly number[]): Buffer => shape({ text: [header(4), latin(text)], more: [record(0xf00f, longs(...place))] })
    const table = (...cells: readonly Buffer[]): Buffer => group(shape({ more: [record(0xf122, Buffer.concat([words(0x39f), longs(1)]), 1)] }), ...cells)
    const line = shape({ more: [record(0xf00f, longs(0, 0, 500, 0))] })
    const whole = table(cell('Pier', 0, 0, 100, 50), cell('low', 101, 100, 200, 150), cell('Height', 100, 0, 300, 51), cell('old\rnorth', 0, 50, 99, 150), cell('high', 200, 50, 300, 150), line)
    const over = table(cell('over', 0, 0, 100, 50), cell('each', 50, 0, 100, 50), cell('other', 0, 0, 100, 50))
    expect(await outcome(file([deck([slide([whole, over])])]))).toBe('<table><thead><tr><th>Pier</th><th colspan="2">Height</th></tr></thead><tbody><tr><td rowspan="2">old<br>north</td><td></td><td rowspan="2">high</td></tr><tr><td>low</td></tr></tbody></table><p>over</p><p>each</p><p>other</p>')
  })
})

describe('a damaged presentation', () => {
  const save = deck([slide([box('text')])])

  it('is recognized as encrypted by each possible sign', async () => {
    const { stream, edit } = streamOf([save])
    expect(await outcome(fileOf({ 'Current User': user(edit, 0xf3d1c4df), 'PowerPoint Document': stream }))).toBe('encrypted')
    expect(await outcome(file([save], { EncryptedSummary: Buffer.from('x') }))).toBe('encrypted')
    const locked = streamOf([save], [7])
    expect(await outcome(fileOf({ 'Current User': user(locked.edit), 'PowerPoint Document': locked.stream }))).toBe('encrypted')
  })

  it('is broken without a document, which is found even if only the last edit does not name it', async () => {
    const { stream } = streamOf([save])
    expect(await outcome(fileOf({ 'PowerPoint Document': Buffer.from('text') }))).toBe('broken')
    expect(await outcome(fileOf({ 'Current User': user(0), 'PowerPoint Document': stream.subarray(0, stream.length - 40) }))).toBe('broken')
    expect(await outcome(fileOf({ 'PowerPoint Document': stream }))).toBe('<p>text</p>')
  })

  it('is read to the end even if edits refer to each other', async () => {
    const { stream, edit } = streamOf([save])
    stream.writeUInt32LE(edit, edit + 8 + 8)
    expect(await outcome(fileOf({ 'Current User': user(edit), 'PowerPoint Document': stream }))).toBe('<p>text</p>')
  })

  it('is read as far as possible if records declare more than there is', async () => {
    const long = slide([box('text')])
    for (let at = 0; at + 8 < long.length; at++) {
      const lying = Buffer.from(long)
      lying.writeUInt32LE(0xffff_fff0, at)
      expect(await outcome(file([deck([lying])]))).not.toMatch(/crash|too-large/)
    }
    expect(await outcome(file([deck([slide([shape({ text: [header(4), latin('x'), styled(longs(0xffff_ffff), words(0xffff), longs(0xffff_ffff, 0xffff_ffff))] })])])]))).toBe('<ul><li>x</li></ul>')
  })

  it('is refused if groups nest endlessly, or parts would be read over and over', { timeout: 20_000 }, async () => {
    let nested = box('deep')
    for (let i = 0; i < 2_000; i++) nested = group(nested)
    expect(await outcome(file([deck([slide([nested])])]))).toBe('broken')
    const heavy = slide([box('x'.repeat(100_000))])
    expect(await outcome(file([{ 1: documentOf(list(0, ...Array.from({ length: 1_000 }, () => entry(2)))), 2: heavy }]))).toBe('too-large')
    const wide = slide([shape({ text: [Buffer.alloc(8_000_000)] })])
    expect(await outcome(file([{ 1: documentOf(list(0, entry(2), entry(2), entry(2))), 2: wide }]))).toBe('too-large')
  })

  it('is read if it has a million empty records', { timeout: 20_000 }, async () => {
    expect(await outcome(file([{ ...save, 9: Buffer.alloc(8_000_000) }]))).toBe('<p>text</p>')
    expect(await outcome(file([deck([slide([record(0xf00d, Buffer.alloc(8_000_000)), box('text')])])]))).toBe('<p>text</p>')
  })
})
