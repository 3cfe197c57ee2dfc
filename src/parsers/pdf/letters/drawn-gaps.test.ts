import { expect, it } from 'vitest'
import { pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

/** A page in letters half as wide as high, with blanks of half of that; `content` is drawn as ghostscript does. */
async function read(content: string, encoding = '/WinAnsiEncoding'): Promise<string> {
  const widths = Array.from({ length: 95 }, (_, i) => (i === 0 ? 250 : 500))
  const reply = await readPdf({
    bytes: pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /R1 5 0 R >> >> >>',
      { head: '', stream: Buffer.from(`q BT\n/R1 10 Tf\n${content}\nET Q`) },
      `<< /Type /Font /Subtype /Type1 /BaseFont /AAAAAA+Own /FirstChar 32 /Widths [${widths.join(' ')}] /Encoding ${encoding} >>`,
    ]),
    order: { mode: 'auto', pages: false, pageMarkers: false, html: false },
  })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

/** Text in its place. */
const at = (x: number, y: number, text: string): string => `1 0 0 1 ${x} ${y} Tm\n0 Tc 0 Tw\n${text}`

it('reads a blank without width within a word as the end of none', async () => {
  const made = await read(at(72, 700, '(The level of the water falls e) Tj\n135 0 Td\n-0.25 Tc -2.15 Tw\n(v e) Tj\n9.6 0 Td\n0 Tc 0 Tw\n(nly here.) Tj'))
  expect(made).toBe('The level of the water falls evenly here.')
})

it('reads numbers of two cells that are drawn as one string with a wide step', async () => {
  const rows = [['Mill', '61.2'], ['Ferry', '60.4'], ['Bridge', '59.7']].map(([name = '', time = ''], i) => `${at(72, 686 - 14 * i, `(${name}) Tj`)}\n${at(130, 686 - 14 * i, '(12) Tj')}\n${at(172, 686 - 14 * i, `(${time}) Tj`)}`)
  const torn = at(72, 644, '(Abbe) Tj\n20 0 Td\n33 Tc\n(y1) Tj\n43 0 Td\n32 Tc\n(25) Tj\n42 0 Td\n0 Tc\n(8.9) Tj')
  const head = ['Clock', 'Marks', 'Minutes'].map((name, i) => at([72, 130, 172][i] ?? 0, 700, `(${name}) Tj`))
  expect(await read([...head, ...rows, torn].join('\n'))).toContain('|Mill|12|61.2|\n|Ferry|12|60.4|\n|Bridge|12|59.7|\n|Abbey|12|58.9|')
})

it('reads two cells that are drawn as one string with a wide blank', async () => {
  const rows = [['Clock Marks', 'Minutes'], ['Mill 12', '61.2'], ['Abbey 12', '58.9'], ['Ferry 11', '60.4']].map(([cells = '', time = ''], i) => `${at(72, 700 - 14 * i, `${57.5 - cells.indexOf(' ') * 5} Tw\n(${cells}) Tj`)}\n${at(190, 700 - 14 * i, `(${time}) Tj`)}`)
  expect(await read(rows.join('\n'))).toContain('|Mill|12|61.2|\n|Abbey|12|58.9|\n|Ferry|11|60.4|')
})

it('keeps blanks of a tight line, its parentheses, and signs with the code of the blank', async () => {
  const tight = at(72, 700, '-1 Tw\n(The level \\(of the water\\) falls, \\\\ and so on \\() Tj')
  expect(await read(tight)).toContain('The level (of the water) falls, ')
  expect(await read(at(72, 700, '-3 Tw\n(o e) Tj'), '<< /Type /Encoding /Differences [32 /l] >>')).toContain('ole')
})
