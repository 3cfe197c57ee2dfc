import { describe, expect, it } from 'vitest'
import { paragraph, pdfFile, type PdfLine, type PdfPageSpec, samplePdf } from '../../../test/pdf.ts'
import type { PdfDocument, PdfOrder } from '../../domain/pages/pdf.ts'
import type { Reply } from '../messages.ts'
import { readPdf } from './read.ts'

const order: PdfOrder = { mode: 'auto', pages: false, pageMarkers: false, html: false }
const reply = (bytes: Buffer, more: Partial<PdfOrder> = {}, native = true): Promise<Reply> => readPdf({ bytes, order: { ...order, ...more } }, native)

async function read(bytes: Buffer, more: Partial<PdfOrder> = {}, native = true): Promise<PdfDocument> {
  const answer = await reply(bytes, more, native)
  if (!('document' in answer)) throw new Error(JSON.stringify(answer))
  return answer.document
}

const prose = ['The harbour office measures the tide every ten minutes at three', 'stations. The values are extra-', 'ordinarily precise.']
const report: PdfPageSpec = {
  lines: [
    { text: 'Tide report', x: 72, y: 720, size: 22, bold: true },
    ...paragraph(prose, { y: 690 }),
    { text: 'Methods', x: 72, y: 610, size: 16, bold: true },
    ...paragraph(['See the tide tables for more.'], { y: 590 }),
    { text: '\u0095 North pier', x: 90, y: 560 },
    { text: '\u0095 Old lock', x: 90, y: 546 },
    { text: '1. Calibrate', x: 90, y: 520 },
    { text: '2. Measure', x: 90, y: 506 },
  ],
  links: [{ rect: [90, 586, 160, 602], uri: 'https://example.com/tides' }],
}
const info = { Title: 'Tide report', Author: 'Harbour Office', Subject: 'Levels', CreationDate: "D:20260102030405+01'00'" }

const filler = ['It is long enough to be the running text of the page, so that sizes of', 'letters can be compared, and it says nothing of interest to anybody.']
const textOf = (i: number): string => `Text of page ${i + 1}, which nothing repeats.`
const chapters = Array.from({ length: 30 }, (_, i): PdfPageSpec => ({
  lines: [
    { text: 'Harbour Gazette', x: 250, y: 770, size: 9 },
    { text: `Chapter ${i + 1}`, x: 72, y: 720, size: 18, bold: true },
    ...paragraph([textOf(i), ...filler], { y: 690 }),
    { text: `Gazette of May, ${i + 1} of 30`, x: 250, y: 30, size: 9 },
  ],
}))
const scan: PdfPageSpec = { scanned: true }

