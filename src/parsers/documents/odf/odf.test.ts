import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { readDocument } from '../read.ts'

const outline = `<text:outline-style style:name="Outline">
  <text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/>
  <text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>
  <text:outline-level-style text:level="3" style:num-format=""/>
</text:outline-style>`
const lists = `<text:list-style style:name="Law"><text:list-level-style-number text:level="1" style:num-prefix="§ " style:num-format="1"/><text:list-level-style-number text:level="2" style:num-prefix="(" style:num-format="a" style:num-suffix=")"/></text:list-style>
<text:list-style style:name="Letters"><text:list-level-style-number text:level="1" style:num-format="A" style:num-suffix="."/><text:list-level-style-bullet text:level="2"/></text:list-style>
<style:style style:name="Secret" style:family="text"><style:text-properties text:display="none"/></style:style><style:style style:name="Inner" style:family="paragraph" style:parent-style-name="Secret"/>
<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>
<style:style style:name="Unnumbered" style:family="paragraph" style:list-style-name=""/>`

async function read(body: string, kind = 'text', styles = '', more: Readonly<Record<string, string>> = {}): Promise<{ readonly html: string; readonly warnings: readonly string[] }> {
  const files = {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'META-INF/manifest.xml': '<manifest/>',
    'styles.xml': `<office:document-styles><office:styles>${outline}${lists}</office:styles></office:document-styles>`,
    'content.xml': `<office:document-content>${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  }
  const reply = await readDocument(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))
  return 'converted' in reply ? { html: reply.converted.html.replaceAll('\n', ''), warnings: reply.converted.warnings } : { html: reply.problem, warnings: [] }
}
const htmlOf = async (body: string): Promise<string> => (await read(body)).html

const heading = (level: number, text: string, more = ''): string => `<text:h text:outline-level="${level}" ${more}>${text}</text:h>`
const item = (text: string, inner = '', more = ''): string => `<text:list-item ${more}><text:p>${text}</text:p>${inner}</text:list-item>`
const list = (style: string, items: string, more = ''): string => `<text:list text:style-name="${style}" ${more}>${items}</text:list>`

it('headings have the numbers of the outline', async () => {
  const unnumbered = heading(1, 'Preface', 'text:style-name="Unnumbered"') + heading(1, 'Thanks', 'text:is-list-header="true"')
  expect(await htmlOf(unnumbered + heading(1, 'Scope') + heading(2, 'Terms') + heading(2, 'Places') + heading(3, 'Ports') + heading(1, 'Duties') + heading(2, 'Owners')))
    .toBe('<h1>Preface</h1><h1>Thanks</h1><h1>1. Scope</h1><h2>1.1 Terms</h2><h2>1.2 Places</h2><h3>Ports</h3><h1>2. Duties</h1><h2>2.1 Owners</h2>')
  expect(await htmlOf(heading(1, 'Scope') + heading(1, 'Annex', 'text:restart-numbering="true" text:start-value="7"') + heading(1, 'End'))).toBe('<h1>1. Scope</h1><h1>7. Annex</h1><h1>8. End</h1>')
})

it('headings in a list have its numbers', async () => {
  const listed = (text: string): string => `<text:list-item>${heading(1, text)}</text:list-item>`
  expect(await htmlOf(list('Law', listed('Scope')) + '<text:p>Text</text:p>' + list('Law', listed('Duties'), 'text:continue-numbering="true"'))).toBe('<h1>§ 1 Scope</h1><p>Text</p><h1>§ 2 Duties</h1>')
})

it('items have the markers that no list of HTML has in their text', async () => {
  const deep = list('Law', item('on time') + item('in full'))
  expect(await htmlOf(list('Law', item('First', deep) + item('Second', deep)))).toBe('<p>§ 1 First</p><p>(a) on time</p><p>(b) in full</p><p>§ 2 Second</p><p>(a) on time</p><p>(b) in full</p>')
})

it('items are numbered as the file says: by letters, from other numbers, on from another list', async () => {
  const first = list('Letters', item('Alpha', '<text:list><text:list-item><text:p>Point</text:p></text:list-item></text:list>') + '<text:list-header><text:p>Aside</text:p></text:list-header>' + item('Bravo') + item('Echo', '', 'text:start-value="5"'), 'xml:id="one"')
  expect(await htmlOf(first + list('Letters', item('Alpha')) + list('Letters', item('Foxtrot'), 'text:continue-list="one"')))
    .toBe('<ol type="A"><li><p>Alpha</p><ul><li><p>Point</p></li></ul><p>Aside</p></li><li><p>Bravo</p></li><li value="5"><p>Echo</p></li></ol><ol type="A"><li><p>Alpha</p></li></ol><ol type="A" start="6"><li><p>Foxtrot</p></li></ol>')
})

it('a cell that spans rows is shorter by those that show nothing, so that the others stay in their columns', async () => {
  const cell = (text: string, more = ''): string => `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
  const two = 'table:number-rows-spanned="2"'
  const covered = '<table:covered-table-cell/>'
  const row = (cells: string): string => `<table:table-row>${cells}</table:table-row>`
  const table = (...rows: readonly string[]): string => `<table:table>${rows.map(row).join('')}</table:table>`
  expect(await htmlOf(table(cell('Name', two) + cell('Price', two), covered + covered, cell('Tea') + cell('2')))).toBe('<table><thead><tr><th>Name</th><th>Price</th></tr></thead><tbody><tr><td>Tea</td><td>2</td></tr></tbody></table>')
  expect(await htmlOf(table(cell('Kind') + cell('Name'), cell('', two) + cell(''), covered + cell('Tea'), cell('Cold') + cell('Milk')))).toContain('<tr><td rowspan="2"></td><td></td></tr><tr><td>Tea</td></tr><tr><td>Cold</td><td>Milk</td></tr>')
})

