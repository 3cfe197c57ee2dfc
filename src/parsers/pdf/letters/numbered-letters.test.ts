import { expect, it } from 'vitest'
import { pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

const box = Buffer.from('500 0 0 0 500 700 d1 0 0 500 700 re f')
const codes = Array.from({ length: 256 }, (_, code) => code)

/** A page in a bitmap font whose letters are named by their codes, as TeX writes without outline fonts. */
async function markdown(lines: readonly string[], { fallback = false } = {}): Promise<string> {
  const content = lines.map((text, i) => `BT /F1 ${i === 0 ? 18 : 11} Tf 72 ${760 - i * 14 - (i === 0 ? 0 : 20)} Td <${Buffer.from(text, 'latin1').toString('hex')}> Tj ET`).join('\n')
  const bytes = pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    { head: '', stream: Buffer.from(content) },
    `<< /Type /Font /Subtype /Type3 /Name /F1 /FontBBox [0 0 500 700] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 /LastChar 255 /Widths [${codes.map(() => 500).join(' ')}] /Encoding << /Type /Encoding /Differences [0 ${codes.map((code) => `/a${code}`).join(' ')}] >> /CharProcs << ${codes.map((code) => `/a${code} 6 0 R`).join(' ')} >> /Resources << >> >>`,
    { head: '', stream: box },
  ])
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } }, !fallback)
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

it('reads bitmap fonts of TeX with their ligatures, quotation marks and accents', async () => {
  const made = await markdown(['The o\x1ece', 'The di\x1eculty of \x1cnding a \x1dag in the tra\x1ec was that the o\x1ece of the har-', 'bour was closed \x15 at \x10night\x11 \x16 and in the Stra\xffe, where \xbequien? was said to Zaj\xa1c.'])
  expect(made).toBe('# The office\n\nThe difficulty of finding a flag in the traffic was that the office of the harbour was closed – at “night” — and in the Straße, where ¿quien? was said to Zając.')
})

it('reads them where the native library is missing', async () => {
  expect(await markdown(['The o\x1ece of the harbour', 'was closed \x15 and all of it was \x1cne'], { fallback: true })).toContain('office of the harbour was closed – and all of it was fine')
})
