import { expect, it } from 'vitest'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const text = ['thank you for your letter of February. We are glad to offer you berth 12 from April on, and', 'the fee is due in May. Please note that the pier is closed during storms, and that the office', 'is closed on Sundays.']
const letter = (lines: readonly string[], x = 72): PdfLine[] => [...paragraph(lines, { x, y: 740 }), ...paragraph(text, { y: 620 })]

it.each([
  ['an address', ['Bruno Quay', '2 Lock Lane', '54321 Southport'], 72],
  ['an address at the right', ['Harbour Supplies', 'c/o Ada Pier', '1 Quay Street', '12345 Northtown'], 320],
  ['a letter head', ['Harbour Institute', 'Northtown, Norway', '+47 555 0100', 'ada@example.org'], 250],
])('keeps the lines of %s apart', async (_what, lines, x) => {
  expect(await markdown(letter(lines, x))).toBe([...lines, text.join(' ')].join('\n\n'))
})

it.each([
  ['a sentence that goes on', ['The office of the harbour is open', 'on Mondays and on Tuesdays from', 'seven in the morning']],
  ['two lines', ['Notice to all boats of the', 'Northern Harbour']],
  ['names that a sentence ends', ['Harbour Office of Northtown and', 'Southport and of the Tide Press', 'Norway are closed.']],
])('joins %s', async (_what, lines) => {
  expect(await markdown(letter(lines))).toBe([lines.join(' '), text.join(' ')].join('\n\n'))
})

it('joins the lines of a narrow column that no longer lines surround', async () => {
  const lines = ['Bruno Quay of', 'Lock Lane and', 'Southport']
  expect(await markdown(paragraph(lines, { y: 700 }))).toBe(lines.join(' '))
})
