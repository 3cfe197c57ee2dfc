import { expect, it } from 'vitest'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const before = ['The harbour office opens at seven in the morning and closes at eight in the evening, but the', 'lights of the northern pier are on all night. The fee depends on the boat:']
/** Lines below the text at distances from the margin; WinAnsi has the dashes at 0x96 and 0x97. */
const page = (rows: readonly (readonly [indent: number, text: string])[]): PdfLine[] => [...paragraph(before, { y: 700 }), ...rows.map(([indent, text], i) => ({ text: text.replace('–', '\u0096').replace('—', '\u0097'), x: 72 + indent, y: 672 - 14 * i }))]

it.each(['–', '—'])('makes a list of lines with a dash: %s', async (dash) => {
  const made = await markdown(page([[15, `${dash} Boats with sails: twelve euros`], [15, `${dash} Fishing boats: eight euros`], [15, `${dash} Rafts: free`]]))
  expect(made).toBe([before.join(' '), '- Boats with sails: twelve euros\n- Fishing boats: eight euros\n- Rafts: free'].join('\n\n'))
})

it('makes a list of sentences with dashes whose lines are indented below the first one', async () => {
  const made = await markdown(page([[15, '— Boats with sails pay twelve euros from April on, unless they stay for longer than'], [27, 'a month.'], [15, '— Fishing boats pay eight euros.'], [0, 'The fee is due in May.']]))
  expect(made).toBe([before.join(' '), '- Boats with sails pay twelve euros from April on, unless they stay for longer than a month.\n- Fishing boats pay eight euros.', 'The fee is due in May.'].join('\n\n'))
})

it.each<[what: string, rows: readonly (readonly [number, string])[]]>([
  ['speech', [[15, '— Is the pier closed?'], [15, '— It is.'], [15, '— Then we wait.']]],
  ['speech that goes on at the margin', [[15, '— Is the pier closed to all boats that are longer than ten metres, or only to those'], [0, 'that have no radio?'], [15, '— To all of them, for as long as the storm lasts, and until the office says that the'], [0, 'light is green.']]],
  ['a dash within a sentence', [[15, '— Boats with sails, that is'], [15, 'and all others are free of charge.']]],
])('leaves the dashes of %s', async (_what, rows) => {
  expect(await markdown(page(rows))).not.toMatch(/^- /m)
})
