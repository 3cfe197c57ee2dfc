import { expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu.ts'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'
import { letteredItems } from './lettered-items.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const before = ['The harbour office opens at seven in the morning and closes at eight in the evening, but the', 'lights of the northern pier are on all night. The rules are:']
const page = (rows: readonly (readonly [indent: number, text: string])[]): PdfLine[] => [...paragraph(before, { y: 700 }), ...rows.map(([indent, text], i) => ({ text, x: 72 + indent, y: 672 - 14 * i }))]

it.each([['a.', 'b.', 'c.'], ['a)', 'b)', 'c)'], ['(a)', '(b)', '(c)']])('nests lists with letters and Roman numbers in numbered lists: %s', async (a, b, c) => {
  const made = await markdown(page([[15, '1. Boats enter'], [35, `${a} by day`], [35, `${b} slowly, and`], [58, 'i. with a pilot'], [55, 'ii. with all lights'], [35, `${c} one at a time`], [15, '2. Dogs are welcome']]))
  expect(made).toBe([before.join(' '), `1. Boats enter\n   - ${a} by day\n   - ${b} slowly, and\n     - i. with a pilot\n     - ii. with all lights\n   - ${c} one at a time\n2. Dogs are welcome`].join('\n\n'))
})

it('joins the lines of an item', async () => {
  const made = await markdown(page([[15, '(a) boats with sails, unless they stay for longer than a month or have more than one'], [32, 'mast, of which the office is told'], [15, '(b) rafts']]))
  expect(made).toBe([before.join(' '), '- (a) boats with sails, unless they stay for longer than a month or have more than one mast, of which the office is told\n- (b) rafts'].join('\n\n'))
})

it.each<[what: string, rows: readonly (readonly [number, string])[]]>([
  ['labels in running text', [[0, '(a) boats that stay for a month and are longer than ten metres, which the office has to'], [0, 'measure, and'], [0, '(b) rafts, which are free of charge but must be out of the harbour before the evening.']]],
  ['initials of names', [[15, 'A. Berg built the northern pier'], [15, 'B. Dahl built the lighthouse']]],
  ['a letter alone', [[15, 'a) boats with sails'], [15, 'and all others']]],
  ['letters out of order', [[15, 'a) boats with sails'], [15, 'c) rafts']]],
])('leaves %s', async (_what, rows) => {
  expect(await markdown(page(rows))).not.toMatch(/^ *- /m)
})

it('takes little time for a hostile page', () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => ({ x: i * 11, mark: null, text: 'a. x' }))
  expect(cpuMs(() => letteredItems(lines))).toBeLessThan(2_000)
})
