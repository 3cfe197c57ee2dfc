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

it('lists pages whose letters are drawn as paths, but not pages that only clip', async () => {
  const page = (content: number): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R >>`
  const drawn = Array.from({ length: 200 }, (_, i) => `${72 + i} 700 m ${74 + i} 710 l S`).join('\n')
  const bytes = pdfFile(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>', page(5), page(6), { head: '', stream: Buffer.from(drawn) }, { head: '', stream: Buffer.from('q 0 0 612 792 re W n Q') }])
  expect(await needing(bytes)).toEqual([1])
})
