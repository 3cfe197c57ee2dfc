import { expect, it } from 'vitest'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const words = ['tide', 'lock', 'pier', 'buoy', 'quay', 'basin', 'light', 'storm', 'boat', 'anchor', 'rope', 'sail', 'gauge', 'gate', 'crane', 'shed']
const texts = words.map((word, i) => `the harbour office opens at seven in the morning and closes at eight when the ${word} and the ${words[15 - i]}`)
const said = texts.join(' ')
const numbers = (count: number, size: number, x = 50): PdfLine[] => Array.from({ length: count }, (_, i) => ({ text: String(i + 1), x: i < 9 ? x + size / 2 : x, y: 700 - i * 14, size }))

it.each([
  ['small numbers', numbers(16, 6)],
  ['numbers as large as the text', numbers(16, 11)],
  ['numbers in the right margin', numbers(16, 6, 575)],
])('removes line numbers: %s', async (_what, own) => {
  const text = paragraph(texts, { y: 700 })
  const lines = text.flatMap((line, i) => [...own.slice(i, i + 1), line])
  expect(await markdown(lines)).toBe(said)
})

it('keeps the numbers of the rows of a table', async () => {
  const rows = Array.from({ length: 18 }, (_, i): PdfLine[] => [{ text: String(i + 1), x: 72, y: 700 - i * 14 }, { text: `Boat ${String.fromCharCode(65 + i)}`, x: 150, y: 700 - i * 14 }, { text: String(400 + i * 7), x: 300, y: 700 - i * 14 }])
  const made = await markdown(rows.flat())
  expect(Array.from({ length: 18 }, (_, i) => i + 1).filter((number) => !new RegExp(`(?<!\\d)${number}(?!\\d)`).test(made))).toEqual([])
})

it('keeps the raised numbers of notes', async () => {
  const made = await markdown(texts.slice(0, 8).flatMap((text, i) => [{ text: String(i + 1), x: 72, y: 704 - i * 16, size: 7 }, { text, x: 80, y: 700 - i * 16, size: 10 }]))
  expect(made.match(/\d|[⁰¹²³⁴-⁹]/gu)?.map((mark) => mark.normalize('NFKC'))).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})
