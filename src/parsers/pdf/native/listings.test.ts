import { expect, it } from 'vitest'
import { pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

/** A page in Helvetica (F1) and Courier (F2), of lines at their places, as TeX draws them: each word for itself. */
async function read(lines: readonly (readonly [font: 'F1' | 'F2', x: number, y: number, text: string])[]): Promise<string> {
  const content = lines.map(([font, x, y, text]) => `BT /${font} 10 Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`).join('\n')
  const reply = await readPdf({
    bytes: pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
      { head: '', stream: Buffer.from(content) },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+NimbusMonL-Regu /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [${'600 '.repeat(95)}] /FontDescriptor 7 0 R >>`,
      '<< /Type /FontDescriptor /FontName /ABCDEF+NimbusMonL-Regu /Flags 33 /FontBBox [0 -200 600 800] /ItalicAngle 0 /Ascent 600 /Descent -150 /CapHeight 560 /StemV 40 >>',
    ]),
    order: { mode: 'auto', pages: false, pageMarkers: false, html: false },
  })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

/** Words of code, each at its column; letters are six points wide. */
const code = (lines: readonly string[], y: number, x = 72): ['F2', number, number, string][] => lines.flatMap((line, i) => [...line.matchAll(/\S+/g)].map(({ 0: word, index }): ['F2', number, number, string] => ['F2', x + 6 * index, y - 12 * i, word]))
const prose = (lines: readonly string[], y: number, x = 72): ['F1', number, number, string][] => lines.map((text, i) => ['F1', x, y - 12 * i, text])

const before = prose(['The gauge is read by a short program. It opens the port, waits for a line, and returns', 'the level as a number of metres above the datum of the harbour.'], 700)
const after = prose(['It prints the level. After that, nothing else happens until the next line comes in from', 'the port of the gauge, which may take up to ten minutes.'], 550)

it('reads a listing line by line, with its indentation, its columns and its blank lines', async () => {
  const lines = ['class Gauge:', '    def level(self):', '        if not self.line:', '            return None', '', '        return self.line / 100   # metres']
  const made = await read([...before, ...code(lines, 664), ...after])
  expect(made).toBe(['The gauge is read by a short program. It opens the port, waits for a line, and returns the level as a number of metres above the datum of the harbour.', '', '```', ...lines, '```', '', 'It prints the level. After that, nothing else happens until the next line comes in from the port of the gauge, which may take up to ten minutes.'].join('\n'))
})

it('keeps the line numbers of a listing, also of its blank lines', async () => {
  const lines = ['import serial', '', 'class Gauge:', '    port = serial.Serial(0)']
  const numbers = lines.map((_, i): ['F1', number, number, string] => ['F1', 60, 664 - 12 * i, String(i + 1)])
  expect(await read([...before, ...numbers, ...code(lines, 664, 78), ...after])).toContain(['```', '1  import serial', '2', '3  class Gauge:', '4      port = serial.Serial(0)', '```'].join('\n'))
})

it('takes no table with cells in a monospaced font, and no paragraph in one, for a listing', async () => {
  const names = ['--all', '--base', '--count', '--depth'].flatMap((name, i): ['F1' | 'F2', number, number, string][] => [['F2', 72, 664 - 14 * i, name], ['F1', 160, 664 - 14 * i, 'what it does is said here']])
  expect(await read([...before, ...names, ...after])).not.toContain('```\n--all\n--base')
  const typed = ['This paragraph is in the letters of a typewriter, as an', 'author may like it for a letter that somebody reads out,', 'and it has nothing to do with a program of any kind.']
  const made = await read([...before, ...typed.map((text, i): ['F2', number, number, string] => ['F2', 72, 664 - 12 * i, text]), ...after])
  expect(made.replace(/\s+/g, ' ')).toContain('as an author may like it for a letter that somebody reads out, and it has')
})
