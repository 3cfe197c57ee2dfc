import { expect, it } from 'vitest'
import { growth } from '../../../../test/cpu.ts'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { withSpelledRanges } from './spelled-ranges.ts'

const hex = (text: string): string => [...text].map((letter) => (letter.charCodeAt(0) - 29).toString(16).padStart(4, '0')).join('')
const table = 'begincmap\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n2 beginbfrange\n<0003> <0060> <0020>\n<0100> <0101> <00660066006c>\nendbfrange\nendcmap'

it.each([['in the file', pdfFile], ['in an object stream', packedPdfFile]] as const)('reads ligatures of three letters that a table writes as a range, %s', async (_, file) => {
  const bytes = file([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    { head: '', stream: Buffer.from(`BT /F1 12 Tf 72 700 Td <${hex('The harbour is a')}0100${hex('uent and 12')}0101${hex('ine.')}> Tj ET`) },
    '<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Sample /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Sample /CIDToGIDMap /Identity /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Sample /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>',
    { head: '', stream: Buffer.from(table) },
  ])
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  expect(reply).toMatchObject({ document: { markdown: '## The harbour is affluent and 12ffmine.', warnings: [] } })
})

const withTable = (text: string): Buffer => pdfFile(['<< /ToUnicode 2 0 R >>', { head: '', stream: Buffer.from(text) }])

it('takes linear time for ranges without an end', () => {
  expect(growth((n) => withTable('beginbfrange '.repeat(n)), withSpelledRanges, 20_000, 640_000)).toBeLessThan(1.5)
})

it('lists no more than a file may have of them', () => {
  const text = `beginbfrange${`<00> <ff> <${'0041'.repeat(20)}>\n`.repeat(2_000)}endbfrange`
  expect(withSpelledRanges(withTable(text)).length).toBeLessThan(5_000_000)
})
