import { expect, it } from 'vitest'
import { pdfFile, samplePdf } from '../../../../test/pdf.ts'
import { metadataOf } from './metadata.ts'
import { blocksOf } from '../blocks.ts'
import { readPdf } from '../read.ts'

const titleOf = (title: string, ...pages: readonly string[]): string | undefined => metadataOf({ title }, pages.map((markdown) => ({ blocks: blocksOf(markdown) })))['title']

it('reads dates of every length, and no others', () => {
  expect(["D:20260102030405+01'30'", 'D:20260102030405Z', 'D:2026', '20260102', 'yesterday', 'D:20261399', 'D:20260231'].map((created) => metadataOf({ created }, [])['publishedTime'])).toEqual(['2026-01-02T03:04:05+01:30', '2026-01-02T03:04:05Z', '2026', '2026-01-02', undefined, undefined, undefined])
})

it('gives a time without a zone as it is: its place is not known', () => {
  const { publishedTime, modifiedTime } = metadataOf({ created: 'D:20260102030405', modified: '2026-01-02T03:04' }, [])
  expect([publishedTime, modifiedTime]).toEqual(['2026-01-02T03:04:05', '2026-01-02T03:04:00'])
})

it.each(['', 'untitled', '(anonymous)', 'Untitled-1', 'Microsoft Word - draft3.doc', 'tide_report_v2.indd', 'Report final.docx', 'PowerPoint Presentation', 'Slide 1', 'C:\\Users\\me\\report', 'Dokument1', 'about:blank', '12', '----'])('takes the largest heading of the first page for the title where the file says %j', (title) => {
  expect(titleOf(title, '### Harbour office\n\n# Tide *report*<sup>∗</sup>\n\n# Methods\n\ntext', '# Other')).toBe('Tide report')
})

it.each(['Tide report', 'Node.js in Practice', 'About .doc', 'Документ', '第1章', 'Microsoft and the tides'])('keeps the title %j', (title) => {
  expect(titleOf(title, '# Other')).toBe(title)
})

it('invents no title without a suitable heading', () => {
  expect(titleOf('untitled', 'text', '### Deep', 'text')).toBe(undefined)
  expect(titleOf('untitled', '## L<sup>A</sup>TEX of [the office](https://example.com/)')).toBe('LATEX of the office')
})

it('does not take a placeholder for an author', () => {
  expect(metadataOf({ author: 'anonymous', subject: 'unspecified' }, [])).toEqual({})
})

const packet = (title: string, more: string): string => `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description ${more}><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Ada</rdf:li><rdf:li>Bob &amp; Co</rdf:li></rdf:Seq></dc:creator><xmp:CreateDate>2026-01-02T03:04:05+01:00</xmp:CreateDate></rdf:Description></rdf:RDF></x:xmpmeta>`

it('reads the XMP packet of the document, not those of pictures', async () => {
  const packets = [packet('Tides &#x26; times', 'xmlns:pdf="x" pdf:Producer="Press"'), packet('Photo 12', 'xmlns:exif="x"')].map((text) => ({ head: '/Type /Metadata /Subtype /XML', stream: Buffer.from(text) }))
  const bytes = pdfFile(['<< /Type /Catalog /Pages 2 0 R /Lang (de-AT) /Metadata 4 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>', ...packets])
  const reply = await readPdf({ bytes, order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  expect('document' in reply && reply.document.metadata).toEqual({ title: 'Tides & times', author: 'Ada, Bob & Co', language: 'de-AT', publishedTime: '2026-01-02T03:04:05+01:00' })
})

it('prefers the info dictionary to the XMP packet', async () => {
  const reply = await readPdf({ bytes: samplePdf({ pages: [{}], info: { Title: 'Tide report' } }), order: { mode: 'auto', pages: false, pageMarkers: false, html: false } })
  expect('document' in reply && reply.document.metadata).toEqual({ title: 'Tide report' })
})
