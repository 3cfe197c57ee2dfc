import { expect, it } from 'vitest'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

type Entry = readonly [label: string, ...text: readonly string[]]

/** Entries with their labels in a column, which ends before the text of all of them. */
const entries = (all: readonly Entry[]): PdfLine[] => {
  let y = 700
  return all.flatMap(([label, ...texts]) => texts.map((text, i) => ({ text, x: 146, y: (y -= 14), label: i === 0 ? label : '' }))).flatMap(({ label, ...line }): PdfLine[] => [...(label === '' ? [] : [{ text: label, x: 135 - 5 * label.length, y: line.y, size: 10 }]), { ...line, size: 10 }])
}
const jobs: readonly Entry[] = [
  ['2018-2024', 'Keeper of the north pier, with a duty to publish', 'the level of the tide each morning before seven'],
  ['2014-2018', 'Clerk of the harbour office in Southport, where', 'letters and bills of all boats were written'],
  ['2011', 'Guard of the swimming pool, in summer only'],
]

it('makes a paragraph of each text with a date in a column beside it', async () => {
  expect(await markdown(entries(jobs))).toBe(jobs.map((entry) => entry.join(' ')).join('\n\n'))
})

it('joins text beside which a note goes on in small letters', async () => {
  const notes = ['The tide', 'rises in', 'the north'].map((text, i): PdfLine => ({ text, x: 72, y: 686 - 14 * i, size: 10 }))
  const text = ['The office measures the level of the tide at three', 'stations, and it publishes the levels each morning', 'before seven, so that boats can leave in time.']
  const made = await markdown([...notes, ...paragraph(text, { x: 146, y: 686 })])
  expect(made).not.toContain('\n\nthe north')
})
