import { expect, it } from 'vitest'
import { paragraph, pdfFile, samplePdf } from '../../../test/pdf.ts'
import { readPdf } from './read.ts'

async function needing(bytes: Buffer): Promise<readonly number[] | string> {
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  return 'document' in reply ? reply.document.pagesNeedingOcr : JSON.stringify(reply)
}

it('does not list a blank page as one that lacks text', async () => {
  const text = { lines: paragraph(['The harbour office measures the tide every ten minutes at three stations.', 'The values are kept.'], { y: 700 }) }
  expect(await needing(samplePdf({ pages: [text, {}, { scanned: true }, text, {}] }))).toEqual([3])
})

it('lists scans that a line was added to, but not pictures that text stands on or beside', async () => {
  const picture = 'q 500 0 0 640 56 60 cm /Im1 Do Q'
  const beside = paragraph(['The harbour office measures the tide every ten minutes at three', 'stations, and writes the values down in a book that is kept in the', 'library of the town, where all of the people of the town may read it', 'on each of the days on which it is open, and on others if they ask.'], { y: 770 })
  const on = [{ text: 'The harbour office measures the tide', x: 100, y: 400, unseen: true }]
  expect(await needing(samplePdf({ pages: [{ drawing: picture, lines: [{ text: 'Scanned by the harbour office, 1', x: 72, y: 750 }] }, { drawing: picture, lines: beside }, { drawing: picture, lines: on }] }))).toEqual([1])
})

it('lists pages whose letters are drawn as paths, but not pages that only clip', async () => {
  const page = (content: number): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R >>`
  const drawn = Array.from({ length: 200 }, (_, i) => `${72 + i} 700 m ${74 + i} 710 l S`).join('\n')
  const bytes = pdfFile(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>', page(5), page(6), { head: '', stream: Buffer.from(drawn) }, { head: '', stream: Buffer.from('q 0 0 612 792 re W n Q') }])
  expect(await needing(bytes)).toEqual([1])
})

it('lists pages that draw letters as paths after they set a font', async () => {
  const curves = Array.from({ length: 200 }, (_, i) => `${72 + i} 700 m ${74 + i} 710 ${76 + i} 710 ${78 + i} 700 c h`).join('\n')
  expect(await needing(samplePdf({ pages: [{ drawing: `BT /F1 12 Tf ET ${curves} f` }] }))).toEqual([1])
})
