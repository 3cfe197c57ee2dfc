import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../read.ts'

const cell = (text: string, more = ''): string => `<table:table-cell office:value-type="string" ${more}><text:p>${text}</text:p></table:table-cell>`
const row = (cells: string, more = ''): string => `<table:table-row ${more}>${cells}</table:table-row>`
const table = (name: string, rows: string, more = ''): string => `<table:table table:name="${name}" ${more}>${rows}</table:table>`

const bodyOf = (tables: string, styles: string): string => `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body>`
const archive = (tables: string, styles = ''): Uint8Array => zipSync({ mimetype: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), 'content.xml': Buffer.from(`<office:document-content>${bodyOf(tables, styles)}</office:document-content>`) })
const flat = (tables: string, styles = ''): Uint8Array => Buffer.from(`<?xml version="1.0"?>\n<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:meta><dc:title>Ports</dc:title></office:meta>${bodyOf(tables, styles)}</office:document>`)

async function read(bytes: Uint8Array): Promise<{ readonly html: string; readonly warnings: readonly string[] }> {
  const reply = await readDocument(bytes)
  return 'converted' in reply ? { html: reply.converted.html.replaceAll('\n', ''), warnings: reply.converted.warnings } : { html: reply.problem, warnings: [] }
}
const written = (name: string, ...rows: readonly (readonly string[])[]): string => `<h2>${name}</h2><table><thead><tr>${(rows[0] ?? []).map((one) => `<th>${one}</th>`).join('')}</tr></thead><tbody>${rows.slice(1).map((cells) => `<tr>${cells.map((one) => `<td>${one}</td>`).join('')}</tr>`).join('')}</tbody></table>`

