import { expect, it } from 'vitest'
import { pdfFile } from '../../../test/pdf.ts'
import { readPdf } from './read.ts'

type Line = readonly [text: string, x: number, y: number, size?: number]

async function read(lines: readonly Line[], fields: readonly string[]): Promise<{ markdown: string; pagesNeedingOcr: readonly number[] }> {
  const content = lines.map(([text, x, y, size = 11]) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`).join('\n')
  const kids = fields.map((_, i) => `${i + 6} 0 R`).join(' ')
  const bytes = pdfFile([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${kids}] /DA (/F1 11 Tf) /DR << /Font << /F1 5 0 R >> >> >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [${kids}] /Resources << /Font << /F1 5 0 R >> >> >>`,
    { head: '', stream: Buffer.from(content) },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...fields.map((field) => `<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R ${field} >>`),
  ])
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  if (!('document' in reply)) throw new Error(JSON.stringify(reply))
  return reply.document
}

const box = (name: string, y: number, x: number, state: string): string => `/FT /Btn /T (${name}) /Rect [${x} ${y - 3} ${x + 14} ${y + 11}] /V /${state} /AS /${state} /AP << /N << /Yes 4 0 R /Off 4 0 R >> >>`
const wide = (text: string): string => `<feff${[...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')}>`

it('writes the values of form fields at their positions', async () => {
  const lines: Line[] = [['Application for a berth', 72, 740, 18], ['Name of the owner:', 72, 700], ['Season:', 72, 670], ['Sailing boat', 100, 640], ['Motor boat', 100, 610], ['Remarks', 72, 580], ['The office will answer within ten days.', 72, 500]]
  const { markdown, pagesNeedingOcr } = await read(lines, [
    `/FT /Tx /T (owner) /V ${wide('Zoë Łuk')} /Rect [200 694 400 714]`,
    '/FT /Ch /Ff 131072 /T (season) /Opt [[(w) (Winter)] [(s) (Summer)]] /V (s) /Rect [200 664 300 684]',
    box('sail', 640, 72, 'Yes'),
    box('motor', 610, 72, 'Off'),
    '/FT /Tx /Ff 4096 /T (remarks) /V (No *stars*,\nplease) /Rect [72 530 400 575]',
    '/FT /Tx /Ff 8192 /T (secret) /V (hunter2) /Rect [420 694 500 714]',
  ])
  expect(markdown).toBe(['# Application for a berth', 'Name of the owner: Zoë Łuk', 'Season: Summer', '[x] Sailing boat', '[ ] Motor boat', 'Remarks No \\*stars\\*, please', 'The office will answer within ten days.'].join('\n\n'))
  expect(pagesNeedingOcr).toEqual([])
})

it('reads a choice that LaTeX has encoded twice', async () => {
  const twice = `<fefffeff${[...'Blue'].map((letter) => `0000${letter.charCodeAt(0).toString(16)}`).join('')}>`
  const { markdown } = await read([['Colour:', 72, 100]], [`/FT /Ch /Ff 131072 /T (c) /Opt [${wide('Red')} ${wide('Blue')}] /V ${twice} /Rect [200 94 300 114]`])
  expect(markdown).toBe('Colour: Blue')
})

it('keeps fields without a label', async () => {
  const { markdown } = await read([['The office will answer within ten days.', 72, 100]], ['/FT /Tx /T (a) /V (Ada) /Rect [300 600 400 620]'])
  expect(markdown).toBe('The office will answer within ten days.\n\nAda')
})

it('reads a form with many fields in linear time', async () => {
  const fields = Array.from({ length: 3_000 }, (_, i) => `/FT /Tx /T (f${i}) /V (aaaa${' a'.repeat(i % 50)}) /Rect [${(i % 10) * 50} ${700 - i / 10} ${(i % 10) * 50 + 40} ${706 - i / 10}]`)
  const started = process.cpuUsage()
  expect((await read(Array.from({ length: 300 }, (_, i): Line => [`a${' a'.repeat(30)}`, 10, 700 - i]), fields)).markdown.length).toBeGreaterThan(1_000)
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000)
})
