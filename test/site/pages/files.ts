import { readFileSync } from 'node:fs'
import { deflateSync, crc32 } from 'node:zlib'
import { paragraph, samplePdf } from '../../pdf.ts'
import { document, file, type Pages } from '../page.ts'

/** A PDF of one page with one line of text. */
export function pdf(text: string): Buffer {
  const stream = `BT /F1 18 Tf 72 720 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const parts = objects.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`)
  const header = '%PDF-1.4\n'
  const offsets = parts.map((_, i) => header.length + parts.slice(0, i).join('').length)
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = header.length + parts.join('').length
  return Buffer.from(`${header}${parts.join('')}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`, 'latin1')
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** A PNG of one colour. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 0x7f)])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}

const stations = { stations: [{ name: 'North pier', high: 3.1 }, { name: 'Old lock', high: 2.9 }] }
const feed = '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>Harbour news</title><link>http://127.0.0.1/</link><description>News</description><item><title>Dredging starts</title><link>http://127.0.0.1/page/1</link><description>In May.</description></item></channel></rss>\n'
/** A report of three pages, with a heading on each, a list and a link. */
const report = samplePdf({
  info: { Title: 'Tide report', Author: 'Harbour Office' },
  pages: ['Stations', 'Methods', 'Results'].map((title) => ({
    lines: [
      { text: title, x: 72, y: 720, size: 20, bold: true },
      ...paragraph([`The part on ${title.toLowerCase()} of the report of the harbour office, in a few words.`, 'See the tables too.'], { y: 690 }),
      { text: '\u0095 North pier', x: 90, y: 640 },
      { text: '\u0095 Old lock', x: 90, y: 626 },
    ],
    links: [{ rect: [92, 672, 143, 688], uri: 'https://example.com/tables' }],
  })),
})
const html = document('A page in disguise', '<main><h1>Disguise</h1><p>This is a page, whatever its header says.</p></main>')

/** Office documents: the content type that they are served with, and the file in `test/documents/made`. */
const documents: Readonly<Record<string, readonly [type: string, name: string]>> = {
  '/docs/handbook.docx': ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'pandoc-handbook.docx'],
  '/docs/handbook': ['application/octet-stream', 'libreoffice-handbook.odt'],
  '/docs/handbook.epub': ['application/epub+zip', 'pandoc-handbook.epub'],
  '/docs/handbook.rtf': ['text/plain', 'libreoffice-handbook.rtf'],
  '/docs/slides.pptx': ['application/zip', 'pandoc-slides.pptx'],
  '/docs/slides.pps': ['application/octet-stream', 'libreoffice-slides.ppt'],
  '/docs/prices.xlsx': ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'libreoffice-prices.xlsx'],
  '/docs/prices.xls': ['application/vnd.ms-excel', 'libreoffice-prices.xls'],
  '/docs/prices.csv': ['text/plain', 'libreoffice-prices.csv'],
}

/** Files that are not HTML, and pages that do not declare what they are. */
export const files: Pages = {
  '/files/data.json': file('application/json', JSON.stringify(stations)),
  '/files/api': file('application/vnd.api+json', JSON.stringify(stations)),
  '/files/note.txt': file('text/plain; charset=utf-8', 'High water at 07:40.\n\n# Not a heading\n<b>Not bold</b>\n'),
  '/files/readme.md': file('text/markdown; charset=utf-8', '# Tide tables\n\nRead *carefully*.\n'),
  '/files/data.xml': file('application/xml', '<?xml version="1.0"?>\n<stations><station name="North pier">3.1</station></stations>\n'),
  '/files/feed.rss': file('application/rss+xml', feed),
  '/files/data.csv': file('text/csv; charset=utf-8', 'station,high\n"North pier",3.1\n"Old lock, east",2.9\n'),
  '/files/doc.pdf': file('application/pdf', pdf('Tide tables for 2026')),
  '/files/broken.pdf': file('application/pdf', pdf('Tide tables for 2026').subarray(0, 120)),
  '/files/scanned.pdf': file('application/pdf', samplePdf({ pages: [{ scanned: true }, { scanned: true }] })),
  '/files/locked.pdf': file('application/pdf', samplePdf({ pages: [{}], password: 'secret' })),
  '/files/report.pdf': file('application/pdf', report),
  ...Object.fromEntries(Object.entries(documents).map(([path, [type, name]]) => [path, file(type, readFileSync(new URL(`../../documents/made/${name}`, import.meta.url)))])),
  '/image.png': file('image/png', png(2, 2)),
  '/files/image.svg': file('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><title>Dot</title><circle cx="5" cy="5" r="4"/></svg>'),
  '/files/program.bin': file('application/octet-stream', Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 37 + 11) % 256))),
  '/files/archive.zip': file('application/zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')),
  '/files/script.js': file('text/javascript', 'export const tide = 3.1\n'),
  '/files/style.css': file('text/css', 'main { color: navy }\n'),
  '/types/html-as-text': file('text/plain', html),
  '/types/html-as-binary': file('application/octet-stream', html),
  '/types/pdf-as-html': file('text/html', pdf('Tide tables for 2026')),
  '/types/json-as-html': file('text/html', JSON.stringify(stations)),
  '/types/xhtml': file('application/xhtml+xml', '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>XHTML</title></head><body><main><h1>XHTML</h1><p>Closed<br/>tags</p></main></body></html>'),
  '/types/none': (_visit, answer) => answer.send(200, {}, html),
  '/types/odd': file('text/html;;; charset="utf-8', html),
  '/types/download': (_visit, answer) => answer.send(200, { 'content-type': 'text/html; charset=utf-8', 'content-disposition': 'attachment; filename="page.html"' }, html),
}