it('letters in a symbol font are the signs that they stand for', async () => {
  const style = (name: string, font: string): string => `<style:style style:name="${name}"><style:text-properties ${font}/></style:style>`
  const styles = '<office:font-face-decls><style:font-face style:name="Symbol1" svg:font-family="Symbol"/><style:font-face style:name="W" svg:font-family="\'Wingdings\'"/></office:font-face-decls><office:automatic-styles>' +
    style('S', 'style:font-name="Symbol1"') + style('W', 'style:font-name="W"') + style('F', 'fo:font-family="\'Symbol\', serif"') + style('N', 'style:font-name="Arial"') + '</office:automatic-styles>'
  const span = (name: string, text: string): string => `<text:span text:style-name="${name}">${text}</text:span>`
  const note = '<text:note><text:note-body><text:p>m</text:p></text:note-body></text:note>'
  const body = `<text:p>10 ${span('S', 'm')}g ${span('S', '\uf0b3')} ${span('W', '\uf0fc')} ${span('F', 'b')}m</text:p><text:p text:style-name="S">a${span('N', 'a')}${note}</text:p>`
  expect((await read(body, 'text', styles)).html).toBe('<p>10 μg ≥ ✓ βm</p><p>αa<sup><a href="#footnote-1" id="footnote-ref-1">1</a></sup></p><ol><li id="footnote-1"><p>m</p></li></ol>')
})

it('a table that is longer or wider than is returned is cut with a warning, unless the rest shows nothing', async () => {
  const table = (rows: number, columns: number, last: string): string => `<table:table>${'<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>'.repeat(rows)}<table:table-row>${'<table:table-cell/>'.repeat(columns)}<table:table-cell><text:p>${last}</text:p></table:table-cell></table:table-row></table:table>`
  const warnings = async (...tables: readonly string[]): Promise<readonly string[]> => (await read(tables.join(''))).warnings
  expect(await warnings(table(4_999, 199, 'end'), table(5_000, 0, ''), table(3, 200, ''))).toEqual([])
  expect(await warnings(table(5_000, 0, 'end'), table(3, 200, 'end'))).toEqual(['Tables that are longer or wider than is returned are cut (2).'])
})

