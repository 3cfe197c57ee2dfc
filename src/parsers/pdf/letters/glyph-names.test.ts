import { describe, expect, it } from 'vitest'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

const descriptor = '/FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Sample /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>'
const objects = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
  { head: '', stream: Buffer.from('BT /F2 12 Tf 72 700 Td (The harbour office was founded in ) Tj /F1 12 Tf (ABCD) Tj /F2 12 Tf ( by the town of ) Tj /F1 12 Tf (EFG) Tj /F2 12 Tf ( where x ) Tj /F1 12 Tf (H) Tj /F2 12 Tf (= y ) Tj /F1 12 Tf (I) Tj /F2 12 Tf ( z.) Tj ET') },
  `<< /Type /Font /Subtype /Type1 /BaseFont /AAAAAA+Sample /FirstChar 65 /LastChar 73 /Widths [500 500 500 500 500 500 500 500 500] /Encoding << /Type /Encoding /Differences [65 /oneoldstyle/nineoldstyle /uniF739 /eightoldstyle /Ysmall /Osmall /Rsmall /negationslash /owner] >> ${descriptor} >>`,
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
]

describe('glyph names of other forms', () => {
  it.each([['in the file', pdfFile], ['in an object stream', packedPdfFile]] as const)('are read as the digits and letters that they show, %s', async (_, file) => {
    const reply = await readPdf({ bytes: file(objects), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
    expect('document' in reply ? reply.document.markdown : reply).toBe('The harbour office was founded in 1998 by the town of YOR where x ≠ y ∋ z.')
  })
})
