import { expect, it } from 'vitest'
import { paragraph, type PdfLine, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

async function markdown(lines: readonly PdfLine[]): Promise<string> {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{ lines }] }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.markdown : JSON.stringify(reply)
}

const rest = ['the tide every ten minutes at three stations, and has done so since the', 'year of the great storm, as everyone knows who was there at that time.']
const begun = (letter: string, words: string): PdfLine[] => [{ text: letter, x: 72, y: 672, size: 38 }, { text: words, x: 98, y: 700, size: 11 }, { text: rest[0] ?? '', x: 98, y: 686, size: 11 }, { text: 'in all of the harbour of the north, where it is cold and dark most of', x: 98, y: 672, size: 11 }, ...paragraph([rest[1] ?? ''], { y: 658 })]
const after = `${rest[0]} in all of the harbour of the north, where it is cold and dark most of ${rest[1]}`

it.each([
  ['a letter and the rest of its word', 'T', 'he harbour office measures and writes down', 'The harbour office measures and writes down'],
  ['a letter that is a word', 'A', 'harbour office measures and writes down', 'A harbour office measures and writes down'],
])('joins %s that begin a paragraph', async (_what, letter, words, expected) => {
  expect(await markdown(begun(letter, words))).toBe(`${expected} ${after}`)
})
