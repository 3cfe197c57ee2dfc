import { expect, it } from 'vitest'
import { paragraph, type PdfLine, type PdfPageSpec, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

type Around = readonly [topLeft: string, topRight: string, bottomLeft: string, bottomRight: string]

const title = 'How we count otters | River Trust'
const texts = ['Each January, forty volunteers walk the banks of the river, and note', 'every track that they find. The count has been going since 1998.']
/** A page of text that comes close to what is printed around it. */
const page = ([topLeft, topRight, bottomLeft, bottomRight]: Around): PdfPageSpec => ({
  lines: [
    ...[{ text: topLeft, x: 24, y: 770, size: 8 }, { text: topRight, x: 300, y: 770, size: 8 }].filter(({ text }) => text !== ''),
    { text: 'Otters', x: 40, y: 740, size: 22, bold: true },
    ...paragraph(texts, { x: 40, y: 60 }),
    ...[{ text: bottomLeft, x: 24, y: 30, size: 8 }, { text: bottomRight, x: 500, y: 30, size: 8 }].filter(({ text }) => text !== ''),
  ] satisfies PdfLine[],
})

async function markdown(pages: readonly PdfPageSpec[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages, info: { Title: title } }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const text = `# Otters\n\n${texts.join(' ')}`
const address = 'https://river.example/otters?year=2026'

it.each<Around>([
  ['11/27/26, 3:35\u00a0PM', title, address, '1/1'],
  ['27/11/2026, 15:35', title, address, '1/1'],
  ['27.11.26, 15:35', title, address, '1/1'],
  ['27/11/2026 15:35', title, address, '1/1'],
  ['2026/11/27 15:35', title, address, '1/1'],
  ['2026-11-27 15:35', title, address, '1/1'],
  ['2026. 11. 27. 15:35', title, address, '1/1'],
  ['27.11.2026 klo 15.35', title, address, '1/1'],
  ['27/11/26 3:35 p.m.', title, address, '1/1'],
  ['15:35 27/11/26', title, address, '1/1'],
  ['27/11/2026', title, address, '1/1'],
  [title, address, '1 of 1', '27/11/2026, 15:35'],
  [title, '27/11/2026, 15:35', address, 'Seite 1 von 1'],
  ['11/27/26, 3:35 PM', 'How we count otters | Riv\u0085', 'https://river.example/ott\u0085', '1/1'],
  ['11/27/26, 3:35 PM', '', 'file:///otters.html', '1/1'],
])('removes what a browser prints around a page: %s | %s | %s | %s', async (...around) => {
  expect(await markdown([page(around)])).toBe(text)
})

it('removes what a browser prints around each of two pages', async () => {
  const [first, second] = [1, 2].map((number) => page(['11/27/26, 3:35 PM', title, address, `${number}/2`]))
  const other = { lines: (second?.lines ?? []).map((line) => ({ ...line, text: line.text.replace('forty', 'fifty').replace('every track', 'each lair').replace('1998', '2004') })) }
  expect(await markdown([first ?? {}, other])).toBe(`${text}\n\n${text.replace('forty', 'fifty').replace('every track', 'each lair').replace('1998', '2004')}`)
})

it.each<[why: string, around: Around]>([
  ['without an address', ['27/11/2026, 15:35', title, 'River Trust', 'Office of Northtown']],
  ['with other words', ['27/11/2026, 15:35', 'Minutes of the board', address, '1/1']],
  ['with other words at the foot', ['27/11/2026, 15:35', title, `See ${address}`, '1/1']],
  ['with a day and the host of a firm', ['27/11/2026', title, 'https://river.example/', '1/1']],
  ['without the number of the page', ['27/11/2026, 15:35', title, address, '']],
])('keeps lines around a page %s', async (_why, around) => {
  const made = await markdown([page(around)])
  const said = made.replace(/\[(.*?)\]\(.*?\)/g, '$1')
  expect(around.filter((part) => part !== '1/1' && !said.includes(part))).toEqual([])
})
