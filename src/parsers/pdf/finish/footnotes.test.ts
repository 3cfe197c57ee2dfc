import { expect, it } from 'vitest'
import { paragraph, type PdfLine, type PdfPageSpec, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(pages: readonly PdfPageSpec[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const text = ['The harbour office measures the tide every ten minutes at three stations, of', 'which the first is the oldest, and the values are kept for as long as there is', 'paper for it, or somebody who reads them, or a place where they can be seen by']
const mark = (number: string, y: number): PdfLine => ({ text: number, x: 72, y: y + 3, size: 6 })
const note = (words: string, y: number): PdfLine => ({ text: words, x: 76, y, size: 8 })

it('moves footnotes below the paragraph that they interrupt, with superscript marks', async () => {
  const notes = [mark('1', 120), note('The old one, which was built by the master of the', 120), { ...note('harbour himself, says the report.', 110), x: 72 }, mark('2', 100), note('Or parchment, in former times.', 100)]
  const pages = [{ lines: [...paragraph(text, { y: 700 }), ...notes] }, { lines: paragraph(['everyone who goes to sea, and by all others. Nothing else is', 'known of it.'], { y: 700 }) }]
  expect(await markdown(pages)).toBe(
    [`${text.join(' ')} everyone who goes to sea, and by all others. Nothing else is known of it.`, '¹ The old one, which was built by the master of the harbour himself, says the report.', '² Or parchment, in former times.'].join('\n\n'),
  )
})

it('recognises footnotes in the body size by their superscript marks, low on the page', async () => {
  const notes = [mark('1', 120), { ...note('The old one, which was built by the master.', 120), size: 11 }]
  const pages = [{ lines: [...paragraph(text, { y: 700 }), ...notes] }, { lines: paragraph(['everyone who goes to sea, and by all others. Nothing else is', 'known of it.'], { y: 700 }) }]
  expect(await markdown(pages)).toBe([`${text.join(' ')} everyone who goes to sea, and by all others. Nothing else is known of it.`, '¹ The old one, which was built by the master.'].join('\n\n'))
  const above = [mark('1', 710), { ...note('School of the Harbour', 710), size: 11 }]
  expect(await markdown([{ lines: [...above, ...paragraph(text, { y: 640 })] }])).toContain('¹School of the Harbour')
})

it('does not move small print without marks', async () => {
  const made = await markdown([{ lines: [...paragraph(text, { y: 700 }), note('The old one was built by the master.', 120)] }])
  expect(made).toBe(`${text.join(' ')}\n\nThe old one was built by the master.`)
})

it.each(['2024 by the harbour office', '3.5 million boats a year', '1,250 boats a year', '20 % of all boats', '12/2024 edition', '5–7 boats a day'])('does not take a part of a number for a mark: %s', async (said) => {
  const made = await markdown([{ lines: [...paragraph(text, { y: 700 }), note(said.replace('–', '\u0096'), 120)] }])
  expect(made).toBe(`${text.join(' ')}\n\n${said}`)
})
