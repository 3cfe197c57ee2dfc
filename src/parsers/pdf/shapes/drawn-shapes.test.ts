import { expect, it } from 'vitest'
import { packedPdfFile, pdfFile } from '../../../../test/pdf.ts'
import { drawingsOf } from './page-drawings.ts'

const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
const page = '<< /Type /Page /Parent 2 0 R /Contents [4 0 R] /Annots [<< /Contents (a \\) b >>) /Type /Annot >>] >>'
const tree = (more: string): string => `<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 200] ${more} >>`
const file = (content: string, more = '', forms: Parameters<typeof pdfFile>[0] = []): Parameters<typeof pdfFile>[0] => [catalog, tree(more), page, { head: '', stream: Buffer.from(content) }, ...forms]
const boxes = (bytes: Buffer): number[][] => drawingsOf(bytes, 1)(0).shapes.map(({ left, bottom, right, top }) => [left, bottom, right, top])

it.each([
  ['boxes', '10 20 30 40 re f', [[10, 20, 40, 60]]],
  ['lines of a path', '10 20 m 30 20 l 30 60 l S', [[10, 20, 30, 20], [30, 20, 30, 60]]],
  ['moved and scaled paths', 'q 2 0 0 -2 5 100 cm 0 0 10 10 re f Q 0 0 1 1 re f', [[5, 80, 25, 100], [0, 0, 1, 1]]],
  ['curves', '0 0 m 0 4 4 4 4 0 c f', [[0, 0, 4, 0]]],
  ['none of clipping paths, texts, comments and pictures', '0 0 9 9 re W n (1 1 5 5 re f \\( \\)) Tj % 0 0 1 1 re f\n<</A (0 0 1 1 re f)>> gs BI /W 1 ID 0 0 1 1 re f EI 0 0 2 2 re f', [[0, 0, 2, 2]]],
])('tells %s', (_what, content, expected) => {
  expect(boxes(pdfFile(file(content)))).toEqual(expected)
})

it('counts positions from the corner of the visible box, which pages inherit', () => {
  expect(boxes(pdfFile(file('10 20 30 40 re f', '/CropBox [5 5 200 100]')))).toEqual([[5, 15, 35, 55]])
})

it('draws forms within forms, but one that contains itself only so often', () => {
  const form = { head: '/Type /XObject /Subtype /Form /BBox [0 0 90 90] /Matrix [1 0 0 1 3 0] /Resources << /XObject << /A 5 0 R >> >>', stream: Buffer.from('1 1 5 5 re f /A Do') }
  const found = boxes(pdfFile(file('/A Do', '/Resources << /XObject << /A 5 0 R >> >>', [form])))
  expect(found.slice(0, 2)).toEqual([[4, 1, 9, 6], [7, 1, 12, 6]])
  expect(found.length).toBeLessThan(10)
})

it('finds pages in object streams', () => {
  expect(boxes(packedPdfFile(file('10 20 30 40 re f')))).toEqual([[10, 20, 40, 60]])
})

it.each([
  ['the tree of pages is a loop', pdfFile([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1 >>'])],
  ['its length is wrong', pdfFile([catalog, tree(''), page, { head: '/Filter /FlateDecode', stream: Buffer.from('no stream') }])],
  ['there is no catalog', Buffer.from('%PDF-1.4')],
])('tells nothing when %s', (_what, bytes) => {
  expect(boxes(bytes)).toEqual([])
})
