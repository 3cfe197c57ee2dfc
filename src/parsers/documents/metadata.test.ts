import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readDocument } from './read.ts'

async function metadataOf(bytes: Uint8Array): Promise<unknown> {
  const reply = await readDocument(bytes)
  return 'converted' in reply ? reply.converted.metadata : reply.problem
}

const book = (metadata: string): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
        'book.opf': `<package xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf"><metadata>${metadata}</metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
        'c.xhtml': '<html><body><h1>Tides</h1></body></html>',
      }).map(([path, text]) => [path, Buffer.from(text)]),
    ),
  )

it('an RTF file says when it was written and revised, without a time zone', async () => {
  const info = (creatim: string, revtim: string): Buffer => Buffer.from(`{\\rtf1{\\info{\\title Dues}{\\creatim${creatim}}{\\revtim${revtim}}{\\printim\\yr2027\\mo1\\dy1}}\\pard The text.\\par}`)
  expect(await metadataOf(info('\\yr2026\\mo3\\dy1\\hr8\\min5', '\\yr2026\\mo11\\dy12\\hr23\\min59\\sec7'))).toEqual({ title: 'Dues', publishedTime: '2026-03-01T08:05:00', modifiedTime: '2026-11-12T23:59:07' })
  expect(await metadataOf(info('\\yr0\\mo0\\dy0\\hr0\\min0', ''))).toEqual({ title: 'Dues' })
})

it('a book says when it was published, which of its dates may not be', async () => {
  const subjects = '<dc:title>Tides</dc:title><dc:subject>Sea</dc:subject><dc:subject>Moon</dc:subject>'
  const date = (day: string, event = ''): string => `<dc:date${event === '' ? '' : ` opf:event="${event}"`}>${day}</dc:date>`
  const said = { title: 'Tides', keywords: 'Sea, Moon' }
  expect(await metadataOf(book(`${subjects}${date('2026-03-01')}<meta property="dcterms:modified">2026-04-01T00:00:00Z</meta>`))).toEqual({ ...said, publishedTime: '2026-03-01', modifiedTime: '2026-04-01T00:00:00Z' })
  expect(await metadataOf(book(`${subjects}${date('2020-01-01', 'creation')}${date('2026-03-02', 'publication')}${date('2026-05-01', 'modification')}`))).toEqual({ ...said, publishedTime: '2026-03-02', modifiedTime: '2026-05-01' })
  expect(await metadataOf(book(`${subjects}${date('2020-01-01', 'conversion')}`))).toEqual(said)
})

it('a book names all of its authors', async () => {
  expect(await metadataOf(book('<dc:title>Tides</dc:title><dc:creator>Anna Keller</dc:creator><dc:creator>Bob Lind</dc:creator>'))).toEqual({ title: 'Tides', author: 'Anna Keller, Bob Lind' })
})
