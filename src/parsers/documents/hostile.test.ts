import { CFB } from '@e965/xlsx'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { diagramHtml } from './drawings.ts'
import { type DocumentReply, readDocument } from './read.ts'
import { parseXml } from './xml.ts'

const zip = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, content]) => [path, Buffer.from(content as string)]))) // Buffer.from accepts either

async function outcome(bytes: Uint8Array): Promise<string> {
  const reply: DocumentReply = await readDocument(bytes)
  return 'problem' in reply ? reply.problem : reply.converted.html
}

const relations = (type: string, target: string): string => `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
const docx = (body: string, prolog = ''): Uint8Array =>
  zip({ '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>', '_rels/.rels': relations('officeDocument', 'word/document.xml'), 'word/document.xml': `${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>` })
const odt = (body: string, prolog = ''): Uint8Array => zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': `${prolog}<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>` })
const xlsx = (sheet: string): Uint8Array =>
  zip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Tides" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${sheet}</worksheet>`,
  })

/** An archive whose directory declares that size for each of its files. */
function claiming(archive: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(archive)
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) bytes.writeUInt32LE(size, at + 24)
  return bytes
}

const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, i) => `<!ENTITY ${'bcdefghijklm'[i]} "${`&${'abcdefghijkl'[i]};`.repeat(10)}">`).join('')}]>`
const text = (content: string): string => `<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`

describe('a hostile document', () => {
  it.each([
    ['says that it swells', () => claiming(docx(text('x')), 2 ** 32 - 2), 'too-large'],
    ['is larger than it says', () => claiming(docx(text('x'.repeat(100_000))), 100), 'broken'],
    ['has more files than any', () => zip(Object.fromEntries(Array.from({ length: 20_001 }, (_, i) => [`word/${i}.xml`, '']))), 'too-large'],
    ['nests without end (odt)', () => odt('<text:section>'.repeat(50_000)), 'broken'],
    ['is of no kind that is known', () => zip({ 'photos/a.txt': 'x' }), 'unknown'],
    ['has an unknown kind of compound file', () => CFB.write(CFB.utils.cfb_new(), { type: 'buffer' }) as Uint8Array, 'unknown'], // the type of that output
    ['is locked (odt)', () => zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': 'x', 'META-INF/manifest.xml': '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>' }), 'encrypted'],
    ['is locked (epub)', () => zip({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<container/>', 'META-INF/encryption.xml': '<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>' }), 'encrypted'],
    ['opens groups without end (rtf)', () => Buffer.from(`{\\rtf1 ${'{'.repeat(100_000)}`), 'broken'],
  ])('that %s is refused', async (_what, make, problem) => {
    expect(await outcome(make())).toBe(problem)
  })

  it('that is encrypted like an Office file is recognized', async () => {
    const file = CFB.utils.cfb_new()
    CFB.utils.cfb_add(file, '/EncryptedPackage', Buffer.from('x'))
    expect(await outcome(CFB.write(file, { type: 'buffer' }) as Uint8Array)).toBe('encrypted') // the type of that output
  })

  it('does not grow through its entity declarations', async () => {
    expect((await outcome(odt('<text:p>&m;</text:p>', laughs))).length).toBeLessThan(100)
    expect((await outcome(docx(text('&m;'), laughs))).length).toBeLessThan(100)
  })

  it('whose table declares a million rows is read with its actual rows', async () => {
    const row = (r: number, value: string): string => `<row r="${r}"><c r="A${r}" t="inlineStr"><is><t>${value}</t></is></c><c r="B${r}"><v>1</v></c></row>`
    const sheet = `<dimension ref="A1:XFD1048576"/><sheetData>${row(1, 'Pier')}${row(2, 'Lock')}</sheetData><mergeCells><mergeCell ref="C3:XFD1048576"/></mergeCells>`
    expect(await outcome(xlsx(sheet))).toBe('<h2>Tides</h2>\n<table><thead><tr><th>Pier</th><th>1</th></tr></thead><tbody><tr><td>Lock</td><td>1</td></tr></tbody></table>\n')
    const far = await outcome(xlsx(`<sheetData>${row(1, 'Pier')}${row(1_048_576, 'Far')}</sheetData>`))
    expect(far).not.toContain('Far')
  })

  it('whose cells repeat a billion times is read up to the limit of a table', async () => {
    const cell = (content: string, more = ''): string => `<table:table-cell ${more}><text:p>${content}</text:p></table:table-cell>`
    const html = await outcome(odt(`<table:table><table:table-row>${cell('a')}${cell('b', 'table:number-columns-repeated="1000000000"')}</table:table-row></table:table>`))
    expect(html.match(/<t[dh]>/g)).toHaveLength(200)
  })

  it('whose formulas have no end is looked through once', async () => {
    const before = process.cpuUsage()
    for (const cell of [`<f>1</f>${' '.repeat(100_000)}<v>2`, '<f '.repeat(100_000)]) await outcome(xlsx(`<sheetData><row r="1"><c r="A1">${cell}</c></row></sheetData>`))
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(3_000)
  })

  it('cannot reach files or addresses outside of itself', async () => {
    const image = '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr descr="outside"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:link="r9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    const files = { '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>', '_rels/.rels': relations('officeDocument', 'word/document.xml'), 'word/_rels/document.xml.rels': '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>', 'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${image}${text('inside')}</w:body></w:document>` }
    expect(await outcome(zip(files))).toBe('<p>inside</p>')
  })

  it('keeps text that looks like a tag as text', async () => {
    expect(await outcome(Buffer.from('{\\rtf1 <script>alert(1)</script>\\par}'))).toContain('&lt;script&gt;')
    expect(await outcome(odt('<text:p>&lt;img src=x&gt;</text:p><text:p><text:a xlink:href="javascript:alert(1)">x</text:a></text:p>'))).toBe('<p>&lt;img src=x&gt;</p>\n<p>x</p>\n')
  })
})

