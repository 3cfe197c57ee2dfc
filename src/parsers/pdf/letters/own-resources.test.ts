import { describe, expect, it } from 'vitest'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

const fonts = '<< /Font << /F1 7 0 R >> /ProcSet [/PDF /Text] >>'
const page = (content: number): string => `<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R >>`
const text = (codes: string): { head: string; stream: Buffer } => ({ head: '', stream: Buffer.from(`BT /F1 12 Tf 72 700 Td (${codes}) Tj ET`) })

async function read(file: typeof packedPdfFile, root: string, node: string): Promise<string> {
  const reply = await readPdf({
    bytes: file([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [3 0 R] /Count 2 ${root} >>`,
      `<< /Type /Pages /Parent 2 0 R /Kids 9 0 R /Count 2 ${node} >>`,
      page(5),
      text('The o\\001ce says that 5 \\002 3 is less than 20.'),
      page(8),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Type /Encoding /Differences [1 /ffi /multiply /Euro] >> >>',
      text('For one day it costs \\003 12, and for two days less than that.'),
      '[4 0 R 6 0 R]',
      fonts,
    ]),
    order: { mode: 'auto', pages: false, pageMarkers: false, html: false },
  })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

describe('pages with the fonts of the tree of pages', () => {
  const expected = 'The office says that 5 × 3 is less than 20.\n\nFor one day it costs € 12, and for two days less than that.'

  it.each([['a file', pdfFile], ['a file with object streams', packedPdfFile]] as const)('are read with these fonts in %s', async (_, file) => {
    expect(await read(file, `/Resources ${fonts}`, '')).toBe(expected)
    expect(await read(file, '', '/Resources 10 0 R')).toBe(expected)
  })

  it('are read with those of the nearest node', async () => {
    expect(await read(pdfFile, '/Resources << /Font << >> >>', `/Resources ${fonts}`)).toBe(expected)
  })
})
