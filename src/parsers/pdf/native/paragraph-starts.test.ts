import { expect, it } from 'vitest'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const first = ['The harbour office opens at seven in the morning and closes at eight in the evening, but the', 'lights of the northern pier are on all night. Boats that are longer than ten metres report by', 'radio before they pass the lock.']
const second = ['Smaller boats may enter without a report, as long as the light at the pier is green and there', 'is no other boat in the lock. Whoever waits does so at the southern quay, where water and', 'power are free for an hour.']
const indented = (lines: readonly PdfLine[], row: number, by: number): PdfLine[] => lines.map((line, i) => (i === row ? { ...line, x: line.x + by } : line))
const said = (lines: readonly string[]): string => lines.join(' ')

it('starts paragraphs at indented lines after the end of a sentence', async () => {
  expect(await markdown(indented(paragraph([...first, ...second], { y: 700 }), 3, 15))).toBe(`${said(first)}\n\n${said(second)}`)
})

it('does not start paragraphs at indented lines within a sentence', async () => {
  expect(await markdown(indented(paragraph([...first.slice(0, 1), ...second], { y: 700 }), 1, 15))).toBe(said([...first.slice(0, 1), ...second]))
})

it('starts the entries of a list of references', async () => {
  const entries = ['[1] J. Lock and K. Quay, Tides of the north and the boats that wait for them in the harbours,', 'Northtown: Tide Press, 2019.', '[2] M. Pier, Locks without gates: a report on the southern harbours and on what became of', 'them, Southport, 2021.']
  const lines = paragraph(entries, { y: 700 }).map((line, i) => (i % 2 === 1 ? { ...line, x: 90 } : line))
  expect(await markdown(lines)).toBe(`${said(entries.slice(0, 2))}\n\n${said(entries.slice(2))}`)
})

it('makes headings of larger lines that the text follows at its usual distance', async () => {
  const lines: PdfLine[] = [...paragraph(first, { y: 700 }), { text: '2 Smaller boats', x: 72, y: 657, size: 13 }, ...paragraph(second, { y: 643 })]
  expect(await markdown(lines)).toMatch(new RegExp(`^${said(first)}\n\n#+ 2 Smaller boats\n\n${said(second)}$`))
})

it('makes headings of numbered names in capital letters or bold', async () => {
  const lines: PdfLine[] = [{ text: 'II. METHOD', x: 250, y: 714 }, ...paragraph(first, { y: 700 }), { text: 'B. Related Work', x: 72, y: 658, bold: true }, ...paragraph(second, { y: 644 })]
  expect((await markdown(lines)).replace(/^#+/gm, '#')).toBe(`# II. METHOD\n\n${said(first)}\n\n# B. Related Work\n\n${said(second)}`)
})

it('starts paragraphs at wider steps on pages of short paragraphs, such as letters', async () => {
  const letter: readonly (readonly [string, number])[] = [['Harbour Office', 740], ['12345 Northtown', 726], ['3 March 2026', 698], ['Dear Mr Quay,', 676], ['thank you for your letter of February. We are glad to offer you berth 12 from April on, and', 654], ['the fee is due in May.', 640], ['Please note that the pier is closed during storms.', 618], ['Yours sincerely,', 590]]
  expect(await markdown(letter.map(([text, y]) => ({ text, x: 72, y })))).toBe(['Harbour Office 12345 Northtown', '3 March 2026', 'Dear Mr Quay,', 'thank you for your letter of February. We are glad to offer you berth 12 from April on, and the fee is due in May.', 'Please note that the pier is closed during storms.', 'Yours sincerely,'].join('\n\n'))
})