describe('a hostile document whose parts are small and ask for much', () => {
  const pair = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="5000"><c r="A5000"><v>3</v></c></row></sheetData>'
  const rowsOf = (html: string): readonly string[] => [...html.matchAll(/<t[dh](?: [^>]*)?>(.*?)<\/t[dh]>/g)].map((match) => match[1] ?? '')
  const cpuOf = async (bytes: Uint8Array): Promise<{ readonly html: string; readonly ms: number }> => {
    const before = process.cpuUsage()
    const html = await outcome(bytes)
    const { user, system } = process.cpuUsage(before)
    return { html, ms: (user + system) / 1000 }
  }

  it.each([
    ['columns that are hidden without end', `<cols><col min="3" max="999999999" hidden="1"/></cols>${pair}`],
    ['ranges of merged cells that lie over each other', `${pair}<mergeCells>${'<mergeCell ref="C1:XFD1048576"/>'.repeat(20_000)}</mergeCells>`],
    ['links over all cells', `${pair}<hyperlinks>${'<hyperlink ref="C1:XFD1048576" location="A1"/>'.repeat(50)}</hyperlinks>`],
  ])('is read in time: %s', async (_, sheet) => {
    const { html, ms } = await cpuOf(xlsx(sheet))
    expect([rowsOf(html).filter((one) => one !== ''), ms < 10_000]).toEqual([['1', '2', '3'], true])
  })

  it.each([
    ['a column that spans', 'Column ss:Index="3" ss:Span="1000000000" ss:Hidden="1"', 'Cell'],
    ['a cell that spans columns', 'Column', 'Cell ss:MergeAcross="1000000000"'],
    ['a cell that spans rows', 'Column', 'Cell ss:MergeDown="1000000000"'],
    ['a column far away', 'Column ss:Index="1000000000"', 'Cell'],
  ])('is a workbook of Excel 2003 with %s', async (_, column, cell) => {
    const said = (value: string): string => `<Data ss:Type="String">${value}</Data>`
    const { html, ms } = await cpuOf(Buffer.from(`<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table><${column}/><Row><${cell}>${said('x')}</Cell></Row><Row><Cell>${said('MergeDown="1000000000"')}</Cell></Row></Table></Worksheet></Workbook>`))
    expect([rowsOf(html)[0], html.includes('MergeDown=&quot;1000000000&quot;'), ms < 10_000]).toEqual(['x', !cell.includes('MergeDown'), true])
  })

  it('has the links of its cells, however far a range reaches', async () => {
    const relation = (id: string, target: string): string => relations('hyperlink', target).replace('"r1"', `"${id}"`).replace('/></R', ' TargetMode="External"/></R')
    const linked = `${pair}<hyperlinks><hyperlink ref="A1:A1048576" r:id="r9"/></hyperlinks>`.replace('<hyperlink ', '<hyperlink xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ')
    const { html } = await cpuOf(zipSync({ ...unzipSync(xlsx(linked)), 'xl/worksheets/_rels/sheet1.xml.rels': Buffer.from(relation('r9', 'https://example.org/')) }))
    expect(rowsOf(html)).toEqual(['<a href="https://example.org/">1</a>', '2', '<a href="https://example.org/">3</a>', ''])
  })

  it('is a diagram whose texts stand within each other without end', () => {
    const count = 30_000
    const points = Array.from({ length: count }, (_, i) => `<dgm:pt modelId="${i + 1}"><dgm:t><a:p><a:r><a:t>n${i}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join('')
    const links = Array.from({ length: count }, (_, i) => `<dgm:cxn srcId="${i}" destId="${i + 1}" srcOrd="${i}"/>`).join('')
    const html = diagramHtml(parseXml(`<dgm:dataModel><dgm:ptLst><dgm:pt modelId="0" type="doc"/>${points}</dgm:ptLst><dgm:cxnLst>${links}</dgm:cxnLst></dgm:dataModel>`))
    expect([html.startsWith('<ul><li>n0<ul><li>n1'), html.match(/<li>/g)?.length]).toEqual([true, count])
  })

  it('is a spreadsheet of thousands of tables, each of which repeats', async () => {
    const sheet = '<table:table table:name="t"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>'
    const { html, ms } = await cpuOf(zip({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': `<office:document-content><office:body><office:spreadsheet>${sheet.repeat(2_000)}</office:spreadsheet></office:body></office:document-content>` }))
    expect([html.match(/<t[dh]>x</g)?.length, html.match(/<h2>/g)?.length, ms < 10_000]).toEqual([200_000, 2_000, true])
  })
})
