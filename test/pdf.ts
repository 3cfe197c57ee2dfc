import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** A line of text at a position on the page, in points; the origin is at the bottom left. */
export interface PdfLine {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size?: number
  readonly bold?: boolean
  /** Uses a font with two-byte codes that has only a ToUnicode map. */
  readonly wide?: boolean
  /** Invisible text, as OCR adds it behind a scanned page. */
  readonly unseen?: boolean
}

/** A page of a sample file. */
export interface PdfPageSpec {
  readonly lines?: readonly PdfLine[]
  /** Ruled lines, from point to point. */
  readonly rules?: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[]
  /** Operators that draw something else. */
  readonly drawing?: string
  readonly links?: readonly { readonly rect: readonly [number, number, number, number]; readonly uri: string }[]
  /** Covers the page with an image, as a scanner does. */
  readonly scanned?: boolean
  readonly rotate?: 0 | 90 | 180 | 270
  /** Width and height in points; US letter by default. */
  readonly size?: readonly [number, number]
}

export interface PdfSpec {
  readonly pages: readonly PdfPageSpec[]
  readonly info?: Readonly<Record<string, string>>
  /** Encrypts with 40-bit RC4 (PDF 1.7, 7.6.3); empty: opens without a password. */
  readonly password?: string
}

type Body = string | { readonly head: string; readonly stream: Buffer }

const escaped = (text: string): string => text.replace(/[()\\]/g, '\\$&')
const hex = (text: string): string => [...text].map((character) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')).join('')

function content(page: PdfPageSpec): string {
  const lines = (page.lines ?? []).map((line) => {
    const font = line.wide === true ? '/F3' : line.bold === true ? '/F2' : '/F1'
    const shown = line.wide === true ? `<${hex(line.text)}>` : `(${escaped(line.text)})`
    return `BT ${line.unseen === true ? 3 : 0} Tr ${font} ${line.size ?? 11} Tf ${line.x} ${line.y} Td ${shown} Tj ET`
  })
  const rules = (page.rules ?? []).map(([x1, y1, x2, y2]) => `${x1} ${y1} m ${x2} ${y2} l S`)
  return [...(page.scanned === true ? ['q 612 0 0 792 0 0 cm /Im1 Do Q'] : []), ...rules, ...(page.drawing === undefined ? [] : [page.drawing]), ...lines].join('\n')
}

const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
100 beginbfrange
${Array.from({ length: 100 }, (_, i) => `<${(i + 0x30).toString(16).padStart(2, '0')}00> <${(i + 0x30).toString(16).padStart(2, '0')}ff> <${(i + 0x30).toString(16).padStart(2, '0')}00>`).join('\n')}
endbfrange endcmap CMapName currentdict /CMap defineresource pop end end`

const deflated = (head: string, data: string | Buffer): Body => ({ head: `${head} /Filter /FlateDecode`, stream: deflateSync(data) })

/** The numbered objects of a file, from 1: catalog, page tree, fonts, information, then pages. */
function objectsOf(spec: PdfSpec): Body[] {
  const shared: Body[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /Wide /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Wide /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 >>',
    deflated('', toUnicode),
    deflated('/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceGray /BitsPerComponent 8', Buffer.alloc(64 * 64, 0xc0)),
    `<< ${Object.entries(spec.info ?? {}).map(([key, value]) => `/${key} (${escaped(value)})`).join(' ')} >>`,
  ]
  const kids: number[] = []
  for (const page of spec.pages) {
    const links = (page.links ?? []).map(({ rect, uri }) => `<< /Type /Annot /Subtype /Link /Rect [${rect.join(' ')}] /Border [0 0 0] /A << /S /URI /URI (${escaped(uri)}) >> >>`)
    shared.push(deflated('', content(page)))
    kids.push(shared.length + 1)
    shared.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${(page.size ?? [612, 792]).join(' ')}] /Rotate ${page.rotate ?? 0} /Contents ${shared.length} 0 R /Annots [${links.join(' ')}] /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << /Im1 8 0 R >> >> >>`,
    )
  }
  shared[1] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`
  return shared
}

/** Joins the objects to a file and adds the cross-reference table. */
export function pdfFile(objects: readonly Body[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  let at = 9
  const places = objects.map((body, i) => {
    const place = at
    const part =
      typeof body === 'string'
        ? Buffer.from(`${i + 1} 0 obj\n${body}\nendobj\n`, 'latin1')
        : Buffer.concat([Buffer.from(`${i + 1} 0 obj\n<< ${body.head} /Length ${body.stream.length} >>\nstream\n`, 'latin1'), body.stream, Buffer.from('\nendstream\nendobj\n')])
    parts.push(part)
    at += part.length
    return place
  })
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`))
  return Buffer.concat(parts)
}