it('charts are their titles and values', async () => {
  const cell = (text: string, value = ''): string => `<table:table-cell${value === '' ? '' : ` office:value="${value}"`}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`
  const row = (...cells: readonly string[]): string => `<table:table-row>${cells.join('')}</table:table-row>`
  const table = `<table:table table:name="local-table"><table:table-header-columns><table:table-column/></table:table-header-columns><table:table-header-rows>${row(cell(''), cell('Ships'), cell('Boats'))}</table:table-header-rows><table:table-rows>${row(cell('2023'), cell('1471', '1471'), cell('', '12.5'))}${row(cell('2024'), cell('1.#NAN', 'NaN'), cell('9', '9'))}</table:table-rows></table:table>`
  const chart = `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Arrivals</text:p></chart:title><chart:plot-area/>${table}</chart:chart></office:chart></office:body></office:document-content>`
  const frame = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>'
  expect((await read(`<text:p>Before${frame}</text:p><text:p>After</text:p>`, 'text', '', { 'Object 1/content.xml': chart })).html)
    .toBe('<p>Before</p><p><strong>Arrivals</strong></p><table><thead><tr><th></th><th>Ships</th><th>Boats</th></tr></thead><tbody><tr><td>2023</td><td>1471</td><td>12.5</td></tr><tr><td>2024</td><td></td><td>9</td></tr></tbody></table><p>After</p>')
})

it('formulas, charts and other objects within a single file are read as those of an archive, or counted', async () => {
  const math = (prefix: string): string => '<math display="block"><semantics><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation encoding="StarMath 5.0">a over 2 &lt; b</annotation></semantics></math>'.replace(/(<\/?)/g, `$1${prefix}`)
  const row = (...texts: readonly string[]): string => `<table:table-row>${texts.map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`).join('\n')}</table:table-row>`
  const chart = `<office:document office:mimetype="application/vnd.oasis.opendocument.chart">\n<office:body>\n<office:chart>\n<chart:chart><chart:title>\n<text:p>Tides</text:p></chart:title><table:table table:name="local-table"><table:table-header-rows>${row('', 'Height')}</table:table-header-rows><table:table-rows>${row('Kiel', '2.5')}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document>`
  const sheet = `<office:document office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table>${row('7')}</table:table></office:spreadsheet></office:body></office:document>`
  const framed = (object: string, picture = ''): string => `<text:p>Here <draw:frame><draw:object>\n${object}</draw:object>${picture}</draw:frame> it is.</text:p>`
  const flat = (body: string): Buffer => Buffer.from(`<?xml version="1.0"?>\n<office:document office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>${body}</office:text></office:body></office:document>`)
  const formula = (where: string): string => `<p>Here <math><semantics><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation encoding="StarMath 5.0">a over 2 &lt; b</annotation></semantics></math> ${where}</p>`
  const reply = await readDocument(flat(framed(math('')) + framed(chart, '<draw:image><office:binary-data>AQID</office:binary-data></draw:image>') + framed(sheet) + '<text:p>Here <draw:frame><draw:object-ole><office:binary-data>0M8R4A==</office:binary-data></draw:object-ole></draw:frame></text:p>'))
  expect('converted' in reply ? { html: reply.converted.html.replaceAll('\n', ''), warnings: reply.converted.warnings } : reply).toEqual({
    html: `${formula('it is.')}<p>Here  it is.</p><p><strong>Tides</strong></p><table><thead><tr><th></th><th>Height</th></tr></thead><tbody><tr><td>Kiel</td><td>2.5</td></tr></tbody></table><p>Here  it is.</p><p>Here </p>`,
    warnings: ['Embedded objects of other kinds than formulas and charts are left out (2).'],
  })
  const frame = '<text:p>Here <draw:frame><draw:object xlink:href="./Object 1/"/></draw:frame> it is.</text:p>'
  expect((await read(frame, 'text', '', { 'Object 1/content.xml': `<?xml version="1.0"?><!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">${math('math:')}` })).html).toBe(formula('it is.'))
})

