import { cpuMs, growth } from '../../../../test/cpu.ts'
import { describe, expect, it } from 'vitest'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { packedObjects } from './glyph-codes.ts'

/** The number of a letter in a TrueType font in the usual order, and in the part of it that has these letters only. */
const glyphOf = (letter: string): number => letter.charCodeAt(0) - 29
const placeOf = (letter: string, letters: readonly string[]): number => letters.indexOf(letter) + 1
const hex = (number: number): string => number.toString(16).padStart(4, '0')

/** Reads lines in a TrueType font whose table names letters by their glyph numbers. */
async function read(lines: readonly string[], codeOf: (letter: string, letters: readonly string[]) => number, file: (objects: Parameters<typeof pdfFile>[0]) => Buffer = pdfFile): Promise<string> {
  const letters = [...new Set(lines.join(''))].sort((a, b) => glyphOf(a) - glyphOf(b))
  const content = lines.map((line, i) => `BT /F1 12 Tf 72 ${760 - 30 * i} Td <${[...line].map((letter) => hex(codeOf(letter, letters))).join('')}> Tj ET`).join('\n')
  const table = `begincmap\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${letters.length} beginbfchar\n${letters.map((letter) => `<${hex(glyphOf(letter))}> <${hex(letter.charCodeAt(0))}>`).join('\n')}\nendbfchar\nendcmap`
  const bytes = file([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    { head: '', stream: Buffer.from(content) },
    '<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Sample /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Sample /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [0 [750] 1 ${Math.max(...letters.map((letter) => codeOf(letter, letters))) - 1} 500] /DW 500 /FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Sample /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>`,
    { head: '', stream: Buffer.from(table) },
  ])
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

describe('fonts whose codes are glyph numbers', () => {
  const statement = ['01.05.2024', '-4,312.37', '020/555-01-23', 'Kontoauszug Der Bank']
  const readWell = '01.05.2024 -4,312.37 020/555-01-23\n\n## Kontoauszug Der Bank'

  it('reads dates and amounts as they are also when the table of widths ends before the last letter', async () => {
    expect(await read(statement, glyphOf)).toBe(readWell)
  })

  it('reads them also when the fonts are in an object stream', async () => {
    expect(await read(statement, glyphOf, packedPdfFile)).toBe(readWell)
  })

  it('reads them also when the object streams cannot be changed', async () => {
    expect(await read(statement, glyphOf, (objects) => packedPdfFile(objects, 'ASCIIHexDecode'))).toBe(readWell)
  })

  it('keeps the name of such fonts in text', async () => {
    const bytes = pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      { head: '', stream: Buffer.from('BT /F1 12 Tf 72 700 Td (A font of the type /Subtype /CIDFontType2 has glyph numbers.) Tj ET') },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ])
    expect(JSON.stringify(await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } }))).toContain('/Subtype /CIDFontType2 has')
  })

  it('reads text whose codes are not what the table says, but places in the embedded part', async () => {
    const lines = ['The harbour office measures the level of the tide', 'at three stations and publishes it the next morning.']
    expect(await read(lines, placeOf)).toBe(lines.join('\n\n'))
  })
})

it('reads no byte of an object stream as a part of two objects', () => {
  const pairs = Array.from({ length: 100 }, (_, i) => `${i + 10} ${i % 2 === 0 ? 0 : 4_999}`).join(' ')
  const objects = packedObjects(pdfFile([{ head: `/Type /ObjStm /N 100 /First ${pairs.length}`, stream: Buffer.from(pairs + ' '.repeat(5_000)) }]))
  expect([...objects.values()].reduce((sum, { length }) => sum + length, 0)).toBeLessThan(6_000)
})

it('takes time in proportion to an object stream, and to what only looks like one', () => {
  const stream = (n: number): Buffer => pdfFile([{ head: `/Type /ObjStm /N 1 /First ${n}`, stream: Buffer.from('1'.repeat(n)) }])
  expect(growth(stream, packedObjects, 20_000)).toBeLessThan(1.5)
  expect(cpuMs(() => packedObjects(Buffer.from('obj/ObjStm'.repeat(1_000_000))))).toBeLessThan(2_000)
})
