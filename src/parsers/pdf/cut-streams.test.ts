import { deflateSync, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pdfFile, samplePdf } from '../../../test/pdf.ts'
import { withCutStreams } from './cut-streams.ts'
import { readPdf } from './read.ts'

/** A file whose second page has this content. */
function fileOf(content: string, head = ''): Buffer {
  const page = (contents: number): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`
  return pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R 5 0 R] /Count 2 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    page(6),
    page(7),
    { head: '', stream: Buffer.from('BT /F1 11 Tf 72 700 Td (The harbour is open to every boat.) Tj ET') },
    { head: `/Filter /FlateDecode ${head}`, stream: deflateSync(content) },
  ])
}
const contentIn = (file: Buffer): Buffer => inflateSync(file.subarray(file.lastIndexOf('stream\n', file.lastIndexOf('endstream') - 1) + 7))
const shown = (count: number, operator = '(x) Tj\n'): string => `BT /F1 11 Tf 72 700 Td\n${operator.repeat(count)}ET`

it.each([['text', '(x) Tj\n'], ['text in arrays', '[(x)]TJ '], ['text on new lines', "(x)'\n"], ['saved states', 'q Q\n']])('cuts a stream that has millions of operators (%s), in its place', (_, operator) => {
  const file = fileOf(shown(1_000_000, operator))
  const made = withCutStreams(file)
  expect(made.isCut).toBe(true)
  expect(made.file).toHaveLength(file.length)
  const content = contentIn(made.file).toString()
  expect(content.length).toBeLessThan(400_010 * operator.length)
  expect(shown(1_000_000, operator).startsWith(content)).toBe(true)
})

it.each([
  ['few operators', fileOf(shown(100_000))],
  ['lines without text, such as a map', fileOf('1 1 m 2 2 l S\n'.repeat(600_000))],
  ['a picture', fileOf(shown(1_000_000), '/Subtype /Image')],
  ['an ordinary page', samplePdf({ pages: [{ lines: [{ text: 'A page.', x: 72, y: 700 }] }] })],
])('leaves %s', (_, file) => {
  expect(withCutStreams(file)).toEqual({ file, isCut: false })
})

it('reads the other pages of such a file, and says what may be missing', { timeout: 60_000 }, async () => {
  const reply = await readPdf({ bytes: fileOf(shown(3_000_000)), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  const document = 'document' in reply ? reply.document : null
  expect(document?.markdown).toMatch(/^The harbour is open to every boat\./)
  expect(document?.warnings).toContain('The PDF has pages with more drawing operations than are read; text at their end may be missing.')
})
