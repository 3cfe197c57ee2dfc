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

it('joins a digit of two lines, as TeX sets it, with the first of them', async () => {
  const texts = ['914 was the year in which the lock was closed for the first time, when', 'nobody passed it for four years, and grass grew on the walls of it,', 'and sheep came to eat the grass that grew there in the summer.']
  const lines = texts.map((text, i): PdfLine => ({ text, x: i === 2 ? 72 : 88, y: 700 - 13.6 * i, size: 11 }))
  const made = await markdown([{ text: '1', x: 72, y: 686.4, size: 25 }, ...lines])
  expect(made.replace(/\s+/g, ' ')).toBe(`1${texts.join(' ')}`)
})

it('keeps the number of a step apart from the number that its text begins with', async () => {
  const steps = ['200 g of flour and a spoon of salt are put into a', '300 ml of warm water are poured over it, and now'].flatMap((text, i): PdfLine[] => [
    { text: String(i + 1), x: 72, y: 686.4 - 60 * i, size: 25 },
    ...[text, 'everything is mixed well for ten minutes, until it', 'comes off the walls of the bowl.'].map((one, at): PdfLine => ({ text: one, x: 94, y: 700 - 60 * i - 13.6 * at, size: 11 })),
  ])
  const made = await markdown([{ text: 'Bread for four people, as it is made at the coast, takes two hours of your time, and then', x: 72, y: 740 }, ...steps])
  expect(made.match(/\d+/g)?.sort()).toEqual(['1', '2', '200', '300'])
})
