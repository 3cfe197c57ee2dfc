import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const left = [
  'The harbour was built by the company that ran the',
  'railway, and it served the saw mills of the valley for',
  'many years. The quay had room for three ships of the',
  'usual size, and a crane of five tonnes moved the timber',
  'from the wagons. In the years after the war all of the',
  'mills closed one after another, and so the harbour lost',
  'its trade to a port that is larger and lies in the south,',
  'where the ships of the company go to this day. It was',
  'much later that the town bought the land. A new quay',
]
const right = ['was built of concrete then, and the sheds were let to', 'fishermen of the town. The crane was sold to a museum,', 'where it can still be seen on Sundays.']
const column = (texts: readonly string[], x: number, from = 0, step = 13): PdfLine[] => texts.map((text, i) => ({ text, x, y: 700 - step * (i + from), size: 9 }))

it.each<[what: string, lines: readonly PdfLine[]]>([
  ['one after the other', [...column(left, 60), ...column(right, 310)]],
  ['line by line', column(left, 60).flatMap((line, i) => [line, ...column(right, 310).slice(i, i + 1)])],
])('reads a short second column after the first, and joins the paragraph that goes on: drawn %s', async (_, lines) => {
  expect(await markdown([{ text: 'The end of the harbour', x: 200, y: 740, size: 16 }, ...lines])).toContain([...left, ...right].join(' '))
})

it('reads authors side by side above columns one after the other, each with the address', async () => {
  const authors = [
    [['Mira Holt', 142], ['School of Time', 130], ['Westbrook', 138.5], ['mira@example.com', 120]],
    [['Anna Reed', 387.5], ['Museum of Clocks', 373], ['Eastbrook', 390], ['anna@example.org', 370.5]],
  ] as const
  const named = authors.flatMap((texts) => texts.map(([text, x], i) => ({ text, x, y: 671 - 11 * i, size: 9 })))
  const made = await markdown([{ text: 'The end of the harbour', x: 200, y: 700, size: 16 }, ...named, ...column(left, 60, 8), ...column(right, 310, 8)])
  expect(made).toMatch(/Mira Holt\s+School of Time\s+Westbrook\s+mira@example\.com\n\nAnna Reed\s+Museum of Clocks\s+Eastbrook\s+anna@example\.org\n\nThe harbour was built/)
})

it('joins no labels of a figure at the top of a column with the paragraph of the column before', async () => {
  const labels = [{ text: 'water level of the upper vessel', x: 350, y: 700, size: 9 }]
  const made = await markdown([{ text: 'The end of the harbour', x: 200, y: 740, size: 16 }, ...column(left, 60), ...labels, ...column([...right.slice(0, 2), ...left.slice(1, 5), ...right.slice(2)], 310, 3)])
  expect(made).toContain('A new quay\n\nwater level of the upper vessel')
})

it('joins the last line of a paragraph at the top of a column', async () => {
  const others = ['was built then.', ...left.slice(0, 5)]
  expect(await markdown([{ text: 'The end of the harbour', x: 200, y: 740, size: 16 }, ...column(left, 60), ...column(others, 310)])).toContain('A new quay was built then.')
})

it('keeps the rows of a table with sentences in both columns', async () => {
  const cells: readonly (readonly [string[], string[]])[] = [
    [['The quay has room for three ships of the usual size,', 'and for boats of the town beside the northern wall.'], ['Ships that are longer than that have to wait outside', 'of the harbour until a pilot comes to them.']],
    [['The crane moves all timber from the wagons, but only', 'on days with little wind from the open sea.'], ['It was sold to a museum, where it can still be seen on', 'Sundays when the gates are open to the public.']],
  ]
  const lines = cells.flatMap(([one, other], i) => [...column(one, 60, i * 2.6), ...column(other, 310, i * 2.6)])
  const made = await markdown(lines)
  expect(made.indexOf('Ships that are longer')).toBeLessThan(made.indexOf('The crane moves'))
})

async function document(name: string): Promise<string> {
  const reply = await readPdf({ bytes: readFileSync(new URL(`../../../../test/documents/made/${name}`, import.meta.url)), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

/** Where each of these stands in a text. */
const placesOf = (text: string, parts: readonly string[]): number[] => parts.map((part) => text.indexOf(part))

it('reads a paper of LaTeX in columns with a narrow gap: text, table and figure where they stand, and no table of its sentences', async () => {
  const made = await document('tex-paper.pdf')
  const numbers = [...made.matchAll(/Sentence (\d+) says/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 76 }, (_, i) => i + 1))
  expect(made).toContain('so any beside an this while. Sentence 45 says')
  const places = placesOf(made, ['Sentence 16 says', 'Table 1: Mean', '|Abbey|12|58.9|', 'Figure 1: The level', 'Sentence 17 says'])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(made).toContain('|Abbey|58.9|59.2|58.8|58.0|has a bronze outlet|')
  expect(made.match(/^\|---/gm)).toHaveLength(3)
})

it('keeps a table and its caption in their column, and the indentation of code at the top of the next', async () => {
  const made = await document('groff-paper.pdf')
  const places = placesOf(made, ['eighteen degrees.', '|Abbey|12|58.9|', 'Table 1. Mean', 'The clock of the ferry', 'program, which we give in full:', 'for vessel in', 'outlet grows with', 'Further work'])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(made).toContain('for vessel in vessels:\n    level = vessel.top\n')
  expect(made).toContain('but the outlet grows')
})