describe('readPdf', () => {
  it('reads link addresses as viewers do, even without a scheme', async () => {
    const lines = ['See the tide tables for more.', 'See the old lock for less.'].map((text, i) => ({ text, x: 72, y: 700 - 100 * i }))
    const links = ['www.example.com/tides', 'mailto:office@example.com'].map((uri, i) => ({ rect: [90, 696 - 100 * i, 160, 712 - 100 * i] as const, uri }))
    const { links: found, markdown } = await read(samplePdf({ pages: [{ lines, links }] }))
    expect(found).toEqual(['http://www.example.com/tides', 'mailto:office@example.com'])
    expect(markdown).toContain('](http://www.example.com/tides)')
  })

  it('resolves relative links against the URL of the file, or the base that it declares', async () => {
    const file = (catalogued: string): Buffer => pdfFile([
      `<< /Type /Catalog /Pages 2 0 R ${catalogued} >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [<< /Type /Annot /Subtype /Link /Rect [90 696 160 712] /A << /S /URI /URI (tides/2026.html) >> >>] >>',
      { head: '', stream: Buffer.from('BT /F1 11 Tf 72 700 Td (See the tide tables for more.) Tj 0 -14 Td (They are of the harbour office.) Tj ET') },
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ])
    const [bytes, based] = [file(''), file('/URI << /Base (../old/) >>')]
    const of = async (one: Buffer, more: Partial<PdfOrder>): Promise<readonly [links: readonly string[], markdown: string]> => {
      const { links, markdown } = await read(one, more)
      return [links, /^.*more\./.exec(markdown)?.[0] ?? markdown]
    }
    expect(await of(bytes, { base: 'https://example.com/files/a.pdf' })).toEqual([['https://example.com/files/tides/2026.html'], 'See [the tide tables](https://example.com/files/tides/2026.html) for more.'])
    expect(await of(based, { base: 'https://example.com/files/a.pdf' })).toEqual([['https://example.com/old/tides/2026.html'], 'See [the tide tables](https://example.com/old/tides/2026.html) for more.'])
    expect(await of(bytes, { base: 'upload:file' })).toEqual([[], 'See the tide tables for more.'])
    expect(await of(bytes, {})).toEqual([[], 'See the tide tables for more.'])
  })

  it('writes headings, paragraphs with mended words, links and lists', async () => {
    expect(await read(samplePdf({ pages: [report], info }))).toEqual({
      markdown: [
        '# Tide report',
        'The harbour office measures the tide every ten minutes at three stations. The values are extraordinarily precise.',
        '## Methods',
        'See [the tide tables](https://example.com/tides) for more.',
        '- North pier\n- Old lock',
        '1. Calibrate\n2. Measure',
      ].join('\n\n'),
      html: null,
      pages: [],
      blocks: [],
      numPages: 1,
      totalPages: 1,
      metadata: { title: 'Tide report', author: 'Harbour Office', description: 'Levels', publishedTime: '2026-01-02T03:04:05+01:00' },
      links: ['https://example.com/tides'],
      pagesNeedingOcr: [],
      warnings: [],
    })
  })

  it('writes the same as HTML', async () => {
    const { html } = await read(samplePdf({ pages: [report] }), { html: true })
    expect(html).toBe(
      [
        '<h1>Tide report</h1>',
        '<p>The harbour office measures the tide every ten minutes at three stations. The values are extraordinarily precise.</p>',
        '<h2>Methods</h2>',
        '<p>See <a href="https://example.com/tides">the tide tables</a> for more.</p>',
        '<ul><li>North pier</li><li>Old lock</li></ul>',
        '<ol><li>Calibrate</li><li>Measure</li></ol>',
      ].join('\n'),
    )
  })

  it('writes a ruled table as a table', async () => {
    const cells = [['Station', 'Low', 'High'], ['North pier', '0.4', '3.1'], ['Old lock', '0.6', '2.9']]
    const lines = cells.flatMap((row, i) => row.map((text, j) => ({ text, x: 80 + j * 120, y: 600 - i * 20 })))
    const rules: [number, number, number, number][] = [...[0, 1, 2, 3].map((i): [number, number, number, number] => [72, 614 - i * 20, 432, 614 - i * 20]), ...[0, 1, 2, 3].map((j): [number, number, number, number] => [72 + j * 120, 614, 72 + j * 120, 554])]
    const { markdown, html } = await read(samplePdf({ pages: [{ lines: [...paragraph(prose, { y: 720 }), ...lines], rules }] }), { html: true })
    expect(markdown).toContain('|Station|Low|High|\n|---|---|---|\n|North pier|0.4|3.1|\n|Old lock|0.6|2.9|')
    expect(html).toContain('<thead><tr><th>Station</th><th>Low</th><th>High</th></tr></thead><tbody><tr><td>North pier</td><td>0.4</td><td>3.1</td></tr>')
  })

  it('keeps table rows with empty cells separate', async () => {
    const cells = [['Station', 'Low tide', 'High tide', 'Change'], ['North', '1,200.50', '1,300.00', '+8.3%'], ['South', '900.00', '850.25', '-5.5%'], ['East', '', '700.00', 'n/a'], ['Total', '2,100.50', '2,850.25', '+35.7%']]
    const lines = cells.flatMap((row, i) => row.map((text, j) => ({ text, x: 80 + j * 60, y: 600 - i * 18, size: 10 })).filter(({ text }) => text !== ''))
    const { markdown } = await read(samplePdf({ pages: [{ lines: [...paragraph(prose, { y: 720 }), ...lines] }] }))
    expect(markdown).toContain('|South|900.00|850.25|-5.5%|\n|East||700.00|n/a|\n|Total|2,100.50|2,850.25|+35.7%|')
  })

  it('keeps paragraphs that start like a page number', async () => {
    const text = ['Page 12 of the report says that the tide is measured every ten minutes by the', 'office, and this is right as far as we know.']
    const pages = [{ lines: [...paragraph(prose, { y: 720 }), ...paragraph(text, { y: 660 }), ...paragraph(['Nothing else is known of the office and of the', 'tides that it measures.'], { y: 610 })] }]
    expect((await read(samplePdf({ pages }))).markdown).toBe([`${prose.join(' ').replace('extra- ', 'extra')}`, text.join(' '), 'Nothing else is known of the office and of the tides that it measures.'].join('\n\n'))
  })

  it('reads one column after the other', async () => {
    const column = (name: string): string[] => Array.from({ length: 15 }, (_, i) => `${name} column, line ${i} of its text.`)
    const { markdown } = await read(samplePdf({ pages: [{ lines: [...paragraph(column('Left'), { y: 700 }), ...paragraph(column('Right'), { x: 330, y: 700 })] }] }))
    expect(markdown.indexOf('Left column, line 14')).toBeLessThan(markdown.indexOf('Right column, line 0'))
  })

  it('removes running headers and footers, but not chapter headings', async () => {
    const { markdown, numPages } = await read(samplePdf({ pages: chapters }))
    expect(markdown).toBe(chapters.map((_, i) => `# Chapter ${i + 1}\n\n${[textOf(i), ...filler].join(' ')}`).join('\n\n'))
    expect(numPages).toBe(30)
  })

  it('reads only the requested number of pages, also one by one and with page markers', async () => {
    const { markdown, pages, numPages, totalPages } = await read(samplePdf({ pages: chapters }), { maxPages: 2, pages: true, pageMarkers: true })
    expect([numPages, totalPages, pages.map((page) => page.pageNumber)]).toEqual([2, 30, [1, 2]])
    expect(pages[1]?.markdown).toContain('# Chapter 2\n\nText of page 2, which nothing repeats.')
    expect(markdown).toMatch(/^(?!<!--)[^]*\n\n---\n\n<!-- page 2 -->\n\n/)
  })

  it('joins a paragraph that continues on the next page', async () => {
    const pages = [{ lines: paragraph([...prose, 'The last words of this page are part of a sen-'], { y: 700 }) }, { lines: paragraph(['tence that goes on here.', 'And ends.'], { y: 700 }) }]
    expect((await read(samplePdf({ pages }))).markdown).toContain('are part of a sentence that goes on here.')
  })

  it('reads rotated pages and text in two-byte codes', async () => {
    const pages = [{ ...report, rotate: 90 as const }, { lines: [{ text: '潮汐表', x: 72, y: 720, size: 20, wide: true }, { text: 'これは日本語の文章です。', x: 72, y: 690, wide: true }] }]
    const { markdown } = await read(samplePdf({ pages }))
    expect(markdown).toContain('every ten minutes at three stations.')
    expect(markdown).toContain('潮汐表')
    expect(markdown).toContain('これは日本語の文章です。')
  })

  it('keeps text that looks like a tag as text', async () => {
    const { markdown, html } = await read(samplePdf({ pages: [{ lines: paragraph(['Write <script>alert(1)</script> and a < b in the field, please.', 'Then save the page.'], { y: 700 }) }] }), { html: true })
    expect(markdown).toContain('\\<script>alert(1)\\</script> and a < b')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; and a &lt; b')
  })

  it('lists the pages that are pictures, and refuses a file of pictures in mode fast', async () => {
    const mixed = await read(samplePdf({ pages: [report, scan, scan, report, scan] }), { mode: 'fast' })
    expect(mixed.pagesNeedingOcr).toEqual([2, 3, 5])
    expect(mixed.warnings).toEqual(['Pages 2-3, 5 of the PDF may lack text: it is a picture or cannot be decoded, and text recognition (OCR) is not available.'])
    expect(await reply(samplePdf({ pages: [scan, scan] }), { mode: 'fast' })).toEqual({ problem: 'no-text' })
    expect(await read(samplePdf({ pages: [scan] }))).toMatchObject({ markdown: '', numPages: 1, pagesNeedingOcr: [1] })
  })

  const layer = (text: readonly string[], y: number): PdfLine[] => paragraph(text, { y }).map((line) => ({ ...line, unseen: true }))
  const scannedText: PdfPageSpec = { scanned: true, lines: [...layer(prose, 700), ...layer(['It has been so since the second', 'pier was built.'], 620)] }
  const readLayer = 'The harbour office measures the tide every ten minutes at three stations. The values are extraordinarily precise.\n\nIt has been so since the second pier was built.'

  it('reads the invisible text of scanned pages that went through OCR', async () => {
    const bytes = samplePdf({ pages: [scannedText, scan] })
    expect(await read(bytes)).toMatchObject({ markdown: readLayer, pagesNeedingOcr: [2] })
    expect(await read(bytes, { mode: 'fast' })).toMatchObject({ markdown: readLayer })
  })

  it('reads the invisible text of a scanned page with an archive stamp', async () => {
    const stamped = { ...scannedText, lines: [...(scannedText.lines ?? []), { text: 'Downloaded from the archive', x: 72, y: 20, size: 8 }] }
    const { markdown, warnings } = await read(samplePdf({ pages: [stamped] }))
    expect(markdown).toBe(`${readLayer}\n\nDownloaded from the archive`)
    expect(warnings).toEqual([])
  })

  it('reads pages on which every line starts like a page number', async () => {
    const pages = Array.from({ length: 12 }, (_, page) => ({ lines: Array.from({ length: 50 }, (_, i) => ({ text: `Page ${page + 1} line ${i}: The harbour office measures the tide every ten minutes at three stations`, x: 60, y: 780 - i * 14, size: 10 })) }))
    const { markdown, pagesNeedingOcr } = await read(samplePdf({ pages }))
    expect(markdown.match(/Page \d+ line \d+: The harbour/g)).toHaveLength(600)
    expect(pagesNeedingOcr).toEqual([])
  })

  it('opens an encrypted file that needs no password, and reports files that need one', async () => {
    expect((await read(samplePdf({ pages: [report], password: '' }))).markdown).toContain('# Tide report')
    expect(await reply(samplePdf({ pages: [report], password: 'secret' }))).toEqual({ problem: 'encrypted' })
    expect(await reply(samplePdf({ pages: [report], password: 'secret' }), {}, false)).toEqual({ problem: 'encrypted' })
  })

  const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
  const whole = samplePdf({ pages: chapters })
  it.each([
    ['its end is missing', whole.subarray(0, whole.length * 0.6)],
    ['it is noise', Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + 13) % 256))])],
    ['there is only the first line', Buffer.from('%PDF-1.4')],
    ['there are no pages', samplePdf({ pages: [] })],
    ['the page tree is a loop', pdfFile([catalog, '<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>', '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>'])],
    ['an object nests without end', pdfFile([`<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(100_000)}${']'.repeat(100_000)} >>`, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '<< /Type /Page /Parent 2 0 R >>'])],
  ])('says broken when %s', async (_why, bytes) => {
    expect(await reply(bytes)).toEqual({ problem: 'broken' })
  })

  it('counts the existing pages, whatever number the file declares', async () => {
    const bytes = pdfFile([catalog, '<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>'])
    expect(await read(bytes)).toMatchObject({ numPages: 1, totalPages: 1 })
  })

  it('reads the plain text when the native library is not available', async () => {
    const { markdown, metadata, warnings, numPages, totalPages } = await read(samplePdf({ pages: [report, ...chapters.slice(0, 2)], info }), { maxPages: 2 }, false)
    expect(markdown).toContain('The values are extraordinarily precise.')
    expect(metadata).toMatchObject({ title: 'Tide report', author: 'Harbour Office' })
    expect(warnings).toEqual(['Only the plain text of this PDF could be read; headings and tables are not marked.'])
    expect([numPages, totalPages]).toEqual([2, 3])
  })
})
