import { expect, it } from 'vitest'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

/** A bitmap font of TeX that has the glyphs of some codes. */
const bitmap = (codes: readonly number[]): string => `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 /LastChar 255 /Widths [${'500 '.repeat(256)}] /Encoding << /Type /Encoding /Differences [${codes.map((code) => `${code} /a${code} ${code + 1} /.notdef`).join(' ')}] >> /CharProcs << ${codes.map((code) => `/a${code} 8 0 R`).join(' ')} >> /Resources << >> >>`
const codesOf = (text: string): number[] => [...new Set(Buffer.from(text, 'latin1'))].sort((a, b) => a - b)
const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex')

/** Reads runs of fonts: 1 is an outline font; 2 and 3 are bitmap fonts. */
async function read(runs: readonly (readonly [font: 1 | 2 | 3, text: string])[], file: (objects: Parameters<typeof pdfFile>[0]) => Buffer = pdfFile): Promise<string> {
  const all = (font: number): number[] => codesOf(runs.map(([own, text]) => (own === font ? text : '')).join(''))
  const reply = await readPdf({
    bytes: file([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> >> >>',
      { head: '', stream: Buffer.from(`BT 72 700 Td ${runs.map(([font, text]) => `/F${font} 10 Tf <${hex(text)}> Tj`).join(' ')} ET`) },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      bitmap(all(2)),
      bitmap(all(3)),
      { head: '', stream: Buffer.from('500 0 0 0 500 700 d1 0 0 500 700 re f') },
    ]),
    order: { mode: 'auto', pages: false, pageMarkers: false, html: false },
  })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

it.each([['in the file', pdfFile], ['in an object stream', packedPdfFile]] as const)('reads the signs of currencies and units in text of an outline font, %s', async (_, file) => {
  expect(await read([[1, 'The ticket costs '], [2, '\xbf'], [1, '20 when it is colder than 5'], [2, '\xb0'], [1, 'C.']], file)).toBe('The ticket costs €20 when it is colder than 5°C.')
})

it('reads them also where names are hexadecimal codes', async () => {
  const other = (objects: Parameters<typeof pdfFile>[0]): Buffer => pdfFile(objects.map((one) => (typeof one === 'string' ? one.replaceAll('/a191', '/xBF').replaceAll('/a176', '/xB0') : one)))
  expect(await read([[1, 'The ticket costs '], [2, '\xbf'], [1, '20 when it is colder than 5'], [2, '\xb0'], [1, 'C.']], other)).toBe('The ticket costs €20 when it is colder than 5°C.')
})

it('reads letters with accents in one bitmap font, and signs at the same codes in another', async () => {
  expect(await read([[2, 'Zaj\xa1c paid '], [3, '\xbf'], [2, '20 of the last taxes; the rest was '], [3, '\xb1'], [2, '3.']])).toBe('Zając paid €20 of the last taxes; the rest was ±3.')
})

it('leaves the signs of an outline font as they are beside a bitmap font', async () => {
  expect(await read([[2, 'The room of the last tenants has 3 '], [1, '\xd7'], [2, ' 4 metres']])).toBe('The room of the last tenants has 3 × 4 metres')
})

it('leaves ornaments as they are', async () => {
  expect(await read([[1, 'A star '], [2, '*'], [1, ' in the sky.']])).toBe('## A star ✯ in the sky.')
})