describe.each([['an archive', archive], ['a single file', flat]])('a spreadsheet that is %s', (_, made) => {
  const left = 'Charts, pictures and text boxes of tables are left out (2).'

  it('has its own tables, not those of its charts, and counts these', async () => {
    const chart = `<draw:frame><draw:object><office:document office:mimetype="application/vnd.oasis.opendocument.chart"><office:body><office:chart><chart:chart>${table('local-table', row(cell('Column B')))}</chart:chart></office:chart></office:body></office:document></draw:object></draw:frame>`
    const first = table('Depths', `<table:shapes>${chart}</table:shapes>${row(cell('Pier') + `<table:table-cell>${chart}</table:table-cell>`)}${row(cell('7'))}`)
    expect(await read(made(first + table('More', row(cell('A')) + row(cell('B')))))).toEqual({ html: written('Depths', ['Pier'], ['7']) + written('More', ['A'], ['B']), warnings: [left] })
  })

  it('leaves out what is hidden, whatever the prefixes are', async () => {
    const styles = '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>'
    const rows = `<table:table-column/><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/>${row(cell('Name') + cell('Note', 'table:number-columns-repeated="2"') + cell('Port'))}${row(cell('Secret'), 'table:visibility="filter"')}${row(cell('Ada') + cell('n') + cell('m') + cell('Kiel'))}`
    const other = (xml: string): string => xml.replace(/(<\/?|\s)table:/g, '$1t:').replace(/(<\/?|\s)style:/g, '$1s:').replaceAll('text:', 'x:')
    const expected = { html: written('Shown', ['Name', 'Port'], ['Ada', 'Kiel']), warnings: ['Hidden tables are left out (1).', 'Hidden rows and columns are left out (3).'] }
    const tables = table('Shown', rows) + table('Hidden', row(cell('SECRET')), 'table:style-name="ta2"')
    expect(await read(made(tables, styles))).toEqual(expected)
    expect(await read(made(other(tables), other(styles)))).toEqual(expected)
  })

  it('shows what its cells display, with each link at its own words', async () => {
    const linked = cell('See <text:a xlink:href="https://example.org/a">one</text:a> and<text:s text:c="2"/><text:a xlink:href="https://example.org/b">two</text:a><office:annotation><text:p>aside</text:p></office:annotation>')
    const lines = '<table:table-cell office:value-type="string"><office:annotation><text:p>aside</text:p></office:annotation><text:p>a &lt; b<text:line-break/>c</text:p><text:p>d</text:p></table:table-cell>'
    const formula = (prefix: string): string => cell('shown', `table:formula="${prefix}=HYPERLINK(&quot;https://example.org/&quot;&amp;[.A1];&quot;shown&quot;)"`)
    const number = (value: string, text: string, style = ''): string => `<table:table-cell office:value-type="float" office:value="${value}" ${style}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`
    const bare = '<table:table-cell office:value-type="percentage" office:value="0.55"/><table:table-cell office:value-type="date" office:date-value="2026-03-01"/><table:table-cell office:value-type="boolean" office:boolean-value="true"/><table:table-cell office:value-type="currency" office:currency="EUR" office:value="2.5"/>'
    const styles = '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N60"/>'
    const rows = [cell('coast') + linked, lines + formula('of:'), number('4006381333931', '4.01E+12') + number('4006381333931', '4.01E+12', 'table:style-name="ce1"'), number('1234.5', '1,234.50') + formula('msoxl:'), bare]
    expect((await read(made(table('Cells', rows.map((one) => row(one)).join('')), styles))).html.replaceAll('<td></td>', '').replaceAll('<th></th>', '')).toBe(written('Cells',
      ['coast', 'See <a href="https://example.org/a">one</a> and  <a href="https://example.org/b">two</a>'],
      ['a &lt; b<br>c<br>d', '<a href="https://example.org/coast">shown</a>'],
      ['4006381333931', '4.01E+12'],
      ['1,234.50', '<a href="https://example.org/coast">shown</a>'],
      ['55%', '2026-03-01', 'TRUE', '2.5 EUR'],
    ))
  })

  it('is read up to the limit of a table, however often rows and cells repeat, and says so', async () => {
    const cut = (name: string): string => `The table "${name}" is longer or wider than is returned; its end is missing.`
    const many = 'table:number-rows-repeated="1000000000"'
    const wide = 'table:number-columns-repeated="1000000000"'
    const long = await read(made(table('Long', row(cell('a', wide) + cell('end'), many)) + table('Next', row(cell('b')))))
    expect([long.html.match(/<t[dh]>a</g)?.length, long.html.includes('end'), long.warnings]).toEqual([200_000, false, [cut('Long'), cut('Next')]])
    const empty = await read(made(table('Room', row(cell('a') + `<table:table-cell ${wide}/>`) + row('<table:table-cell/>', many) + row('<table:table-cell/>'))))
    expect(empty).toEqual({ html: written('Room', ['a']), warnings: [] })
    const far = await read(made(table('Far', row(cell('a')) + row('<table:table-cell/>', 'table:number-rows-repeated="90000"') + row(cell('end')))))
    expect(far).toEqual({ html: written('Far', ['a']), warnings: [cut('Far')] })
  })

  it('has all of its tables, however many there are and however many empty rows each of them ends with', async () => {
    const end = row('<table:table-cell table:number-columns-repeated="16384"/>', 'table:number-rows-repeated="1048574"')
    const names = Array.from({ length: 120 }, (_, i) => `Week ${i + 1}`)
    const all = await read(made(names.map((name) => table(name, row(cell('Port')) + row(cell(name)) + end)).join('')))
    expect(all).toEqual({ html: names.map((name) => written(name, ['Port'], [name])).join(''), warnings: [] })
  })

  it('takes no table of a chart for its own that lies below the rows that are read, and no comment there for a value', async () => {
    const chart = `<draw:frame><draw:object><office:document><office:body><office:chart><chart:chart>${table('local-table', row(cell('Column B')) + row(cell('7')))}</chart:chart></office:chart></office:body></office:document></draw:object></draw:frame>`
    const below = row('<table:table-cell/>', 'table:number-rows-repeated="6000"') + row(`<table:table-cell>${chart}</table:table-cell><table:table-cell><office:annotation><text:p>aside</text:p></office:annotation></table:table-cell>`)
    expect(await read(made(table('Far', row(cell('a')) + row(cell('b')) + below) + table('Next', row(cell('c')) + row(cell('d')))))).toEqual({ html: written('Far', ['a'], ['b']) + written('Next', ['c'], ['d']), warnings: [] })
  })

  it('shows nothing where a format leaves a value out, and one link where the words of a formula have it', async () => {
    const styles = '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>'
    const zero = (style: string): string => `<table:table-cell ${style} office:value-type="float" office:value="0"><text:p/></table:table-cell>`
    const linked = cell('<text:a xlink:href="https://example.org/a">shown</text:a>', 'table:formula="of:=HYPERLINK(&quot;https://example.org/a&quot;;&quot;shown&quot;)"')
    expect((await read(made(table('Zero', row(cell('a') + cell('b') + cell('c')) + row(zero('table:style-name="ce1"') + zero('') + linked)), styles))).html).toBe(written('Zero', ['a', 'b', 'c'], ['', '0', '<a href="https://example.org/a">shown</a>']))
  })
})

it('a text with an embedded spreadsheet, and a spreadsheet with an embedded text, are what their first element says', async () => {
  const inner = (kind: string, body: string): string => `<draw:frame><draw:object><office:document office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document></draw:object></draw:frame>`
  expect((await read(flat(table('T', `<table:shapes>${inner('text', '<text:p>inside</text:p>')}</table:shapes>${row(cell('a'))}${row(cell('b'))}`)))).html).toBe(written('T', ['a'], ['b']))
  const text = `<?xml version="1.0"?>\n<office:document office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>Out${inner('spreadsheet', table('T', row(cell('a'))))}side</text:p></office:text></office:body></office:document>`
  expect((await read(Buffer.from(text))).html).toBe('<p>Outside</p>')
})
