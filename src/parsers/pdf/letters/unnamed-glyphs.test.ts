import { describe, expect, it } from 'vitest'
import type { PdfDocument } from '../../../domain/pages/pdf.ts'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

/** Reads a line and codes of a font with these names; the other font has all letters. */
async function read(names: string, codes: string, file: typeof packedPdfFile = pdfFile): Promise<PdfDocument> {
  const reply = await readPdf({
    bytes: file([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>',
      { head: '', stream: Buffer.from(`BT /F2 12 Tf 72 700 Td (The harbour office measures the level of the tide at three stations: ) Tj /F1 12 Tf (${codes}) Tj ET`) },
      `<< /Type /Font /Subtype /Type1 /BaseFont /AAAAAA+Pi /FirstChar 0 /LastChar 127 /Widths [${'500 '.repeat(128)}] /Encoding 6 0 R >>`,
      `<< /Type /Encoding /Differences [${names}] >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ]),
    order: { mode: 'auto', pages: false, pageMarkers: false, html: false },
  })
  if (!('document' in reply)) throw new Error(JSON.stringify(reply))
  return reply.document
}

const start = 'The harbour office measures the level of the tide at three stations: '

describe('letters of which the names only are numbers', () => {
  it.each([['g12', pdfFile], ['H11005', pdfFile], ['glyph7', packedPdfFile]] as const)('are told of: %s', async (name, file) => {
    const { markdown, warnings } = await read(`81 /${name} 120 /x /y`, 'xQy', file)
    expect(markdown).toBe(`${start}x\ufffdy`)
    expect(warnings).toEqual([expect.stringContaining('One letter on page 1 of the PDF could not be read')])
  })

  it('are text recognition\'s to read where there are many', async () => {
    const { markdown, pagesNeedingOcr } = await read('81 /g12 120 /x /y', 'xQQQQQQQQQQQQQQQQQQQQy')
    expect(markdown).toBe(`${start}x${'\ufffd'.repeat(20)}y`)
    expect(pagesNeedingOcr).toEqual([1])
  })

  it('are left to a table of letters', async () => {
    const table = { head: '', stream: Buffer.from('begincmap\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n1 beginbfchar\n<51> <2260>\nendbfchar\nendcmap') }
    const file = (objects: Parameters<typeof pdfFile>[0]): Buffer => pdfFile([...objects.map((one) => (typeof one === 'string' ? one.replace('/Encoding 6 0 R', '/Encoding 6 0 R /ToUnicode 8 0 R') : one)), table])
    const { markdown, warnings } = await read('81 /g12 120 /x /y', 'xQy', file)
    expect(markdown).toBe(`${start}x≠y`)
    expect(warnings).toEqual([])
  })

  it('are told of in short texts', async () => {
    expect((await read('81 /g12 120 /x /y', 'xQy', (objects) => pdfFile(objects.map((one) => (typeof one === 'string' ? one : { ...one, stream: Buffer.from('BT /F1 12 Tf 72 700 Td (xQy) Tj ET') }))))).markdown).toBe('x\ufffdy')
  })

  it('are read where the numbers are their codes', async () => {
    expect((await read('81 /G41 /g0042 120 /x /y', 'xQRy')).markdown).toBe(`${start}xABy`)
  })

  it('are told of where a number is no code of a letter', async () => {
    expect((await read('81 /g0041 /g0003 120 /x /y', 'xQy')).markdown).toBe(`${start}x\ufffdy`)
  })
})
