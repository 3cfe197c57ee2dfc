import { expect, it } from 'vitest'
import { pdfFile } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { withListings } from './listings.ts'

/** A page in Helvetica (F1) and Courier (F2), of lines at their places, as TeX draws them: each word for itself. */
type Drawn = readonly [font: 'F1' | 'F2', x: number, y: number, text: string]
const contentOf = (lines: readonly Drawn[]): string => lines.map(([font, x, y, text]) => `BT /${font} 10 Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`).join('\n')

async function read(lines: readonly Drawn[], ...others: readonly (readonly Drawn[])[]): Promise<string> {
  const reply = await readPdf({
    bytes: pdfFile([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [3 0 R ${others.map((_, i) => `${8 + 2 * i} 0 R`).join(' ')}] /Count ${1 + others.length} >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
      { head: '', stream: Buffer.from(contentOf(lines)) },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      `<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+NimbusMonL-Regu /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [${'600 '.repeat(95)}] /FontDescriptor 7 0 R >>`,
      '<< /Type /FontDescriptor /FontName /ABCDEF+NimbusMonL-Regu /Flags 33 /FontBBox [0 -200 600 800] /ItalicAngle 0 /Ascent 600 /Descent -150 /CapHeight 560 /StemV 40 >>',
      ...others.flatMap((one, i) => [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${9 + 2 * i} 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>`, { head: '', stream: Buffer.from(contentOf(one)) }]),
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

it.each([
  ['a table', ['Item                   Qty        Total', 'Rope, 20 m               2        29.00', 'Anchor                   1       120.00', 'Chain, 6 mm              3        99.00'], '|Rope, 20 m|2|29.00|'],
  ['an address', ['Harbour Supplies Ltd', '14 Quay Street', 'Kiel 24103'], 'Harbour Supplies Ltd 14 Quay Street Kiel 24103'],
  ['a poem', ['The ship went down at five to three,', 'and nobody was there to see', 'how deep the water and how cold,', 'and this is all that I was told.'], 'five to three, and nobody'],
  ['a table of contents', ['1  Introduction ................ 3', '2  The harbour ................. 7', '3  Ships and boats ............ 12'], '- 2 The harbour 7'],
  ['a letter', ['Dear Ann,', '', 'I write to you because the boat that we had bought in the', 'spring has sunk.  Nobody was hurt, but the engine is lost', 'and so are the sails.', '', 'Please call me.', '', 'Bob'], 'in the spring has sunk'],
  ['paragraphs that go on from another page', ['that we had bought in the spring of the year before it has', 'sunk.  Nobody was hurt, but the engine is lost and so are', 'the sails.', '', 'Please call me as soon as you can, since we have to tell the', 'insurance about it within a week.'], 'year before it has sunk'],
])('takes %s in a monospaced font for no listing', async (_, lines, expected) => {
  const drawn = lines.flatMap((line, i) => [...line.matchAll(/\S+(?: {1,2}\S+)*/g)].map(({ 0: text, index }): Drawn => ['F2', 72 + 6 * index, 676 - 12 * i, text]))
  const made = await read([...before, ...drawn, ...after])
  expect([made.includes('```'), made.includes(expected) ? expected : made]).toEqual([false, expected])
})

it('takes headers and footers of two lines for no listings', async () => {
  const names = ['ships', 'boats', 'ropes', 'gauges']
  const pages = names.map((name, i): Drawn[] => [
    ...code(['harbour.log  level=3', `file: ${i + 1} of 4`], 770),
    ...prose(Array.from({ length: 8 }, (_, at) => `This line, number ${at} of its page, tells of ${name} and of what they are good for in a town like ours`), 720),
    ...code(['level = read()', `print(level, ${name})`], 600),
    ...prose(Array.from({ length: 8 }, (_, at) => `And this line, also number ${at} of the page, tells more of ${name}, since nobody knows all of them`), 560),
  ])
  const made = await read(pages[0] ?? [], ...pages.slice(1))
  expect([made.match(/harbour\.log/g), made.match(/```\nlevel = read\(\)\nprint\(level, \w+\)\n```/g)?.length]).toEqual([null, 4])
})

it('leaves a page with hundreds of listings as it is: the work grows with its text for each of them', () => {
  const itemType = 'Text' as never // the library's type has no values
  const page = (count: number): Parameters<typeof withListings>[0][number] => {
    const lines = Array.from({ length: count * 2 }, (_, i) => ({ text: `a${i} = 1;`, y: 60_000 - (i >> 1) * 100 - (i % 2) * 12 }))
    const texts = [...lines.map((line) => ({ ...line, fixedPitch: true })), ...prose([...before, ...after].map(([, , , text]) => text.repeat(50)), 90_000).map(([, , y, text]) => ({ text, y, fixedPitch: false }))]
    return { markdown: lines.map(({ text }) => text).join('\n\n'), items: texts.map((line) => ({ ...line, x: 72, width: 6 * line.text.length, height: 10, font: 'F2', fontSize: 10, page: 1, isBold: false, isItalic: false, isUnderline: false, isStrikeout: false, advanceKnown: true, fontTag: '', baselineShift: 0, itemType, rotation: 0 })) }
  }
  expect([withListings([page(20)], () => []).get(0)?.codes.size, withListings([page(400)], () => []).size]).toEqual([20, 0])
})
