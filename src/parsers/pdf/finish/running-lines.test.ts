import { expect, it } from 'vitest'
import { paragraph, type PdfLine, type PdfPageSpec, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

const words = ['harbour', 'lock', 'tide', 'pier', 'buoy', 'quay', 'basin', 'light', 'storm', 'boat', 'anchor', 'rope', 'sail', 'gauge']
/** A line of text that no other page has. */
const line = (page: number, i: number): string => `The ${words[page % 14]} of ${words[(page + i) % 14]} ${String.fromCharCode(97 + page)}${i} was seen by all who came there ${words[i % 14]}`
const text = (page: number): PdfLine[] => paragraph(Array.from({ length: 12 }, (_, i) => line(page, i)), { y: 690 })
const said = (page: number): string => Array.from({ length: 12 }, (_, i) => line(page, i)).join(' ')

async function markdown(pages: readonly PdfPageSpec[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const pages = (count: number, around: (page: number) => readonly PdfLine[]): PdfPageSpec[] => Array.from({ length: count }, (_, page) => ({ lines: [...around(page), ...text(page)] }))
const all = (count: number): string => Array.from({ length: count }, (_, page) => said(page)).join('\n\n')

it('removes running headers that are on every other page, and name the page or the chapter', async () => {
  const heads = (page: number): PdfLine[] => (page % 2 === 0 ? [{ text: 'Tides of the north', x: 72, y: 730, size: 10 }, { text: String(page + 11), x: 520, y: 730, size: 10 }] : [{ text: String(page + 11), x: 72, y: 730, size: 10 }, { text: `Chapter ${Math.floor(page / 4) + 1}: ${words[Math.floor(page / 4)]}`, x: 400, y: 730, size: 10 }])
  expect(await markdown(pages(12, heads))).toBe(all(12))
})

it('removes page numbers, decimal and Roman', async () => {
  const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii']
  expect(await markdown(pages(8, (page) => [{ text: roman[page] ?? '', x: 300, y: 40, size: 10 }]))).toBe(all(8))
})

it('keeps lines at the edge of a page that are on one or two pages only', async () => {
  expect(await markdown(pages(8, (page) => (page < 2 ? [{ text: 'To be read aloud', x: 72, y: 730 }] : [])))).toContain('To be read aloud')
})

it('keeps a footnote on each page, whose numbers count the pages as page numbers do', async () => {
  const noted = (page: number): PdfLine[] => [
    { text: 'So says the book', x: 72, y: 500 },
    { text: String(page + 1), x: 153, y: 504, size: 6 },
    { text: `${page + 1} ${words[page]} and ${words[page + 5]}, in the ${words[page + 2]} of that year.`, x: 72, y: 100, size: 8 },
    { text: String(page + 1), x: 300, y: 40, size: 10 },
  ]
  const made = await markdown(pages(5, noted))
  expect(made.match(/^[¹²³⁴⁵] .*$/gm)).toEqual(['¹', '²', '³', '⁴', '⁵'].map((mark, page) => `${mark} ${words[page]} and ${words[page + 5]}, in the ${words[page + 2]} of that year.`))
  expect(made).not.toMatch(/^[\d#]+$/m)
})

it('removes numbered names of chapters at the foot of pages that refer to no such footnote', async () => {
  expect(await markdown(pages(6, (page) => [{ text: `${page + 1} On the ${words[page]}`, x: 72, y: 40, size: 8 }]))).toBe(all(6))
})

it.each([
  ['entries', (page: number) => `${page + 1}. About the ${words[page]}`],
  ['named parts', (page: number) => `Article ${page + 1}`],
  ['named parts in Roman numbers', (page: number) => `Kapitel ${['I', 'II', 'III', 'IV', 'V'][page]}`],
])('keeps the headings of %s where each page begins with one', async (_what, heading) => {
  const made = await markdown(pages(5, (page) => [{ text: heading(page), x: 72, y: 725, bold: true }]))
  expect([0, 1, 2, 3, 4].filter((page) => !made.includes(`${heading(page)}\n`))).toEqual([])
})

it.each([
  ['Page 1', 'Page 2'],
  ['Seite 1 von 2', 'Seite 2 von 2'],
  ['1 / 2', '2 / 2'],
  ['1', '2'],
  ['- 1 -', '- 2 -'],
])('removes page numbers from two pages: %s', async (...numbers) => {
  expect(await markdown(pages(2, (page) => [{ text: numbers[page] ?? '', x: 300, y: 40, size: 10 }]))).toBe(all(2))
})

it.each(['1', '- 1 -', '\u0096 1 \u0096', 'Page 1', '1/1'])('removes the page number of a single page: %s', async (number) => {
  expect(await markdown(pages(1, () => [{ text: number, x: 300, y: 40, size: 10 }]))).toBe(all(1))
})

it('keeps numbers on two pages that are not those of the pages', async () => {
  const made = await markdown(pages(2, (page) => [{ text: `Seite ${page + 4}`, x: 300, y: 60, size: 10 }, { text: `${page + 1} / 9`, x: 300, y: 40, size: 10 }]))
  expect(['Seite 4', 'Seite 5', '1 / 9', '2 / 9'].filter((one) => !made.includes(one))).toEqual([])
})

it.each([
  ['dates', (page: number) => `${page + 3} March 2026`],
  ['dates with a weekday', (page: number) => `Montag, ${page + 3}. Mai`],
  ['rooms', (page: number) => `Room ${page + 101}`],
  ['teams', (page: number) => `Team ${page + 1}`],
])('keeps %s at the top of pages, which count the pages but say something', async (_what, heading) => {
  const made = await markdown(pages(5, (page) => [{ text: heading(page), x: 72, y: 730, size: 10 }]))
  expect([0, 1, 2, 3, 4].filter((page) => !made.includes(heading(page)))).toEqual([])
})

it('keeps one header and one footer of two pages that both have, at the start and at the end', async () => {
  const made = await markdown(pages(2, (page) => [{ text: 'Harbour office of Northtown', x: 72, y: 730, size: 10 }, { text: 'Notice on tides', x: 72, y: 40, size: 10 }, { text: `Page ${page + 1} of 2`, x: 400, y: 40, size: 10 }]))
  expect(made.replace(/^#+ /gm, '')).toBe(['Harbour office of Northtown', all(2), 'Notice on tides'].join('\n\n'))
})

it.each([
  ['the only line', ['Receipt number #1 of the harbour master']],
  ['the only two lines', ['Receipt number #1', 'Paid to the harbour master']],
])('keeps %s of each of two pages', async (_what, texts) => {
  const own = [1, 2].map((page) => texts.map((text) => text.replace('#1', String(page))))
  const made = await markdown(own.map((some) => ({ lines: some.map((text, i) => ({ text, x: 72, y: 700 - i * 400 })) })))
  expect(made.replace(/^#+ /gm, '').split('\n\n')).toEqual(own.flat())
})

it('keeps different lines at the edges of two pages', async () => {
  const made = await markdown(pages(2, (page) => [{ text: ['To be read aloud', 'To be sung'][page] ?? '', x: 72, y: 730, size: 10 }]))
  expect(made).toMatch(/To be read aloud[^]*To be sung/)
})

it('removes headers from pages of one or two lines', async () => {
  const short = (page: number): PdfPageSpec => ({ lines: [{ text: `${page + 1} of 9`, x: 300, y: 740, size: 10 }, ...text(page).slice(0, page === 3 ? 0 : 2)] })
  const made = await markdown([0, 1, 2, 3, 4, 5, 6, 7, 8].map(short))
  expect(made).not.toMatch(/of 9/)
})

it('removes headers that name the chapter, however few pages it has', async () => {
  const heads = (page: number): PdfLine[] => [{ text: `THE ${words[Math.floor(page / 2)]?.toUpperCase()}`, x: 72, y: 740, size: 10 }, ...(page % 2 === 0 ? [{ text: `The ${words[page / 2]}`, x: 72, y: 715, size: 18, bold: true }] : [])]
  const made = await markdown(pages(8, heads))
  expect(made).not.toMatch(/^THE/m)
  expect(made.match(/^# The \w+$/gm)).toEqual(['# The harbour', '# The lock', '# The tide', '# The pier'])
})
