import { expect, it } from 'vitest'
import { type PdfLine, type PdfPageSpec, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(pages: readonly PdfPageSpec[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const size = [720, 405] as const
const title = (text: string, x = 43): PdfLine => ({ text, x, y: 342, size: 33 })
const column = (texts: readonly string[], x: number, from = 0, step = 26): PdfLine[] => texts.map((text, i) => ({ text, x, y: 286 - step * (i + from), size: 21 }))
const items = (texts: readonly string[], x: number, from = 0): PdfLine[] => column(texts.map((text, i) => `${i + 1}. ${text}`), x, from)

it('reads lists side by side on a slide one after the other, not as a table', async () => {
  const made = await markdown([{ size, lines: [title('Pros and cons'), ...column(['Pros'], 43), ...items(['cheap', 'easy to carry', 'no power needed'], 43, 1), ...column(['Cons'], 373), ...items(['slow', 'needs a boat', 'one value a day'], 373, 1)] }])
  expect(made).toMatch(/^# Pros and cons\s+Pros\s+1\. cheap\s+2\. easy to carry\s+3\. no power needed\s+Cons\s+1\. slow\s+2\. needs a boat\s+3\. one value a day\s*$/)
})

it('reads three lists with titles of their own, whose items start somewhat behind these, and what follows below', async () => {
  const lists = [['By hand', 'cheap', 'slow', 'easy'], ['By sensor', 'fast', 'costly', 'drifts'], ['By plane', 'wide', 'rare', 'cloudy']] as const
  const lines = lists.flatMap(([name, ...own], i) => [...column([name], 43 + 220 * i), ...items(own, 58 + 220 * i, 1)])
  const made = await markdown([{ size, lines: [title('Three ways'), ...lines, ...column(['All three are used together in the larger rivers of the land.'], 43, 6)] }])
  expect(made.replace(/\s+/g, ' ')).toBe('# Three ways By hand 1. cheap 2. slow 3. easy By sensor 1. fast 2. costly 3. drifts By plane 1. wide 2. rare 3. cloudy All three are used together in the larger rivers of the land.')
})

const prose = [['Bottles for samples are', 'rinsed three times before', 'they are filled in the river.'], ['Sensors in the river bed', 'are calibrated each week', 'by the operator.']] as const

it('reads paragraphs side by side with a list below one of them', async () => {
  const made = await markdown([{ size, lines: [title('Two columns', 400), ...column(prose[0], 43), ...column(prose[1], 373), ...items(['Rinse the bottle', 'Fill it'], 43, 4)] }])
  expect(made.replace(/\s+/g, ' ')).toBe(`# Two columns ${prose[0].join(' ')} 1. Rinse the bottle 2. Fill it ${prose[1].join(' ')}`)
})

it.each<[what: string, page: PdfPageSpec]>([
  ['words with their meaning', { size, lines: [title('Terms'), ...column(['Load', 'Flow', 'Haze'], 43), ...column(['Concentration times flow', 'Volume in a second', 'Light that is lost'], 250)] }],
  ['lists between lines', { size, rules: [[40, 310, 680, 310], [40, 279, 680, 279], [40, 201, 680, 201]], lines: [title('Terms'), ...column(['Load', 'Flow'], 43, 0, 78), ...items(['heavy', 'light'], 373, 0), ...items(['fast', 'slow'], 373, 3)] }],
])('keeps tables: %s', async (_, page) => {
  const made = await markdown([page])
  expect(made.indexOf(page.lines?.at(-1)?.text ?? '')).toBeGreaterThan(made.indexOf('Flow'))
  expect(made.replace(/(?:[\s|•-]|\d\.)+/g, ' ')).toMatch(/Load (?:Concentration|heavy)/)
})

const rows = (columns: readonly number[], cells: readonly (readonly string[])[]): PdfLine[] => cells.flatMap((row, i) => row.flatMap((text, at) => (text === '' ? [] : [{ text, x: columns[at] ?? 0, y: 286 - 26 * i, size: 19 }])))

it.each<[what: string, columns: readonly number[], cells: readonly (readonly string[])[], row: RegExp]>([
  ['dates in two columns', [43, 260, 500], [['Beginn', 'Ende', 'Kurs'], ['3. Mai 2025', '5. Mai 2025', 'Wasser'], ['12. Mai 2025', '14. Mai 2025', 'Luft'], ['2. Juni 2025', '6. Juni 2025', 'Boden']], /12\. Mai 2025\W+14\. Mai 2025\W+Luft/],
  ['dashes for values that are missing', [43, 240, 380, 520], [['River', '2021', '2022', '2023'], ['Rhine', '-', '3.1', '3.3'], ['- Upper', '-', '1.2', '1.1'], ['- Lower', '2.2', '-', '0.7']], /Upper\W+1\.2\W+1\.1\W+Lower\W+2\.2\W+0\.7/],
  ['lists in cells, with names of the rows', [43, 200, 460], [['', 'By hand', 'By sensor'], ['Cost', '- cheap', '- costly'], ['', '- no power', '- needs power'], ['Time', '- slow', '- fast'], ['', '- weekly', '- each minute']], /Cost\W+cheap\W+no power\W+costly\W+needs power\W+Time/],
])('keeps the rows of a table without lines: %s', async (_, columns, cells, row) => {
  expect(await markdown([{ size, lines: [title('Table'), ...rows(columns, cells)] }])).toMatch(row)
})

/** A page of paper laid across. */
const paper = (cells: readonly (readonly string[])[], columns: readonly number[], more: readonly PdfLine[]): PdfPageSpec => ({ size: [842, 595], lines: [...more, ...cells.flatMap((row, i) => row.flatMap((text, at) => (text === '' ? [] : [{ text, x: columns[at] ?? 0, y: 460 - 28 * i, size: 18 }])))] })

it('keeps items with what is said of each, which goes on below', async () => {
  const cells = [['- Director', 'Leads the institute and speaks for it in all of'], ['', 'the matters that concern the town and the state.'], ['- Secretary', 'Writes the minutes and sends them to all who are'], ['', 'members of the board within a week.'], ['- Treasurer', 'Keeps the accounts and reports on them to the'], ['', 'members once in a year, in spring.']]
  expect(await markdown([paper(cells, [60, 260], [{ text: 'Duties', x: 60, y: 530, size: 28 }])])).toMatch(/Director\W+Leads[^]*Secretary\W+Writes[^]*Treasurer\W+Keeps/)
})

it('keeps names of columns that stand in small letters at the same place of all pages', async () => {
  const small = ['Article', 'Size', 'Price'].map((text, i): PdfLine => ({ text, x: [60, 360, 560][i] ?? 0, y: 488, size: 12 }))
  const pages = ['A', 'B', 'C', 'D'].map((name, i) => paper([1, 2, 3, 4, 5, 6, 7, 8].map((j) => [`Pump ${name}${j}`, `${j * 3 + i} cm`, `${j * 17 + i * 3}.50 EUR`]), [60, 360, 560], [{ text: 'Price list of spring', x: 60, y: 530, size: 26 }, ...small]))
  const made = await markdown(pages)
  // Tables that go on over pages have the names of their columns once.
  for (const { text } of small) expect(made).toContain(text)
})

const numbered = (texts: readonly string[]): PdfLine[] => texts.flatMap((text, i) => [{ text: String(i + 1), x: 48, y: 286 - 40 * i + 3, size: 12 }, { text, x: 70, y: 286 - 40 * i, size: 21 }])

it('writes numbers in balls before items as those of a list', async () => {
  expect(await markdown([{ size, lines: [title('Conclusion'), ...numbered(['Sensors pay off after two years.', 'Nitrate rises downstream.'])] }])).toMatch(/\n1\. Sensors pay off after two years\.\n+2\. Nitrate rises downstream\./)
})

it('makes items of bullets in smaller letters than their texts, also inner ones', async () => {
  const bullet = (text: string, x: number, y: number): PdfLine[] => [{ text: '>', x, y: y + 5, size: 10 }, { text, x: x + 23, y, size: 24 }]
  const made = await markdown([{ size, lines: [title('Tides'), ...bullet('Water rises twice a day', 28, 290), ...bullet('in most of all the seas', 51, 250), ...bullet('See the tables of the year', 28, 210)] }])
  expect(made.trim()).toBe('# Tides\n\n- Water rises twice a day\n  - in most of all the seas\n- See the tables of the year')
})

it('leaves out the sidebar, header and footer that most slides have, also where the library takes them for cells', async () => {
  const around = ['Background', 'Methods', 'Results'].map((text, i): PdfLine => ({ text, x: 8, y: 300 - 14 * i, size: 10 }))
  const slides = ['Rivers carry salts.', 'Mines leave metals.', 'Farms leave nitrate.', 'Towns leave phosphate.'].map((text, i): PdfPageSpec => {
    const footer = [{ text: 'A. Smith', x: 30, y: 8, size: 9 }, { text: 'River water', x: 330, y: 8, size: 9 }, { text: `${i + 1}/4`, x: 690, y: 8, size: 9 }]
    return { size, lines: [title(`Slide ${'ABCD'[i] ?? ''}`, 120), ...around, ...column([text, 'It is so in all rivers of the land, and has been so', 'for as long as anybody has measured them here.'], 120), ...footer] }
  })
  expect((await markdown(slides)).replace(/\s+/g, ' ')).toBe('# Slide A Rivers carry salts. REST # Slide B Mines leave metals. REST # Slide C Farms leave nitrate. REST # Slide D Towns leave phosphate. REST'.replaceAll('REST', 'It is so in all rivers of the land, and has been so for as long as anybody has measured them here.'))
})

it('takes a date in small letters for no footnote', async () => {
  expect(await markdown([{ size, lines: [title('River water'), ...column(['A field guide for all who measure the rivers of', 'the land, by those who have done so for long,', 'and would have liked to have it then.'], 43), { text: '12 March 2025', x: 43, y: 60, size: 12 }] }])).toMatch(/^(?:## )?12 March 2025$/m)
})