it('styles and titles are known by any prefix', async () => {
  const other = (xml: string): string => xml.replace(/(<\/?|\s)style:/g, '$1s:').replaceAll('presentation:', 'p:')
  const slide = '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Tides</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>At <text:span text:style-name="B">noon</text:span></text:p></draw:text-box></draw:frame></draw:page>'
  const styles = '<office:automatic-styles><style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>'
  expect((await read(other(slide), 'presentation', other(styles))).html).toBe('<h2>Tides</h2><p>At <strong>noon</strong></p>')
})

it('fields are the text that they show, and titles of drawings are none', async () => {
  expect(await htmlOf('<text:p>Manual of <text:title>Tides</text:title><draw:frame><svg:title>Gauge</svg:title></draw:frame></text:p>')).toBe('<p>Manual of Tides</p>')
})

it('what is hidden is left out: letters, paragraphs, sections, and slides with a warning', async () => {
  const hidden = '<text:p text:style-name="Inner">Secret</text:p><text:section text:display="none"><text:p>Secret</text:p></text:section><text:section text:display="true"><text:p>Shown</text:p></text:section>'
  expect(await htmlOf(`<text:p>Seen <text:span text:style-name="Secret">secret </text:span>text</text:p>${hidden}`)).toBe('<p>Seen text</p><p>Shown</p>')
  const secret = '<text:p text:style-name="Inner">Secret</text:p>'
  expect(await htmlOf(list('Letters', item('One', secret)) + `<table:table><table:table-row><table:table-cell>${secret}</table:table-cell><table:table-cell><text:p>Two</text:p></table:table-cell></table:table-row></table:table>`)).toBe('<ol type="A"><li><p>One</p></li></ol><table><tbody><tr><td></td><td>Two</td></tr></tbody></table>')
  const slide = (text: string, style = ''): string => `<draw:page draw:style-name="${style}"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`
  expect(await read(slide('One') + slide('Two', 'dp1') + slide('Three'), 'presentation')).toEqual({ html: '<p>One</p><hr><p>Three</p>', warnings: ['Hidden slides are left out (1).'] })
})

it('a document that is a single file of XML is read as the archive is', async () => {
  const pixel = 'iVBORw0KGgo='
  const picture = `<draw:frame><draw:image draw:mime-type="image/png"><office:binary-data>iVBO\n  Rw0KGgo=</office:binary-data></draw:image><svg:desc>A pier</svg:desc></draw:frame>`
  const flat = (kind: string, body: string): Buffer => Buffer.from(`<?xml version="1.0"?>\n<office:document office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:meta><dc:title>Ports</dc:title></office:meta><office:automatic-styles>${lists}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`)
  const html = async (bytes: Buffer): Promise<readonly unknown[]> => {
    const reply = await readDocument(bytes)
    return 'converted' in reply ? [reply.converted.html.replaceAll('\n', ''), reply.converted.metadata['title'], reply.converted.warnings] : [reply.problem]
  }
  expect(await html(flat('text', heading(1, 'Scope') + list('Letters', item('First')) + `<text:p>See ${picture}</text:p>`)))
    .toEqual([`<h1>Scope</h1><ol type="A"><li>First</li></ol><p>See <img alt="A pier" src="data:image/png;base64,${pixel}"></p>`.replace('<li>First', '<li><p>First</p>'), 'Ports', []])
  const row = (value: string): string => `<table:table-row><table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell></table:table-row>`
  expect((await html(flat('spreadsheet', `<table:table table:name="Depths">${row('Pier')}${row('7')}</table:table>`)))[0]).toContain('<td>7</td>')
})
