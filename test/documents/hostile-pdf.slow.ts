import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { fileParsers } from '../../src/parsers/index.ts'
import { pdfFile } from '../pdf.ts'

it('a PDF that its first reader does not get through has plain text of some pages, and the next file is read', { timeout: 90_000 }, async () => {
  // Every page refers to the same stream: 74 KB that are ten million operators.
  const [pages, content] = [500, `BT /F1 11 Tf 72 700 Td\n${'0 -1 Td (x) Tj\n'.repeat(20_000)}ET`]
  const file = (count: number, stream: string): Buffer =>
    pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${Array.from({ length: count }, (_, i) => `${i + 5} 0 R`).join(' ')}] /Count ${count} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      { head: '/Filter /FlateDecode', stream: deflateSync(stream) },
      ...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>'),
    ])
  const parsers = fileParsers({ entry: new URL('../../dist/parsers/child.js', import.meta.url), processes: 1 })
  const read = (bytes: Buffer): ReturnType<typeof parsers.parse> => parsers.parse(bytes, { mode: 'auto', pages: false, pageMarkers: false, html: false }, { id: 'c', team: 't', signal: new AbortController().signal, deadline: 0, retention: 'normal', log: () => undefined })
  try {
    const { markdown, warnings, totalPages } = await read(file(pages, content))
    expect(markdown).toContain('xxx')
    expect(totalPages).toBe(pages)
    expect(warnings.join(' ')).toMatch(/Only the plain text .* The PDF takes too long to read: pages \d+-500 are missing\./)
    expect((await read(file(1, 'BT /F1 11 Tf 72 700 Td (Low water at one.) Tj ET'))).markdown).toContain('Low water at one.')
  } finally {
    await parsers.close()
  }
})