/**
 * Joins the objects to a file that keeps all but its streams in an object stream (PDF 1.7, 7.5.7), compressed or in
 * hexadecimal.
 */
export function packedPdfFile(objects: readonly Body[], filter: 'FlateDecode' | 'ASCIIHexDecode' = 'FlateDecode'): Buffer {
  const packed = objects.flatMap((body, i) => (typeof body === 'string' ? [{ number: i + 1, body }] : []))
  const [container, table] = [objects.length + 1, objects.length + 2]
  let at = 0
  const heads = packed.map(({ number, body }) => {
    const head = `${number} ${at}`
    at += body.length + 1
    return head
  }).join(' ')
  const data = `${heads}\n${packed.map(({ body }) => body).join('\n')}`
  const stream = filter === 'FlateDecode' ? deflateSync(data) : Buffer.from(`${Buffer.from(data).toString('hex')}>`)
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n')]
  const places = new Map<number, number>()
  const add = (number: number, body: Body): void => {
    if (typeof body === 'string') return
    places.set(number, Buffer.concat(parts).length)
    parts.push(Buffer.concat([Buffer.from(`${number} 0 obj\n<< ${body.head} /Length ${body.stream.length} >>\nstream\n`), body.stream, Buffer.from('\nendstream\nendobj\n')]))
  }
  objects.forEach((body, i) => add(i + 1, body))
  add(container, { head: `/Type /ObjStm /N ${packed.length} /First ${heads.length + 1} /Filter /${filter}`, stream })
  const start = Buffer.concat(parts).length
  const rows = Array.from({ length: table + 1 }, (_, number) => {
    const row = Buffer.alloc(6)
    const index = packed.findIndex((one) => one.number === number)
    row[0] = number === 0 ? 0 : index < 0 ? 1 : 2
    row.writeUInt32BE(number === table ? start : index < 0 ? (places.get(number) ?? 0) : container, 1)
    row[5] = Math.max(0, index)
    return row
  })
  add(table, { head: `/Type /XRef /Size ${table + 1} /W [1 4 1] /Root 1 0 R`, stream: Buffer.concat(rows) })
  return Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF\n`)])
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number): number => state[i & 255] ?? 0
  const swap = (i: number, j: number): void => void ([state[i], state[j]] = [at(j), at(i)])
  for (let i = 0, j = 0; i < 256; i++) swap(i, (j = (j + at(i) + (key[i % key.length] ?? 0)) & 255))
  let [i, j] = [0, 0]
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

const md5 = (...parts: readonly Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)

/**
 * Algorithms 1 to 4 of PDF 1.7, 7.6. Encrypts streams only: strings of sample files are not inside, or do not matter.
 */
function encrypted(objects: Body[], password: string): Buffer {
  const id = md5(Buffer.from('sample'))
  const owner = rc4(md5(padded('owner')).subarray(0, 5), padded(password))
  const rights = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const key = md5(padded(password), owner, rights, id).subarray(0, 5)
  const user = rc4(key, padding)
  const locked = objects.map((body, i): Body => {
    if (typeof body === 'string') return body
    const number = i + 1
    const salt = Buffer.from([number & 255, number >> 8, 0, 0, 0])
    return { head: body.head, stream: rc4(md5(key, salt).subarray(0, 10), body.stream) }
  })
  locked.push(`<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P -4 >>`)
  return pdfFile(locked, `/Encrypt ${locked.length} 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>]`)
}

/** Builds a sample PDF file. */
export function samplePdf(spec: PdfSpec): Buffer {
  const objects = objectsOf(spec)
  return spec.password === undefined ? pdfFile(objects, '/Info 9 0 R') : encrypted(objects, spec.password)
}

/** Lines of running text, from top to bottom. */
export function paragraph(texts: readonly string[], place: { readonly x?: number; readonly y: number; readonly size?: number }): PdfLine[] {
  return texts.map((text, i) => ({ text, x: place.x ?? 72, y: place.y - i * 14, size: place.size ?? 11 }))
}
