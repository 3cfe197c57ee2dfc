import { expect, it } from 'vitest'
import { paragraph, samplePdf } from '../../../../test/pdf.ts'
import { readPdf } from '../read.ts'

const order = { mode: 'auto', pages: false, pageMarkers: false, html: false } as const
const texts = ['harbour', 'railway', 'airport', 'library'].map((name) => [
  `The office of the ${name} has been closed to all visitors from the north since`,
  `the spring of the year, and nobody who works at the ${name} knows when it will`,
  `open again, or who is going to pay for the repairs of the ${name} that are due.`,
  `Meanwhile the staff of the ${name} answers letters from another building.`,
])
const stamp = '0.8 g BT /F2 80 Tf .7071 .7071 -.7071 .7071 150 500 Tm (DRAFT) Tj ET 0 g'
const page = (lines: readonly string[]): { readonly lines: ReturnType<typeof paragraph> } => ({ lines: paragraph(lines, { y: 650, size: 11 }) })
const markdownOf = async (pages: Parameters<typeof samplePdf>[0]['pages']): Promise<unknown> => {
  const reply = await readPdf({ bytes: samplePdf({ pages }), order })
  return 'document' in reply ? reply.document.markdown : reply
}

it('leaves out what is stamped across the text of all pages', async () => {
  expect(await markdownOf(texts.map((lines) => ({ ...page(lines), drawing: stamp })))).toBe(texts.map((lines) => lines.join(' ')).join('\n\n'))
})

it('writes what is stamped across one page below its text', async () => {
  const [first = [], second = []] = texts
  expect(await markdownOf([{ ...page(first), drawing: stamp }, page(second)])).toBe(`${first.join(' ')}\n\nDRAFT\n\n${second.join(' ')}`)
})

it('keeps slanted words that stand above columns', async () => {
  const heads = ['Area', 'People'].map((text, i) => `BT /F1 10 Tf .7071 .7071 -.7071 .7071 ${200 + 90 * i} 620 Tm (${text}) Tj ET`).join('\n')
  const rows = [['Wick', '412', '7155'], ['York', '271', '1537']].flatMap((cells, row) => cells.map((text, i) => ({ text, x: 80 + 110 * i, y: 600 - 16 * row })))
  const markdown = await markdownOf([{ lines: rows, drawing: heads }])
  for (const word of ['Area', 'People', 'Wick', '7155']) expect(markdown).toContain(word)
})
